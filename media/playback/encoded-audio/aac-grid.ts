// The AAC frames of a run of recordings: frame `n` begins `n` × 1024 samples of 16 kHz after the start of the run.
import { SILENT_AAC_FRAME } from '@vedette/protocols/aac/silent-frame.ts';
import { writeFragmentHeader } from '@vedette/protocols/mp4/fragment.ts';
import { AAC_FRAME_SAMPLES, AAC_SAMPLE_RATE } from '../../codec/aac-arguments.ts';
import { VIDEO_TIMESCALE } from '../../recordings/index-record.ts';
import { AUDIO_TRACK_ID } from './hls-init.ts';

const FRAME_TICKS = (AAC_FRAME_SAMPLES * VIDEO_TIMESCALE) / AAC_SAMPLE_RATE;

/** Part of the time line of a run, in video ticks. */
export interface RunSpan {
  readonly fromTicks: number;
  readonly toTicks: number;
}

export interface FrameRange {
  readonly first: number;
  /** The first one after them. */
  readonly end: number;
}

export interface NumberedFrames {
  readonly first: number;
  readonly frames: readonly Uint8Array[];
}

/** Frames that begin within the span: of spans that follow each other each frame is in one. None of them holds audio from `cutTicks` on. */
export function frameRange({ fromTicks, toTicks }: RunSpan, cutTicks = Number.POSITIVE_INFINITY): FrameRange {
  const first = Math.ceil(fromTicks / FRAME_TICKS);
  // A frame overlaps the next one.
  const end = Math.min(Math.ceil(toTicks / FRAME_TICKS), Math.floor(cutTicks / FRAME_TICKS) - 1);
  return { first, end: Math.max(first, end) };
}

export function spanOf({ first, end }: FrameRange): RunSpan {
  return { fromTicks: first * FRAME_TICKS, toTicks: end * FRAME_TICKS };
}

export function silentFrames({ first, end }: FrameRange): NumberedFrames {
  return { first, frames: new Array<Uint8Array>(end - first).fill(SILENT_AAC_FRAME) };
}

/** moof and mdat of the audio track; `shiftTicks` from the time line of the run to that of the playlist, in video ticks. */
export function writeAacFragment({ first, frames }: NumberedFrames, shiftTicks: number): Buffer {
  if (frames.length === 0) return Buffer.alloc(0);
  const shift = Math.round((shiftTicks * AAC_SAMPLE_RATE) / VIDEO_TIMESCALE);
  const baseDts = first * AAC_FRAME_SAMPLES + shift;
  const samples = frames.map(({ length }) => ({
    size: length,
    duration: AAC_FRAME_SAMPLES,
    isKey: true,
    ctsOffset: 0,
  }));
  return Buffer.concat([writeFragmentHeader(1, [{ trackId: AUDIO_TRACK_ID, baseDts, samples }]), ...frames]);
}
