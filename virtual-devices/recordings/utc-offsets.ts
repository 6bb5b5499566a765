// Local time over a span as a list of changes: it goes to another thread, where a function cannot.

import type { Span } from './recorded-pattern.ts';

/** From this instant on, local time is `offsetMs` ahead of UTC. */
export interface UtcOffset {
  readonly from: number;
  readonly offsetMs: number;
}

/** Clocks everywhere change on a quarter of an hour of UTC. */
const STEP_MS = 15 * 60_000;

export function utcOffsetsWithin(span: Span, offsetAt: (utcMs: number) => number): UtcOffset[] {
  const list: UtcOffset[] = [];
  for (let from = Math.floor(span.from / STEP_MS) * STEP_MS; from <= span.to; from += STEP_MS) {
    const offsetMs = offsetAt(from);
    if (list.at(-1)?.offsetMs !== offsetMs) list.push({ from, offsetMs });
  }
  return list;
}

/** The offset at an instant; before the first change, that of the first. */
export function utcOffsetIn(list: readonly UtcOffset[], utcMs: number): number {
  return (list.findLast(({ from }) => from <= utcMs) ?? list[0])?.offsetMs ?? 0;
}
