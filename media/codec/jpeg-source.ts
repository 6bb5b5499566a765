// A live stream as JPEG frames for viewers that decode no video: every keyframe, at most one a second.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { MediaSource } from '../stream/source.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { AccessUnit, MediaFormat, StreamConsumer } from '../stream/stream.ts';
import { type CodecWorker, snapshotSize } from './codec-worker.ts';
import { FollowedStream, type FollowedStreamOptions } from './followed-stream.ts';

export interface JpegSourceOptions extends FollowedStreamOptions {
  readonly clock: Clock;
  readonly codec: CodecWorker;
  readonly maxWidth: number;
}

const EVERY_MS = 1000;
/** Keyframes come a little early or late. */
const EARLY_MS = 100;

export class JpegSource implements MediaSource {
  readonly counters = createSourceCounters();
  readonly server = null;
  readonly #options: JpegSourceOptions;
  readonly #consumer: StreamConsumer;
  readonly #source: FollowedStream;
  readonly #closing = new AbortController();
  #format: MediaFormat | null = null;
  #isDecoding = false;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(options: JpegSourceOptions, consumer: StreamConsumer) {
    this.#options = options;
    this.#consumer = consumer;
    this.#source = new FollowedStream(options, (stream) => this.#follow(stream));
  }

  retryNow(): void {
    this.#source.stream.retryNow();
  }

  async close(): Promise<void> {
    if (!this.#source.close()) return;
    this.#closing.abort();
    this.#consumer.state({ state: 'closed' });
  }

  #follow(stream: FollowedStream['stream']): () => unknown {
    const leave = stream.addConsumer({
      format: (format) => this.#changed(format),
      accessUnit: (unit) => this.#unit(unit),
      discontinuity: (reason) => this.#consumer.discontinuity(reason),
      state: (state) => {
        if (state.state !== 'closed') this.#consumer.state(state);
      },
    });
    const newest = stream.latestKeyframe();
    if (newest) this.#unit(newest.unit);
    return leave;
  }

  #changed(format: MediaFormat): void {
    this.#format = format;
    if (!format.video) return;
    const size = snapshotSize(format.video, this.#options.maxWidth);
    this.counters.formatChanges += 1;
    this.#consumer.format({
      video: { codec: 'mjpeg', codecString: 'mjpeg', ...size, config: Buffer.alloc(0) },
      audio: null,
    });
  }

  #unit(unit: AccessUnit): void {
    const video = this.#format?.video;
    const now = this.#options.clock.monotonicMs();
    const isDue = now - this.#lastMs >= EVERY_MS - EARLY_MS;
    if (!video || video.codec === 'mjpeg' || !isDue || this.#isDecoding) return;
    if (unit.track !== 'video' || !unit.isKey) return;
    this.#lastMs = now;
    this.#isDecoding = true;
    const { codec, maxWidth } = this.#options;
    const format = { ...video, codec: video.codec };
    codec.snapshot({ format, data: unit.data }, maxWidth, this.#closing.signal).then(
      (data) => this.#decoded(unit, data),
      // Shows the previous frame until the next keyframe, which may be decodable.
      () => this.#failed(),
    );
  }

  #decoded({ dts, wallMs }: AccessUnit, data: Buffer): void {
    this.#isDecoding = false;
    if (this.#closing.signal.aborted) return;
    this.counters.videoUnits += 1;
    this.counters.keyUnits += 1;
    this.#consumer.accessUnit({ track: 'video', data, isKey: true, dts, ctsOffset: 0, wallMs });
  }

  #failed(): void {
    this.#isDecoding = false;
    this.counters.damagedUnits += 1;
  }
}
