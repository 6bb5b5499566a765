// Lays a fragment out as bytes: clock box, video part, then audio part, so that a reader may skip the audio.
import { crc32 } from 'node:zlib';
import { writeFragmentHeader } from '@vedette/protocols/mp4/fragment.ts';
import { CLOCK_BOX_BYTES, writeClockBox } from '../recordings/file-boxes.ts';
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import { AUDIO_TRACK_ID, type Fragment, type FragmentPart, VIDEO_TRACK_ID } from './fragment.ts';

/** Offset of decode times, so that audio may start slightly before the first frame of its file. */
export const AUDIO_LEAD_TICKS = VIDEO_TIMESCALE / 2;

export interface FragmentBytes {
  /** Buffers for one writev; samples are not copied. */
  readonly buffers: readonly Uint8Array[];
  readonly videoBytes: number;
  readonly totalBytes: number;
  /** CRC-32 of each part. */
  readonly videoCrc: number;
  readonly audioCrc: number;
}

/** `baseTicks`: place on the run's time line that becomes decode time 0. `sequence`: number of the video part; the audio part has the next. */
export function layOutFragment(fragment: Fragment, baseTicks: number, sequence: number): FragmentBytes {
  const { video, audio, run } = fragment;
  const mediaTicks = video.startTicks - baseTicks;
  const buffers: Uint8Array[] = [writeClockBox(fragment.wallMs, mediaTicks)];
  const videoBytes =
    CLOCK_BOX_BYTES + addPart(buffers, video, { trackId: VIDEO_TRACK_ID, baseDts: mediaTicks, sequence });
  const videoCrc = checksum(buffers);
  if (!audio) return { buffers, videoBytes, totalBytes: videoBytes, videoCrc, audioCrc: 0 };
  const videoBuffers = buffers.length;
  const base = Math.round((baseTicks * run.audioRate) / VIDEO_TIMESCALE);
  const baseDts = Math.max(0, audio.startTicks - base);
  const audioBytes = addPart(buffers, audio, { trackId: AUDIO_TRACK_ID, baseDts, sequence: sequence + 1 });
  const audioCrc = checksum(buffers.slice(videoBuffers));
  return { buffers, videoBytes, totalBytes: videoBytes + audioBytes, videoCrc, audioCrc };
}

/** Computed from memory before the write, so that damage by the disk is detected too. */
function checksum(buffers: readonly Uint8Array[]): number {
  let sum = 0;
  for (const buffer of buffers) sum = crc32(buffer, sum);
  return sum;
}

interface PartHead {
  readonly trackId: number;
  readonly baseDts: number;
  readonly sequence: number;
}

function addPart(buffers: Uint8Array[], part: FragmentPart, { trackId, baseDts, sequence }: PartHead): number {
  const { samples, data, bytes } = part;
  const header = writeFragmentHeader(sequence, [{ trackId, baseDts, samples }]);
  buffers.push(header);
  for (const piece of data) buffers.push(piece);
  return header.length + bytes;
}
