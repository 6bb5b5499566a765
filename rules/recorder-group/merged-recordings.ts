// One timeline of recordings that lie at several sites: at each instant those of the site with the highest epoch.
import type { RecordedSpan, RecordingGap } from '@vedette/contract/site/site.ts';

/** When a site had the device; each later stay has a higher epoch. */
export interface SiteStay {
  readonly siteId: string;
  readonly epoch: number;
  readonly since: number;
  /** Null: still. */
  readonly until: number | null;
}

export interface SiteRecordings {
  readonly siteId: string;
  /** In ascending order, without overlap. */
  readonly spans: readonly RecordedSpan[];
  readonly gaps: readonly RecordingGap[];
}

export interface PlacedSpan extends RecordedSpan {
  readonly siteId: string;
}

/** Below this a stretch without recordings is none: as within one site. */
const GAP_MS = 2000;
/** Of a site that recorded before it had the device: what it fetched from the device itself, for instance. */
const BEFORE_ALL = -1;

export function mergedSpans(stays: readonly SiteStay[], sites: readonly SiteRecordings[]): PlacedSpan[] {
  const [first] = sites;
  if (first === undefined) return [];
  if (sites.length === 1) return first.spans.map((span) => ({ ...span, siteId: first.siteId }));
  const edges = [
    ...stays.map(({ since }) => since),
    ...sites.flatMap(({ spans }) => spans.flatMap(({ startTime, endTime }) => [startTime, endTime])),
  ];
  const times = [...new Set(edges)].toSorted((one, other) => one - other);
  const cursors = sites.map(({ siteId, spans }) => ({ siteId, spans, at: 0 }));
  const merged: PlacedSpan[] = [];
  for (const [index, startTime] of times.entries()) {
    const endTime = times[index + 1];
    if (endTime === undefined) break;
    const covering = cursors.flatMap((cursor) => spanAt(cursor, startTime) ?? []);
    const chosen = highest(covering, stays, startTime);
    if (chosen !== null) append(merged, { ...chosen, startTime, endTime });
  }
  return merged;
}

interface Cursor {
  readonly siteId: string;
  readonly spans: readonly RecordedSpan[];
  at: number;
}

/** Times are asked for in ascending order. */
function spanAt(cursor: Cursor, time: number): PlacedSpan | null {
  while ((cursor.spans[cursor.at]?.endTime ?? Number.POSITIVE_INFINITY) <= time) cursor.at += 1;
  const span = cursor.spans[cursor.at];
  return span === undefined || span.startTime > time ? null : { ...span, siteId: cursor.siteId };
}

function highest(spans: readonly PlacedSpan[], stays: readonly SiteStay[], time: number): PlacedSpan | null {
  let best: { span: PlacedSpan; epoch: number } | null = null;
  for (const span of spans) {
    const epoch = epochAt(stays, span.siteId, time);
    const isLonger = best !== null && epoch === best.epoch && span.endTime > best.span.endTime;
    if (best === null || epoch > best.epoch || isLonger) best = { span, epoch };
  }
  return best?.span ?? null;
}

/** Of its newest stay that had begun; a site keeps its epoch when another one takes over with a higher one. */
export function epochAt(stays: readonly SiteStay[], siteId: string, time: number): number {
  return stays.reduce(
    (epoch, stay) => (stay.siteId === siteId && stay.since <= time ? Math.max(epoch, stay.epoch) : epoch),
    BEFORE_ALL,
  );
}

function append(merged: PlacedSpan[], span: PlacedSpan): void {
  const last = merged.at(-1);
  const continues =
    last !== undefined &&
    last.endTime === span.startTime &&
    last.siteId === span.siteId &&
    last.recordType === span.recordType &&
    (last.isFilled ?? false) === (span.isFilled ?? false);
  if (continues && last !== undefined) merged[merged.length - 1] = { ...last, endTime: span.endTime };
  else merged.push(span);
}

/**
 * What no site has, by the site that had the device then. Of sites that are `away` nothing is known: their recordings of
 * those times are there again when they are.
 */
export function mergedGaps(
  stays: readonly SiteStay[],
  {
    sites,
    away,
    range,
  }: {
    readonly sites: readonly SiteRecordings[];
    readonly away: ReadonlySet<string>;
    readonly range: { readonly startTime: number; readonly endTime: number };
  },
): RecordingGap[] {
  const spans = mergedSpans(stays, sites);
  const gaps = stays.flatMap((stay): RecordingGap[] => {
    const bounds = {
      startTime: Math.max(stay.since, range.startTime),
      endTime: Math.min(stay.until ?? range.endTime, range.endTime),
    };
    if (away.has(stay.siteId)) return clipped([{ ...bounds, reason: 'siteAway' }], bounds);
    return clipped(sites.find(({ siteId }) => siteId === stay.siteId)?.gaps ?? [], bounds);
  });
  return gaps.flatMap((gap) => without(gap, spans)).toSorted((one, other) => one.startTime - other.startTime);
}

function clipped(
  gaps: readonly RecordingGap[],
  bounds: { readonly startTime: number; readonly endTime: number },
): RecordingGap[] {
  return gaps
    .map((gap) => ({
      ...gap,
      startTime: Math.max(gap.startTime, bounds.startTime),
      endTime: Math.min(gap.endTime, bounds.endTime),
    }))
    .filter(({ startTime, endTime }) => endTime > startTime);
}

function without(gap: RecordingGap, spans: readonly PlacedSpan[]): RecordingGap[] {
  const left: RecordingGap[] = [];
  let from = gap.startTime;
  for (const { startTime, endTime } of spans) {
    if (endTime <= from || startTime >= gap.endTime) continue;
    if (startTime > from) left.push({ ...gap, startTime: from, endTime: startTime });
    from = Math.max(from, endTime);
  }
  if (from < gap.endTime) left.push({ ...gap, startTime: from });
  return left.filter(({ startTime, endTime }) => endTime - startTime >= GAP_MS);
}
