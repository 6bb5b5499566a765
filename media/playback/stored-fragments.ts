// Data of the fragment player: the segment list, whole stored segments, and single keyframes.
import { readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { writeFragmentHeader } from '@vedette/protocols/mp4/fragment.ts';
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { type FileIndex, RECORD_FLAG, recordEndMs, VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import { type RecordedMedia, readProven } from '../recordings/check/proven-media.ts';
import { cutRecord } from './cut-record.ts';
import { type FragmentRef, fragmentName } from './fragment-names.ts';
import type { WindowPlan } from './playback-plan.ts';

export interface ListedSegment {
  readonly name: string;
  readonly wallMs: number;
  readonly durationMs: number;
  readonly init: string;
  readonly isBreak: boolean;
}

/** Oldest first, each from one keyframe to before the next; `prefix` begins its names. */
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
        // Frames skipped by a busy machine are inside a segment: no gap follows.
        durationMs: Math.max((segment.durationTicks * 1000) / VIDEO_TIMESCALE, segment.endMs - segment.wallMs),
        init: `${prefix}${init}`,
        isBreak: segment.isBreak,
      };
    });
}

/** A segment as stored, up to the first damaged fragment: with clock boxes, the file's decode times, and its audio. Throws RangeError if nothing is left. */
export async function readStoredSegment(
  media: RecordedMedia,
  index: FileIndex,
  ref: FragmentRef,
  /** Wall clock at which the last record is cut, ms. */
  cutMs: number | null = null,
): Promise<Buffer> {
  const { records, bytes } = await readProven(media, index, ref, true);
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last) throw new RangeError('no such records');
  // Damage ended it earlier: nothing to cut.
  if (cutMs === null || recordEndMs(last) <= cutMs) return bytes;
  const { audioRate } = index.header;
  const at = last.offset - first.offset;
  return Buffer.concat([bytes.subarray(0, at), cutRecord(bytes.subarray(at), last, { cutMs, audioRate })]);
}

/** The clock box and a fragment of one frame. Throws RangeError if the record has no keyframe. */
export async function readKeyframe(media: RecordedMedia, index: FileIndex, ref: FragmentRef): Promise<Buffer> {
  const record = index.records[ref.firstRecord];
  if (!record || !(record.flags & RECORD_FLAG.key)) throw new RangeError('no key picture there');
  // The whole video part, since its checksum covers all of it.
  const { bytes } = await readProven(media, index, { ...ref, count: 1 }, false);
  const [run] = readFragment(bytes, CLOCK_BOX_BYTES);
  const sample = run?.samples[0];
  if (!run || !sample?.isKey) throw new RangeError('no key picture there');
  const end = CLOCK_BOX_BYTES + sample.offset + sample.size;
  if (end > bytes.length) throw new RangeError('a picture that leaves its fragment');
  const picture = bytes.subarray(CLOCK_BOX_BYTES + sample.offset, end);
  const header = writeFragmentHeader(1, [{ trackId: run.trackId, baseDts: run.baseDts, samples: [sample] }]);
  return Buffer.concat([bytes.subarray(0, CLOCK_BOX_BYTES), header, picture]);
}
