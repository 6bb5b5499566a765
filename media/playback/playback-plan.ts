// Turns a window of recordings into segments by reading the index alone: which bytes of which file play at which place.
import {
  type FileIndex,
  type IndexRecord,
  RECORD_FLAG,
  recordEndMs,
  VIDEO_TIMESCALE,
} from '../recordings/index-record.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';

/** GOPs shorter than this share a segment. */
const SEGMENT_MIN_TICKS = VIDEO_TIMESCALE;
/** A device's own recording that was fetched in two goes begins the second one with the key picture it broke off in. */
const SAME_PICTURE_MS = 1;
/** Jumps of the wall clock below this are no break: clocks of cameras drift. */
const BREAK_MS = 2000;

export interface PlannedSegment {
  readonly fileStartMs: number;
  readonly firstRecord: number;
  readonly count: number;
  readonly wallMs: number;
  readonly durationTicks: number;
  /** Sum of the durations before it: its place in the playlist. */
  readonly positionTicks: number;
  readonly initHash: string;
  /** The picture, the time line or the format breaks before it. */
  readonly isBreak: boolean;
  /** Begins with a key picture. */
  readonly isKey: boolean;
}

export interface WindowPlan {
  readonly segments: readonly PlannedSegment[];
  /** Whether the whole window has sound browsers can append. MSE refuses tracks that come and go, so it is all or nothing. */
  readonly hasSound: boolean;
}

export interface PlanRequest {
  readonly store: RecordingsStore;
  readonly key: TrackKey;
  readonly startMs: number;
  readonly endMs: number;
}

/** Begins with the GOP that shows `startMs`; ends before `endMs`. Empty when nothing is recorded. */
export async function planWindow({ store, key, startMs, endMs }: PlanRequest): Promise<WindowPlan> {
  const files = store.files(key, startMs, endMs);
  const indexes = await Promise.all(files.map((file) => store.readIndex(key, file.startMs)));
  const builder = new PlanBuilder(startMs, endMs);
  for (const [at, index] of indexes.entries()) {
    // A file that retention took meanwhile is a gap.
    if (index) builder.add((files[at] as { startMs: number }).startMs, index);
  }
  return { segments: builder.segments, hasSound: builder.hasSound };
}

/** Whether a plan of the range could name these records: the right covers the range, not the file. */
export function isPlannable(
  { records }: FileIndex,
  wanted: { readonly firstRecord: number; readonly count: number },
  range: { readonly startTime: number; readonly endTime: number },
): boolean {
  for (let first = 0; first <= wanted.firstRecord && first < records.length; ) {
    const count = segmentLength(records, first);
    if (first === wanted.firstRecord) {
      const [head, tail] = [records[first], records[first + count - 1]];
      const isInRange = tail && recordEndMs(tail) > range.startTime && head && head.wallMs < range.endTime;
      return Boolean(isInRange) && wanted.count >= 1 && wanted.count <= count;
    }
    first += count;
  }
  return false;
}

class PlanBuilder {
  readonly segments: PlannedSegment[] = [];
  hasSound = true;
  readonly #startMs: number;
  readonly #endMs: number;
  #position = 0;
  #run: number | null = null;
  #initHash = '';
  #endOfLastMs = 0;

  constructor(startMs: number, endMs: number) {
    this.#startMs = startMs;
    this.#endMs = endMs;
  }

  add(fileStartMs: number, { header, records }: FileIndex): void {
    for (let first = 0; first < records.length; ) {
      const count = segmentLength(records, first);
      const segment = records.slice(first, first + count);
      const head = segment[0] as IndexRecord;
      const tail = segment[count - 1] as IndexRecord;
      if (recordEndMs(tail) > this.#startMs && head.wallMs < this.#endMs) {
        this.#dropCopy(head);
        const isContinued = header.runId === this.#run && header.initHash === this.#initHash;
        const isJump = Math.abs(head.wallMs - this.#endOfLastMs) > BREAK_MS;
        const isMarked = (head.flags & RECORD_FLAG.discontinuity) !== 0;
        const durationTicks = segment.reduce((sum, record) => sum + record.durationTicks, 0);
        this.segments.push({
          fileStartMs,
          firstRecord: first,
          count,
          wallMs: head.wallMs,
          durationTicks,
          positionTicks: this.#position,
          initHash: header.initHash,
          isBreak: this.segments.length > 0 && (!isContinued || isJump || isMarked),
          isKey: (head.flags & RECORD_FLAG.key) !== 0,
        });
        this.#position += durationTicks;
        this.#endOfLastMs = recordEndMs(tail);
        this.#run = header.runId;
        this.#initHash = header.initHash;
        this.hasSound &&= header.audio === 'playable';
      }
      first += count;
    }
  }

  #dropCopy({ wallMs }: IndexRecord): void {
    const last = this.segments.at(-1);
    if (!last || Math.abs(last.wallMs - wallMs) > SAME_PICTURE_MS) return;
    this.segments.pop();
    this.#position -= last.durationTicks;
  }
}

/** Records up to the next key frame that may begin a segment, the next break or the end of the file. */
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
