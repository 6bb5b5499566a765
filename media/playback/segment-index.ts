// Writes the segment index of a window for the fragment player: our recordings, and edge recordings where we have none.
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { TimeRange } from '../recordings/gaps/track-notes.ts';
import type { EdgePlayback } from './edge-playback.ts';
import { EDGE_PREFIX } from './fragment-names.ts';
import type { PlaybackRange } from './playback-grant.ts';
import { planWindow } from './playback-plan.ts';
import { type ListedSegment, listSegments } from './stored-fragments.ts';

export interface SegmentIndexRequest {
  readonly store: RecordingsStore;
  readonly key: TrackKey;
  readonly range: PlaybackRange;
  readonly edge: EdgePlayback | undefined;
  /** Position of the reader, now or soon, ms. */
  readonly atMs: number;
}

/** Our recordings and edge recordings never end at the same frame: shorter pieces of edge recordings beside ours are left out. */
const EDGE_MS = 500;

/**
 * `{"segments": [{"name", "wallMs", "durationMs", "init", "isBreak"}], "awaited": [{"startMs", "endMs"}]}`: oldest
 * first. `<name>.m4s` is a segment, `<name>.key` its keyframe, `<init>.mp4` its init segment. `awaited` is being
 * fetched from the device: ask again with `?at=`.
 */
export async function writeSegmentIndex({ store, key, range, edge, atMs }: SegmentIndexRequest): Promise<string> {
  const { startTime: startMs, endTime: endMs, isExact } = range;
  const own = edge?.isAlone ? [] : listSegments(await planWindow({ store, key, startMs, endMs, isExact }));
  if (!edge) return JSON.stringify({ segments: own });
  // Read first, so that what arrives meanwhile is in one of the two lists.
  const awaited = await edge.request(atMs);
  const plan = await planWindow({ store: edge.store, key: edge.key, startMs, endMs });
  return JSON.stringify({ segments: merge(own, listSegments(plan, EDGE_PREFIX)), awaited: awaited.map(rounded) });
}

function rounded({ startMs, endMs }: TimeRange): TimeRange {
  return { startMs: Math.floor(startMs), endMs: Math.ceil(endMs) };
}

/** Merged by time. An edge segment that ours cover is left out. */
function merge(own: readonly ListedSegment[], theirs: readonly ListedSegment[]): ListedSegment[] {
  const kept = theirs.filter((one) => one.durationMs - covered(own, one) > EDGE_MS || own.length === 0);
  return [...own, ...kept].sort((a, b) => a.wallMs - b.wallMs);
}

function covered(own: readonly ListedSegment[], { wallMs, durationMs }: ListedSegment): number {
  let sum = 0;
  for (const one of own) {
    const from = Math.max(one.wallMs, wallMs);
    const to = Math.min(one.wallMs + one.durationMs, wallMs + durationMs);
    sum += Math.max(0, to - from);
  }
  return sum;
}
