// Turns a window of recordings into segments, from the index alone: which bytes of which file play when.
import { type IsRepeated, isFragmentWithin, type PieceBounds, repeatsOf } from '../recordings/backfill-boundaries.ts';
import {
  type FileIndex,
  type IndexHeader,
  type IndexRecord,
  RECORD_FLAG,
  type RecordedAudio,
  recordEndMs,
  VIDEO_TIMESCALE,
} from '../recordings/index-record.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { PlaybackRange } from './playback-grant.ts';

/** Shorter GOPs are joined into one segment. */
const SEGMENT_MIN_TICKS = VIDEO_TIMESCALE;
/** An edge recording fetched in two parts repeats the keyframe at which the first ended. */
const SAME_FRAME_MS = 1;
/** Smaller jumps of the wall clock are drift, not a break. */
const BREAK_MS = 2000;

export interface PlannedSegment {
  readonly fileStartMs: number;
  readonly firstRecord: number;
  readonly count: number;
  readonly wallMs: number;
  /** Wall clock of its end. */
  readonly endMs: number;
  readonly durationTicks: number;
  /** Sum of the durations before it: its position in the playlist. */
  readonly positionTicks: number;
  readonly initHash: string;
  /** Video, time line or format break before it. */
  readonly isBreak: boolean;
  /** Begins with a keyframe. */
  readonly isKey: boolean;
}

export interface WindowPlan {
  readonly segments: readonly PlannedSegment[];
  /** What its files have. */
  readonly audio: ReadonlySet<RecordedAudio>;
}

/** Whether the window is served with audio. MSE rejects tracks that come and go, so it is all or nothing: what is missing is `encoded`, or all of it left out. */
export function hasPlayableAudio({ audio }: Pick<WindowPlan, 'audio'>, canEncode: boolean): boolean {
  return canEncode ? audio.has('playable') || audio.has('g711') : audio.size === 1 && audio.has('playable');
}

export interface PlanRequest {
  readonly store: RecordingsStore;
  readonly key: TrackKey;
  readonly startMs: number;
  readonly endMs: number;
  readonly isExact?: boolean | undefined;
}

/** Starts with the GOP that shows `startMs`, or exactly with the first keyframe after it; ends before `endMs`. Empty if nothing is recorded. */
export async function planWindow({ store, key, startMs, endMs, isExact = false }: PlanRequest): Promise<WindowPlan> {
  const files = store.files(key, startMs, endMs);
  const indexes = await Promise.all(files.map((file) => store.readIndex(key, file.startMs)));
  const builder = new PlanBuilder({ startTime: startMs, endTime: endMs, isExact }, repeatsOf(store.notes(key)));
  for (const [at, index] of indexes.entries()) {
    // A file removed by retention meanwhile is a gap.
    const startMs = (files[at] as { startMs: number }).startMs;
    if (index) builder.add(startMs, index, (records) => store.undamaged(key, startMs, records));
  }
  return { segments: builder.segments, audio: builder.audio };
}

/** Whether a window within the right could include these records: the right covers the range, not the file. */
export function isPlannable(
  { records }: FileIndex,
  wanted: { readonly firstRecord: number; readonly count: number },
  range: PlaybackRange,
): boolean {
  for (let first = 0; first <= wanted.firstRecord && first < records.length; ) {
    const count = segmentLength(records, first);
    const part = partWithin(records, { first, count }, range);
    if (part?.first === wanted.firstRecord) return wanted.count >= 1 && wanted.count <= part.count;
    first += count;
  }
  return false;
}

/** Where an exact window ends within the last of these records, wall clock in ms; null if it includes them whole. */
export function exactWindowEnd(records: readonly IndexRecord[], { isExact, endTime }: PlaybackRange): number | null {
  const last = records.at(-1);
  return isExact === true && last !== undefined && recordEndMs(last) > endTime ? endTime : null;
}

interface Part {
  readonly first: number;
  readonly count: number;
}

/** Part of a segment inside the window; null: nothing. */
function partWithin(
  records: readonly IndexRecord[],
  whole: Part,
  { startTime, endTime, isExact }: PlaybackRange,
): Part | null {
  let { first } = whole;
  let end = first + whole.count;
  const isWithin =
    recordEndMs(records[end - 1] as IndexRecord) > startTime && (records[first] as IndexRecord).wallMs < endTime;
  if (!isWithin) return null;
  if (isExact !== true) return whole;
  if ((records[first] as IndexRecord).wallMs < startTime) {
    const isLate = ({ flags, wallMs }: IndexRecord): boolean => wallMs >= startTime && (flags & RECORD_FLAG.key) !== 0;
    while (first < end && !isLate(records[first] as IndexRecord)) first += 1;
  }
  while (end > first && (records[end - 1] as IndexRecord).wallMs >= endTime) end -= 1;
  return end > first ? { first, count: end - first } : null;
}

class PlanBuilder {
  readonly segments: PlannedSegment[] = [];
  readonly audio = new Set<RecordedAudio>();
  readonly #range: PlaybackRange;
  #position = 0;
  #run: number | null = null;
  #initHash = '';
  #endOfLastMs = 0;
  readonly #isRepeated: IsRepeated;
  /** Samples before the next segment are left out. */
  #isAfterDamage = false;
  /** Of each segment. */
  readonly #taken: (readonly IndexRecord[])[] = [];

  constructor(range: PlaybackRange, isRepeated: IsRepeated) {
    this.#range = range;
    this.#isRepeated = isRepeated;
  }

  /** `undamaged`: the records before the first damaged one. */
  add(
    fileStartMs: number,
    { header, records }: FileIndex,
    undamaged: (of: readonly IndexRecord[]) => readonly IndexRecord[],
  ): void {
    for (let first = 0; first < records.length; ) {
      const count = segmentLength(records, first);
      const part = partWithin(records, { first, count }, this.#range);
      if (part !== null) {
        const taken = undamaged(records.slice(part.first, part.first + part.count));
        const [head] = taken;
        // Names stay stable: a part cut by damage keeps its start.
        if (head) {
          this.#dropRepeated(head, recordEndMs(records.at(-1) as IndexRecord));
          this.#take(fileStartMs, header, taken, { first: part.first, count: taken.length });
        }
        if (taken.length < part.count) this.#isAfterDamage = true;
      }
      first += count;
    }
  }

  #take(fileStartMs: number, header: IndexHeader, records: readonly IndexRecord[], part: Part): void {
    const head = records[0] as IndexRecord;
    const tail = records.at(-1) as IndexRecord;
    this.#dropCopy(head);
    const isContinued = header.runId === this.#run && header.initHash === this.#initHash;
    const isJump = Math.abs(head.wallMs - this.#endOfLastMs) > BREAK_MS;
    const isMarked = (head.flags & RECORD_FLAG.discontinuity) !== 0 || this.#isAfterDamage;
    this.#isAfterDamage = false;
    const endMs = exactWindowEnd(records, this.#range) ?? recordEndMs(tail);
    const cutTicks = Math.round(((recordEndMs(tail) - endMs) * VIDEO_TIMESCALE) / 1000);
    const durationTicks = records.reduce((sum, record) => sum + record.durationTicks, 0) - cutTicks;
    this.segments.push({
      fileStartMs,
      firstRecord: part.first,
      count: part.count,
      wallMs: head.wallMs,
      endMs,
      durationTicks,
      positionTicks: this.#position,
      initHash: header.initHash,
      isBreak: this.segments.length > 0 && (!isContinued || isJump || isMarked),
      isKey: (head.flags & RECORD_FLAG.key) !== 0,
    });
    this.#taken.push(records);
    this.#position += durationTicks;
    this.#endOfLastMs = recordEndMs(tail);
    this.#run = header.runId;
    this.#initHash = header.initHash;
    this.audio.add(header.audio);
  }

  #dropCopy({ wallMs }: IndexRecord): void {
    const last = this.segments.at(-1);
    if (!last || Math.abs(last.wallMs - wallMs) > SAME_FRAME_MS) return;
    this.segments.pop();
    this.#taken.pop();
    this.#position -= last.durationTicks;
  }

  /** A backfilled piece starts at its first keyframe, and ours again where it ends. */
  #dropRepeated({ wallMs, flags }: IndexRecord, toMs: number): void {
    const next = { fromMs: wallMs, toMs };
    if ((flags & RECORD_FLAG.key) === 0 || !this.#isRepeated(this.#endOfLastMs, next)) return;
    for (let last = this.segments.at(-1); last; last = this.segments.at(-1)) {
      const records = this.#taken.at(-1) ?? [];
      const kept = records.slice(0, keptCount(records, next));
      const dropped = records.slice(kept.length).reduce((sum, { durationTicks }) => sum + durationTicks, 0);
      if (dropped === 0) break;
      this.segments.pop();
      this.#taken.pop();
      this.#position -= dropped;
      if (kept.length === 0) continue;
      this.segments.push({ ...last, count: kept.length, durationTicks: last.durationTicks - dropped });
      this.#taken.push(kept);
      break;
    }
    const end = this.#taken.at(-1)?.at(-1);
    this.#endOfLastMs = end === undefined ? 0 : recordEndMs(end);
  }
}

function keptCount(records: readonly IndexRecord[], next: PieceBounds): number {
  let count = records.length;
  for (let record = records[count - 1]; record; record = records[count - 1]) {
    if (!isFragmentWithin(record.wallMs, recordEndMs(record), next)) break;
    count -= 1;
  }
  return count;
}

/** Records up to the next keyframe that may start a segment, the next break or the end of the file. */
function segmentLength(records: readonly IndexRecord[], first: number): number {
  let ticks = (records[first] as IndexRecord).durationTicks;
  let at = first + 1;
  for (; at < records.length; at += 1) {
    const { flags, durationTicks } = records[at] as IndexRecord;
    if (flags & RECORD_FLAG.discontinuity) break;
    if (flags & RECORD_FLAG.key && ticks >= SEGMENT_MIN_TICKS) break;
    ticks += durationTicks;
  }
  return at - first;
}
