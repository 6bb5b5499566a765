// Which parts of the past a channel has recorded: a pattern of gaps that depends on the channel and the time alone.

import { chance } from '../scene/painting/scene.ts';

export interface Span {
  /** Milliseconds since 1970 UTC; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

const BLOCK_MS = 10 * 60_000;
const HOUR_MS = 60 * 60_000;
/** Share of blocks that are missing: nothing moved, so nothing was recorded. */
const QUIET_SHARE = 0.13;
/** In each stretch of so many hours one hour is missing: a cable, a restart. */
const OUTAGE_EVERY_HOURS = 8;
/** Spans begin and end on whole multiples of this, as recordings do. */
const STEP_MS = 10_000;

function isRecorded(seed: number, block: number): boolean {
  const hour = Math.floor((block * BLOCK_MS) / HOUR_MS);
  const stretch = Math.floor(hour / OUTAGE_EVERY_HOURS);
  const outage = stretch * OUTAGE_EVERY_HOURS + Math.floor(chance(seed + 7919, stretch) * OUTAGE_EVERY_HOURS);
  return hour !== outage && chance(seed, block) >= QUIET_SHARE;
}

/** Up to a minute into a block, so that gaps do not all begin on the clock's tens. */
function edge(seed: number, block: number): number {
  return block * BLOCK_MS + Math.floor(chance(seed + 104_729, block) * 6) * STEP_MS;
}

/** The recorded spans that overlap a range, whole, in order. */
export function recordedSpans(seed: number, range: Span): Span[] {
  const spans: Span[] = [];
  let since: number | null = null;
  const last = Math.ceil(range.to / BLOCK_MS) + 1;
  for (let block = firstBlock(seed, range.from); block <= last; block++) {
    const recorded = isRecorded(seed, block);
    if (recorded && since === null) since = edge(seed, block);
    if (recorded || since === null) continue;
    spans.push({ from: since, to: edge(seed, block) });
    since = null;
  }
  if (since !== null) spans.push({ from: since, to: edge(seed, endBlock(seed, last)) });
  return spans.filter((span) => span.to > range.from && span.from < range.to);
}

/** The end of the gap before the range: a span is told with its true beginning. */
function firstBlock(seed: number, from: number): number {
  let block = Math.floor(from / BLOCK_MS) - 1;
  while (isRecorded(seed, block)) block--;
  return block;
}

function endBlock(seed: number, from: number): number {
  let block = from;
  while (isRecorded(seed, block)) block++;
  return block;
}
