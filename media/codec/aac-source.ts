// A live stream for viewers that take no G.711, which no browser plays from HLS: its audio as AAC, its video unchanged.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { MediaSource } from '../stream/source.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { AccessUnit, AudioFormat, MediaFormat, StreamConsumer } from '../stream/stream.ts';
import { aacFormat, type G711Format } from './aac-arguments.ts';
import { AacEncoder } from './aac-encoder.ts';
import type { StartFfmpeg } from './ffmpeg-process.ts';
import { FollowedStream, type FollowedStreamOptions } from './followed-stream.ts';

export interface AacSourceOptions extends FollowedStreamOptions {
  readonly clock: Clock;
  readonly start: StartFfmpeg;
}

/** Delay before restarting a process that failed. */
const RESTART_MS = 500;

export class AacSource implements MediaSource {
  readonly counters = createSourceCounters();
  readonly server = null;
  readonly #options: AacSourceOptions;
  readonly #consumer: StreamConsumer;
  readonly #source: FollowedStream;
  #cancelRestart: () => void = () => undefined;
  /** G.711 of the source; null where its audio goes through unchanged. */
  #audio: G711Format | null = null;
  #encoder: AacEncoder | null = null;

  constructor(options: AacSourceOptions, consumer: StreamConsumer) {
    this.#options = options;
    this.#consumer = consumer;
    this.#source = new FollowedStream(options, (stream) => this.#follow(stream));
  }

  retryNow(): void {
    this.#source.stream.retryNow();
  }

  requestKeyframe(): void {
    this.#source.stream.requestKeyframe();
  }

  async close(): Promise<void> {
    if (!this.#source.close()) return;
    this.#stop();
    this.#consumer.state({ state: 'closed' });
  }

  #follow(stream: FollowedStream['stream']): () => void {
    return stream.addConsumer({
      format: (format) => this.#format(format),
      accessUnit: (unit) => this.#unit(unit),
      discontinuity: (reason) => {
        this.#stop();
        this.#consumer.discontinuity(reason);
      },
      state: (state) => {
        if (state.state !== 'closed') this.#consumer.state(state);
      },
    });
  }

  #format(format: MediaFormat): void {
    this.#stop();
    const { audio } = format;
    this.#audio = isG711(audio) ? audio : null;
    this.counters.formatChanges += 1;
    this.#consumer.format(this.#audio === null ? format : { ...format, audio: aacFormat(this.#audio.channels) });
  }

  #unit(unit: AccessUnit): void {
    if (unit.track === 'video') this.counters.videoUnits += 1;
    if (unit.track === 'audio' && this.#audio !== null) this.#encode(unit, this.#audio);
    else this.#consumer.accessUnit(unit);
  }

  #encode(unit: AccessUnit, audio: G711Format): void {
    if (this.#encoder?.push(unit) === false) this.#stop();
    if (this.#encoder !== null) return;
    const encoder = new AacEncoder({
      start: this.#options.start,
      audio,
      onFrame: (frame) => {
        if (this.#encoder !== encoder) return;
        this.counters.audioUnits += 1;
        this.#consumer.accessUnit({ track: 'audio', isKey: true, ctsOffset: 0, ...frame });
      },
    });
    this.#encoder = encoder;
    encoder.push(unit);
    void encoder.ended.then(() => {
      if (this.#encoder !== encoder) return;
      // The next unit begins another one.
      this.#cancelRestart = this.#options.clock.after(RESTART_MS, () => this.#stop());
    });
  }

  #stop(): void {
    this.#cancelRestart();
    this.#encoder?.close();
    this.#encoder = null;
  }
}

function isG711(audio: AudioFormat | null): audio is AudioFormat & G711Format {
  return audio?.codec === 'pcma' || audio?.codec === 'pcmu';
}
