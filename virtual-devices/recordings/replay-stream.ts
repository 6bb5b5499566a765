// The recording of one PLAY request, frame by frame, as packets ready for the wire.

import { packetiseH264 } from '@vedette/protocols/rtp/packetise-video.ts';
import type { CameraVideo } from '../scene/camera-video.ts';
import { PAYLOAD_TYPES } from '../stream/stream-format.ts';
import { TrackWriter } from '@vedette/protocols/rtsp/track-writer.ts';
import { joinNals } from '../stream/join-nals.ts';
import { FIRST_SEQUENCE, REPLAY_GOP_MS, FRAME_MS, rtpTimeOf } from './generator-messages.ts';
import { recordedSpans, type Span } from './recorded-pattern.ts';

export interface ReplayStreamOptions {
  readonly range: Span;
  readonly video: CameraVideo;
  readonly seed: number;
}

export class ReplayStream {
  readonly #options: ReplayStreamOptions;
  readonly #writer: TrackWriter;
  readonly #spans: readonly Span[];
  #span = 0;
  #at = 0;
  #counter = 0;
  #isDiscontinuity = false;

  constructor(options: ReplayStreamOptions) {
    this.#options = options;
    this.#writer = new TrackWriter({
      track: 0,
      payloadType: PAYLOAD_TYPES.h264,
      ssrc: (options.seed * 2654435761) >>> 0,
      firstSequence: FIRST_SEQUENCE,
    });
    this.#spans = recordedSpans(options.seed, options.range).map((span) => ({
      // Decoding starts at a keyframe: the one at or before the asked instant.
      from: Math.max(span.from, Math.floor(options.range.from / REPLAY_GOP_MS) * REPLAY_GOP_MS),
      to: Math.min(span.to, options.range.to),
    }));
    this.#at = this.#spans[0]?.from ?? 0;
  }

  get isOver(): boolean {
    return this.#span >= this.#spans.length;
  }

  /** The wall clock of the next picture. */
  get at(): number {
    return this.#at;
  }

  /** Frames of the next picture, and of the report that goes ahead of it; none when it is over. */
  next(): Buffer[] {
    const span = this.#spans[this.#span];
    if (span === undefined) return [];
    const at = this.#at;
    const isKey = at === span.from || at % REPLAY_GOP_MS === 0;
    const isLast = at + FRAME_MS >= span.to;
    const nals = this.#options.video.picture(at, this.#counter++, isKey);
    const isTerminal = isLast && this.#span + 1 === this.#spans.length;
    const mark = { wallMs: at, isKey, isEnd: isLast, isDiscontinuity: this.#isDiscontinuity, isTerminal };
    const frames = [this.#writer.frames(packetiseH264(joinNals(nals)), rtpTimeOf(at), mark)];
    if (this.#counter === 1 || this.#isDiscontinuity) frames.unshift(this.#writer.senderReport(at, rtpTimeOf(at)));
    this.#isDiscontinuity = isLast;
    this.#at += FRAME_MS;
    if (isLast) {
      this.#span++;
      this.#at = this.#spans[this.#span]?.from ?? this.#at;
    }
    return frames;
  }

  /** Tells that nothing follows. */
  bye(): Buffer {
    return this.#writer.bye();
  }
}
