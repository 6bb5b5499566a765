// Reads the Range header of a request for one file (RFC 9110 14.2): one range of bytes, or the whole.

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Null: the whole file, also for headers other than one byte range. */
export function parseRange(header: string | undefined, total: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined) return null;
  return first === '' ? suffixRange(last, total) : rangeFrom(first, last, total);
}

/** Suffix range. */
function suffixRange(count: string, total: number): ByteRange | 'unsatisfiable' | null {
  if (count === '') return null;
  const length = Math.min(Number(count), total);
  return length === 0 ? 'unsatisfiable' : { start: total - length, end: total };
}

function rangeFrom(first: string, last: string, total: number): ByteRange | 'unsatisfiable' | null {
  const start = Number(first);
  if (start >= total) return 'unsatisfiable';
  const end = last === '' ? total : Math.min(Number(last) + 1, total);
  return end <= start ? null : { start, end };
}
