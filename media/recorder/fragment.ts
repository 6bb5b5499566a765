// A fragment as the recorder holds it: frames and their audio on the timeline of a run.
import { createHash } from 'node:crypto';
import type { Mp4Sample } from '@vedette/protocols/mp4/fragment.ts';
import { type Mp4Track, writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import type { Slab } from '@vedette/protocols/rtp/slab-pool.ts';
import type { RecordedAudio } from '../recordings/index-record.ts';
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import type { MediaFormat } from '../stream/stream.ts';

export const VIDEO_TRACK_ID = 1;
export const AUDIO_TRACK_ID = 2;

/** A run: part of a stream with one format and time line; files of one run play without a break. */
export interface Run {
  readonly id: number;
  /** ftyp + moov, the same bytes for the same format. */
  readonly init: Buffer;
  readonly initHash: string;
  readonly audio: RecordedAudio;
  readonly audioRate: number;
}

export interface FragmentPart {
  /** Decode time of the first sample on the time line of the run, in ticks of the track. */
  readonly startTicks: number;
  readonly samples: readonly Mp4Sample[];
  /** Buffers with their bytes, in order. */
  readonly data: readonly Buffer[];
  readonly bytes: number;
}

export interface Fragment {
  readonly run: Run;
  readonly wallMs: number;
  readonly isKey: boolean;
  readonly isDiscontinuity: boolean;
  /** Part of an event recording. */
  readonly isAlarm?: boolean;
  readonly durationTicks: number;
  readonly video: FragmentPart;
  readonly audio: FragmentPart | null;
  /** Monotonic arrival time of the oldest frame: start of the loss window. */
  readonly arrivedMs: number;
  /** Memory of frames and audio, held until `letGo`. */
  readonly slabs: Slab[];
}

export function fragmentBytes(fragment: Fragment): number {
  return fragment.video.bytes + (fragment.audio?.bytes ?? 0);
}

/** Releases the frames. Copies of a fragment share this. */
export function letGo({ slabs }: Fragment): void {
  for (const slab of slabs.splice(0)) slab.release();
}

/** Opus in MP4 uses 48 kHz ticks; here the source's rate is the timescale. */
export function createRun(id: number, format: MediaFormat): Run {
  const { video, audio } = format;
  if (!video) throw new RangeError('a run needs a picture');
  const tracks: Mp4Track[] = [{ kind: 'video', id: VIDEO_TRACK_ID, timescale: VIDEO_TIMESCALE, ...video }];
  if (audio) tracks.push({ kind: 'audio', id: AUDIO_TRACK_ID, timescale: audio.sampleRate, ...audio });
  const bytes = writeInitSegment(tracks);
  const init = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    id,
    init,
    initHash: createHash('sha256').update(init).digest('hex').slice(0, 16),
    audio: audio ? (audio.codec === 'aac' || audio.codec === 'opus' ? 'playable' : 'g711') : 'none',
    audioRate: audio?.sampleRate ?? 0,
  };
}
