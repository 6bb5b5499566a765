// Trims the end of a stored fragment: frames and audio after an instant are left out of a copy.
import { readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { writeFragmentHeader } from '@vedette/protocols/mp4/fragment.ts';
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { type IndexRecord, VIDEO_TIMESCALE } from '../recordings/index-record.ts';

export interface RecordCut {
  /** Wall clock of the first instant to leave out, ms. */
  readonly cutMs: number;
  /** Ticks per second of the audio track; 0 without audio. */
  readonly audioRate: number;
}

/** `bytes`: the record with its clock box, video and audio. */
export function cutRecord(bytes: Buffer, { wallMs, videoBytes }: IndexRecord, { cutMs, audioRate }: RecordCut): Buffer {
  const begin = readFragment(bytes, CLOCK_BOX_BYTES)[0]?.baseDts ?? 0;
  const untilS = begin / VIDEO_TIMESCALE + (cutMs - wallMs) / 1000;
  const parts = [bytes.subarray(0, CLOCK_BOX_BYTES), cutRun(bytes, CLOCK_BOX_BYTES, VIDEO_TIMESCALE, untilS)];
  if (audioRate > 0 && bytes.length > videoBytes) parts.push(cutRun(bytes, videoBytes, audioRate, untilS));
  return Buffer.concat(parts);
}

/** Rebuilds a fragment of the samples that are decoded before `untilS`; empty if there are none. */
function cutRun(bytes: Buffer, at: number, timescale: number, untilS: number): Buffer {
  const [run] = readFragment(bytes, at);
  if (!run) throw new RangeError('no fragment there');
  let ticks = run.baseDts;
  const kept = run.samples.filter(({ duration }) => {
    const isBefore = ticks / timescale < untilS;
    ticks += duration;
    return isBefore;
  });
  const [first, last] = [kept[0], kept.at(-1)];
  if (!first || !last) return Buffer.alloc(0);
  const { trackId, baseDts } = run;
  const header = writeFragmentHeader(1, [{ trackId, baseDts, samples: kept }]);
  return Buffer.concat([header, bytes.subarray(at + first.offset, at + last.offset + last.size)]);
}
