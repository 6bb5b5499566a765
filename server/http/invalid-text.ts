// Finds text that the database cannot store: with NUL or a lone surrogate.

/** Field names, with dots for what is nested. The value is parsed input: shallow, without cycles. */
export function invalidTextsIn(value: unknown, at = ''): string[] {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => invalidTextsIn(held, at === '' ? key : `${at}.${key}`));
}
