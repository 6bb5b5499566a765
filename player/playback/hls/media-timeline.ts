// Maps media time of a playlist to wall clock and back, through the wall clock that every segment carries.

export interface TimelinePart {
  /** Media time in seconds. */
  readonly start: number;
  readonly durationS: number;
  /** Wall clock at `start`, ms. */
  readonly wallMs: number;
}

/** Wall clock at a media time, ms; null outside every part. Parts are in order. */
export function wallAt(parts: readonly TimelinePart[], mediaTime: number): number | null {
  const part = parts[lastBefore(parts, (each) => each.start, mediaTime)];
  if (!part || mediaTime > part.start + part.durationS + 0.5) return null;
  return part.wallMs + Math.max(0, mediaTime - part.start) * 1000;
}

/** Media time of a wall clock; null where no part holds it. */
export function mediaAt(parts: readonly TimelinePart[], wallMs: number): number | null {
  const part = parts[lastBefore(parts, (each) => each.wallMs, wallMs)];
  if (!part) return null;
  const into = (wallMs - part.wallMs) / 1000;
  return into <= part.durationS ? part.start + into : null;
}

/** Index of the last part whose key is not above the value; −1 when there is none. */
function lastBefore(parts: readonly TimelinePart[], key: (part: TimelinePart) => number, value: number): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(parts[middle] as TimelinePart) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
