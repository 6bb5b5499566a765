// Recorded spans of a channel: joined, searched, and merged to what pixels can show. Pure.
import { RECORD_SOURCE, RECORD_TYPE } from '@vedette/contract/enumerations.ts';

/** `device`: on the device's own storage alone. `unknown`: of a type that this version does not know. */
export type SpanKind = 'device' | 'unknown' | 'normal' | 'alarm';
/** In the order in which they are drawn. */
export const SPAN_KINDS: readonly SpanKind[] = ['device', 'unknown', 'normal', 'alarm'];

export interface RecordedSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: SpanKind;
}

interface RecordRow {
  readonly startTime: number;
  readonly endTime: number;
  readonly recordType: number;
  readonly srcType?: number;
}

/** Shorter gaps are the seams of one recording. */
const SEAM_MS = 2500;

/** In order, without overlap, neighbours of one kind joined. Where kinds overlap all stand, alarms last. */
export function joinSpans(rows: readonly RecordRow[]): readonly RecordedSpan[] {
  const spans = rows
    .map((row) => ({ start: row.startTime, end: row.endTime, kind: kindOf(row) }))
    .filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  const joined: RecordedSpan[] = [];
  for (const kind of SPAN_KINDS) {
    let last: RecordedSpan | undefined;
    for (const span of spans) {
      if (span.kind !== kind) continue;
      if (last && span.start - last.end <= SEAM_MS) {
        last = { ...last, end: Math.max(last.end, span.end) };
        joined[joined.length - 1] = last;
      } else {
        last = span;
        joined.push(span);
      }
    }
  }
  return joined.toSorted((a, b) => a.start - b.start || SPAN_KINDS.indexOf(a.kind) - SPAN_KINDS.indexOf(b.kind));
}

function kindOf({ recordType, srcType }: RecordRow): SpanKind {
  if (srcType === RECORD_SOURCE.local) return 'device';
  if (recordType === RECORD_TYPE.alarm) return 'alarm';
  return recordType === RECORD_TYPE.normal ? 'normal' : 'unknown';
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
  kind: SpanKind,
  xOf: (at: number) => number,
  width: number,
): readonly SpanBar[] {
  return barsOf(
    spans.filter((span) => span.kind === kind),
    xOf,
    width,
  );
}

/** In order of their starts. */
export function barsOf(
  ranges: readonly { readonly start: number; readonly end: number }[],
  xOf: (at: number) => number,
  width: number,
): readonly SpanBar[] {
  const bars: { x: number; right: number }[] = [];
  for (const span of ranges) {
    const [from, to] = [xOf(span.start), xOf(span.end)];
    if (to < 0 || from > width) continue;
    const [x, right] = [Math.max(0, from), Math.min(width, Math.max(to, from + 1))];
    const last = bars.at(-1);
    if (last && x - last.right < 1) last.right = Math.max(last.right, right);
    else bars.push({ x, right });
  }
  return bars.map(({ x, right }) => ({ x, width: right - x }));
}
