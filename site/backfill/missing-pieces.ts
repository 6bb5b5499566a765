// Splits what a device holds and we do not into pieces of at most an hour, in the order of their priority.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { RecordedSpan as OwnSpan } from '@vedette/contract/site/site.ts';
import type { RecordedSpan as DeviceSpan } from '@vedette/drivers/kit/driver.ts';

export interface Piece {
  readonly from: number;
  readonly to: number;
  /** Lower values come first, over all channels. */
  readonly round: number;
}

/** Shorter gaps are seams between files, ours or the device's. */
const WORTH_MS = 5000;
/** First the current hour and the two before it. */
const NEWEST_HOURS = 3;
/** Then every eighth hour of the day, every fourth, every second, the rest. */
const HALVINGS = 3;

/** In order of priority; `until` is the end of the range searched on the device. */
export function missingPieces(
  device: readonly DeviceSpan[],
  own: readonly OwnSpan[],
  until: number,
  worthMs = WORTH_MS,
): Piece[] {
  const pieces: Piece[] = [];
  for (const span of device) {
    let from = span.from;
    for (const { startTime, endTime } of own) {
      if (endTime <= from || startTime >= span.to) continue;
      if (startTime - from >= worthMs) pieces.push(...hours(from, startTime, until));
      from = Math.max(from, endTime);
    }
    if (span.to - from >= worthMs) pieces.push(...hours(from, span.to, until));
  }
  return pieces.sort(bySooner);
}

/** Within a round the newest first. */
export function bySooner(a: Piece, b: Piece): number {
  return a.round - b.round || b.from - a.from;
}

/** Cut at whole hours, so that a restart finds the same pieces. */
function hours(from: number, to: number, until: number): Piece[] {
  const pieces: Piece[] = [];
  for (let at = from; at < to; ) {
    const hour = Math.floor(at / HOUR_MS);
    const next = Math.min(to, (hour + 1) * HOUR_MS);
    pieces.push({ from: at, to: next, round: roundOf(hour, Math.floor(until / HOUR_MS)) });
    at = next;
  }
  return pieces;
}

function roundOf(hour: number, newest: number): number {
  if (newest - hour < NEWEST_HOURS) return newest - hour;
  let halvings = 0;
  while (halvings < HALVINGS && hour % 2 ** (HALVINGS - halvings) !== 0) halvings++;
  return NEWEST_HOURS + halvings;
}
