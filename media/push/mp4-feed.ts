// Turns the units of a stream into fragmented MP4 for one program that reads it from a pipe, from the newest keyframe on.
import { SAMPLE_HEADER_BYTES, SampleFragmentWriter } from '@vedette/protocols/mp4/fragment.ts';
import { writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import type { AccessUnit, AudioFormat, MediaFormat, StreamConsumer, VideoFormat } from '../stream/stream.ts';
import { PushTimeline } from './push-timeline.ts';

export interface Mp4FeedOptions {
  readonly write: (bytes: Buffer) => void;
  /** What the program has not read yet. */
  readonly queuedBytes: () => number;
  /** The program knows one pair of formats. */
  readonly onOtherFormat: () => void;
}

/** With more waiting, nothing is written until the next keyframe. */
const QUEUE_LIMIT_BYTES = 2 * 1024 * 1024;
const TRACK_ID = { video: 1, audio: 2 } as const;
/** All times are those of the push, in milliseconds. */
const TIMESCALE = 1000;
const VIDEO_TICKS_PER_MS = 90;
/** Only the times of fragments count. */
const GUESSED_DURATION = 40;

export class Mp4Feed implements StreamConsumer {
  /** Fragments are copies. */
  readonly holdsSlabs = true;
  readonly #options: Mp4FeedOptions;
  readonly #timeline = new PushTimeline();
  readonly #writers = {
    video: new SampleFragmentWriter(TRACK_ID.video),
    audio: new SampleFragmentWriter(TRACK_ID.audio),
  };
  #audio: AudioFormat | null = null;
  #hasBegun = false;
  #awaitsKeyframe = true;

  constructor(options: Mp4FeedOptions) {
    this.#options = options;
  }

  format({ video, audio }: MediaFormat): void {
    if (this.#hasBegun || video === null) return this.#options.onOtherFormat();
    this.#hasBegun = true;
    this.#audio = muxableAudio(audio);
    const common = { timescale: TIMESCALE } as const;
    const tracks = [{ kind: 'video', id: TRACK_ID.video, ...common, ...video } as const];
    const sounds = this.#audio && [{ kind: 'audio', id: TRACK_ID.audio, ...common, ...this.#audio } as const];
    this.#options.write(Buffer.from(writeInitSegment([...tracks, ...(sounds ?? [])])));
  }

  accessUnit(unit: AccessUnit): void {
    if (!this.#hasBegun) return;
    if (this.#options.queuedBytes() > QUEUE_LIMIT_BYTES) this.#awaitsKeyframe = true;
    else if (unit.track === 'video' && unit.isKey) this.#awaitsKeyframe = false;
    if (this.#awaitsKeyframe || (unit.track === 'audio' && this.#audio === null)) return;
    const dts = this.#timeline.at(unit, this.#audio?.sampleRate ?? TIMESCALE);
    const ctsOffset = unit.track === 'video' ? Math.round(unit.ctsOffset / VIDEO_TICKS_PER_MS) : 0;
    const bytes = Buffer.allocUnsafe(SAMPLE_HEADER_BYTES + unit.data.length);
    const sample = { data: unit.data, dts, ctsOffset, isKey: unit.isKey };
    this.#writers[unit.track].write(bytes, 0, sample, GUESSED_DURATION);
    unit.data.copy(bytes, SAMPLE_HEADER_BYTES);
    this.#options.write(bytes);
  }

  discontinuity(): void {
    this.#timeline.break();
    this.#awaitsKeyframe = true;
  }

  state(): void {
    // Whoever holds the stream looks at its state.
  }
}

/** MPEG-TS has a place for every H.26x, and none for Motion JPEG. */
export function muxableVideo(video: VideoFormat | null): boolean {
  return video !== null && video.codec !== 'mjpeg';
}

/** G.711 comes as AAC where there is an ffmpeg, without which there is no SRT either. */
function muxableAudio(audio: AudioFormat | null): AudioFormat | null {
  return audio !== null && (audio.codec === 'aac' || audio.codec === 'opus') ? audio : null;
}
