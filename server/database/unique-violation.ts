// Recognizes unique and foreign-key violations of PostgreSQL.

/** SQLSTATE 23505. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** SQLSTATE 23503 and 23001. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '23503' || error.code === '23001');
}
