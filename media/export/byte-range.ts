// Reads the Range header of a request for one file (RFC 9110 14.2): one range of bytes, or the whole.

export interface ByteRange {
  readonly start: number;
  /** Not part of it. */
  readonly end: number;
}

/** Null: the whole file, as for a header that asks for something else than one range of bytes. */
export function parseRange(header: string | undefined, total: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [first, last] = [match[1] ?? '', match[2] ?? ''];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), total);
    return length === 0 ? 'unsatisfiable' : { start: total - length, end: total };
  }
  const start = Number(first);
  if (start >= total) return 'unsatisfiable';
  const end = last === '' ? total : Math.min(Number(last) + 1, total);
  return end <= start ? null : { start, end };
}
