// Recognises PostgreSQL's refusal of a second row with the same key.

/** SQLSTATE 23505. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
