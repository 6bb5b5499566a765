// What the fragment player reads of a window: the list of its segments, whole segments as they were stored, and key pictures alone.
import { readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { writeFragmentHeader } from '@vedette/protocols/mp4/fragment.ts';
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { type FileIndex, RECORD_FLAG, VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import { cutRecord } from './cut-record.ts';
import { type FragmentRef, fragmentName } from './fragment-names.ts';
import type { WindowPlan } from './playback-plan.ts';
import { type StoredMediaOptions, withFile } from './stored-media.ts';

/** Takes the clock box, the moof and most key pictures in one read. */
const KEY_READ_BYTES = 96 * 1024;

export interface ListedSegment {
  readonly name: string;
  readonly wallMs: number;
  readonly durationMs: number;
  readonly init: string;
  readonly isBreak: boolean;
}

/** Oldest first, each from one key picture to before the next; `prefix` begins its names. */
export function listSegments({ segments }: WindowPlan, prefix = ''): ListedSegment[] {
  const inits = new Map<string, number>();
  // Nothing can be decoded from the middle of a GOP.
  return segments
    .filter((segment) => segment.isKey)
    .map((segment) => {
      const init = inits.get(segment.initHash) ?? segment.fileStartMs;
      inits.set(segment.initHash, init);
      return {
        name: `${prefix}${fragmentName(segment)}`,
        wallMs: segment.wallMs,
        // Pictures that a busy machine left out lie within it: what follows them is no gap.
        durationMs: Math.max((segment.durationTicks * 1000) / VIDEO_TIMESCALE, segment.endMs - segment.wallMs),
        init: `${prefix}${init}`,
        isBreak: segment.isBreak,
      };
    });
}

/** A segment as it was stored: clock boxes, decode times of its file, and whatever sound there is. Throws RangeError for records that are not there. */
export async function readStoredSegment(
  { disk, store, key }: StoredMediaOptions,
  index: FileIndex,
  ref: FragmentRef,
  /** Wall clock at which the last record is cut off, ms. */
  cutMs: number | null = null,
): Promise<Buffer> {
  const first = index.records[ref.firstRecord];
  const last = index.records[ref.firstRecord + ref.count - 1];
  if (!first || !last || ref.count < 1) throw new RangeError('no such records');
  return await withFile(disk, store.mediaPath(key, ref.fileStartMs), async (file) => {
    const bytes = Buffer.allocUnsafe(last.offset + last.totalBytes - first.offset);
    if ((await file.read(bytes, first.offset)) < bytes.length)
      throw new RangeError('the file is shorter than its index');
    if (cutMs === null) return bytes;
    const { audioRate } = index.header;
    const at = last.offset - first.offset;
    return Buffer.concat([bytes.subarray(0, at), cutRecord(bytes.subarray(at), last, { cutMs, audioRate })]);
  });
}

/** The clock box and a fragment of one picture. Throws RangeError where the record holds no key picture. */
export async function readKeyPicture(
  { disk, store, key }: StoredMediaOptions,
  index: FileIndex,
  ref: FragmentRef,
): Promise<Buffer> {
  const record = index.records[ref.firstRecord];
  if (!record || !(record.flags & RECORD_FLAG.key)) throw new RangeError('no key picture there');
  return await withFile(disk, store.mediaPath(key, ref.fileStartMs), async (file) => {
    const head = Buffer.allocUnsafe(Math.min(record.videoBytes, KEY_READ_BYTES));
    if ((await file.read(head, record.offset)) < head.length)
      throw new RangeError('the file is shorter than its index');
    const [run] = readFragment(head, CLOCK_BOX_BYTES);
    const sample = run?.samples[0];
    if (!run || !sample?.isKey) throw new RangeError('no key picture there');
    const end = CLOCK_BOX_BYTES + sample.offset + sample.size;
    if (end > record.videoBytes) throw new RangeError('a picture that leaves its fragment');
    const rest = Buffer.allocUnsafe(Math.max(0, end - head.length));
    if (rest.length > 0) await file.read(rest, record.offset + head.length);
    const picture = Buffer.concat([head, rest]).subarray(CLOCK_BOX_BYTES + sample.offset, end);
    const header = writeFragmentHeader(1, [{ trackId: run.trackId, baseDts: run.baseDts, samples: [sample] }]);
    return Buffer.concat([head.subarray(0, CLOCK_BOX_BYTES), header, picture]);
  });
}
