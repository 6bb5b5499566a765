// Recognises PostgreSQL's refusals of a second row with the same key, and of one whose other end is gone.

/** SQLSTATE 23505. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** SQLSTATE 23503 and 23001. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '23503' || error.code === '23001');
}
