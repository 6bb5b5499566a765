// Recorded spans of a channel: joined, searched, and merged to what pixels can show. Pure.
import { RECORD_TYPE } from '@vedette/contract/enumerations.ts';

export interface RecordedSpan {
  readonly start: number;
  readonly end: number;
  readonly isAlarm: boolean;
}

interface RecordRow {
  readonly startTime: number;
  readonly endTime: number;
  readonly recordType: number;
}

/** Shorter gaps are the seams of one recording. */
const SEAM_MS = 2500;

/** In order, without overlap, neighbours of one kind joined. Where both kinds overlap both stand, alarms after. */
export function joinSpans(rows: readonly RecordRow[]): readonly RecordedSpan[] {
  const spans = rows
    .map(({ startTime, endTime, recordType }) => ({
      start: startTime,
      end: endTime,
      isAlarm: recordType === RECORD_TYPE.alarm,
    }))
    .filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  const joined: RecordedSpan[] = [];
  for (const isAlarm of [false, true]) {
    let last: RecordedSpan | undefined;
    for (const span of spans) {
      if (span.isAlarm !== isAlarm) continue;
      if (last && span.start - last.end <= SEAM_MS) {
        last = { ...last, end: Math.max(last.end, span.end) };
        joined[joined.length - 1] = last;
      } else {
        last = span;
        joined.push(span);
      }
    }
  }
  return joined.toSorted((a, b) => a.start - b.start || Number(a.isAlarm) - Number(b.isAlarm));
}

/** Start of the next or of the present/previous recording as seen from an instant; null where there is none. */
export function neighbourStart(spans: readonly RecordedSpan[], at: number, direction: 1 | -1): number | null {
  // From shortly after a start, back means the one before it, as with music; the first picture may stand shortly before.
  const isFar = (start: number): boolean => (direction === 1 ? start > at + 2000 : start < at - 3000);
  const starts = spans.map(({ start }) => start).filter(isFar);
  if (starts.length === 0) return null;
  return direction === 1 ? Math.min(...starts) : Math.max(...starts);
}

export interface SpanBar {
  readonly x: number;
  readonly width: number;
}

/** Bars of one kind in pixels: what lies within one pixel of its neighbour is one bar, and none is thinner than a pixel. */
export function spanBars(
  spans: readonly RecordedSpan[],
  isAlarm: boolean,
  xOf: (at: number) => number,
  width: number,
): readonly SpanBar[] {
  const bars: { x: number; right: number }[] = [];
  for (const span of spans) {
    if (span.isAlarm !== isAlarm) continue;
    const [from, to] = [xOf(span.start), xOf(span.end)];
    if (to < 0 || from > width) continue;
    const [x, right] = [Math.max(0, from), Math.min(width, Math.max(to, from + 1))];
    const last = bars.at(-1);
    if (last && x - last.right < 1) last.right = Math.max(last.right, right);
    else bars.push({ x, right });
  }
  return bars.map(({ x, right }) => ({ x, width: right - x }));
}
