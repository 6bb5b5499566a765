// A live stream transcoded to H.264 for viewers that cannot decode it: video through ffmpeg, audio unchanged, while somebody watches.
import { h264CodecString } from '@vedette/protocols/h264/sps.ts';
import { parseAvcC } from '@vedette/protocols/h264/avcc.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { MediaSource } from '../stream/source.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { LiveFragment, LiveInit } from '../stream/live-fragment.ts';
import type { AudioFormat, SourceState, StreamConsumer, VideoFormat } from '../stream/stream.ts';
import { Mp4Error } from '@vedette/protocols/mp4/box-reader.ts';
import { FragmentReader } from './fragment-reader.ts';
import type { StartFfmpeg, FfmpegProcess } from './ffmpeg-process.ts';
import { FollowedStream, type FollowedStreamOptions } from './followed-stream.ts';
import { TRANSCODE_TIMESCALE, transcodeArguments } from './transcode-arguments.ts';

export interface TranscodeSourceOptions extends FollowedStreamOptions {
  readonly clock: Clock;
  readonly start: StartFfmpeg;
  readonly maxHeight: number;
  readonly onClosed: () => void;
}

/** Delay before restarting a process that failed. */
const RESTART_MS = 500;
/** If more waits, the machine is too slow: the rest of the GOP is skipped. */
const UNREAD_MAX_BYTES = 4 * 1024 * 1024;
const TICKS_PER_MS = TRANSCODE_TIMESCALE / 1000;

export class TranscodeSource implements MediaSource {
  readonly counters = createSourceCounters();
  readonly server = null;
  readonly #options: TranscodeSourceOptions;
  readonly #consumer: StreamConsumer;
  readonly #source: FollowedStream;
  #cancelRestart: () => void = () => undefined;
  #tool: FfmpegProcess | null = null;
  #input: LiveInit | null = null;
  /** Skipping until the next keyframe. */
  #waitsForKeyframe = true;
  /** Capture time of the first frame given to this process, ms. */
  #firstWallMs = 0;

  constructor(options: TranscodeSourceOptions, consumer: StreamConsumer) {
    this.#options = options;
    this.#consumer = consumer;
    this.#source = new FollowedStream(options, (stream) => this.#follow(stream));
  }

  retryNow(): void {
    this.#source.stream.retryNow();
  }

  async close(): Promise<void> {
    if (!this.#source.close()) return;
    this.#cancelRestart();
    this.#tool?.kill();
    this.#consumer.state({ state: 'closed' });
    this.#options.onClosed();
  }

  #follow(stream: FollowedStream['stream']): () => void {
    const leaveViewer = stream.addViewer({
      init: (init) => this.#changed(init),
      fragment: (fragment) => this.#frame(fragment),
      state: (state) => this.#told(state),
    });
    const leaveConsumer = stream.addConsumer({
      format: () => undefined,
      accessUnit: (unit) => {
        if (unit.track === 'audio' && this.counters.videoUnits > 0) this.#consumer.accessUnit(unit);
      },
      discontinuity: () => undefined,
      state: () => undefined,
    });
    // The cached GOP shows a frame at once.
    for (const fragment of stream.gop()) this.#frame(fragment);
    return () => {
      leaveViewer();
      leaveConsumer();
    };
  }

  #told(state: SourceState): void {
    if (state.state === 'playing' || state.state === 'closed') return;
    this.#consumer.state(state);
  }

  #changed(init: LiveInit): void {
    this.#input = init;
    this.counters.formatChanges += 1;
    this.#tool?.kill();
    this.#begin();
  }

  #begin(): void {
    const { start, maxHeight } = this.#options;
    if (this.#source.isClosed || !this.#input?.video) return;
    const tool = start(transcodeArguments(maxHeight));
    this.#tool = tool;
    this.#waitsForKeyframe = true;
    this.#firstWallMs = 0;
    this.counters.attempts += 1;
    const reader = new FragmentReader({
      init: (bytes) => this.#format(bytes),
      sample: ({ data, isKey, dts, ctsOffset }) => {
        this.counters.videoUnits += 1;
        if (isKey) this.counters.keyUnits += 1;
        const wallMs = this.#firstWallMs + dts / TICKS_PER_MS;
        this.#consumer.accessUnit({ track: 'video', data, isKey, dts, ctsOffset, wallMs });
      },
    });
    tool.output.on('data', (bytes: Buffer) => {
      if (this.#tool === tool) read(tool, reader, bytes);
    });
    tool.input.write(this.#input.video);
    void tool.ended.then(() => {
      if (this.#tool !== tool || this.#source.isClosed) return;
      this.#tool = null;
      const retryAt = this.#options.clock.wallMs() + RESTART_MS;
      this.#consumer.state({ state: 'failed', reason: 'unsupported-codec', retryAt });
      this.#cancelRestart = this.#options.clock.after(RESTART_MS, () => this.#begin());
    });
  }

  #frame({ kind, bytes, isKey, wallMs }: LiveFragment): void {
    const tool = this.#tool;
    if (kind !== 'video' || !tool) return;
    if (tool.input.writableLength > UNREAD_MAX_BYTES) this.#waitsForKeyframe = true;
    if (this.#waitsForKeyframe && !isKey) {
      this.counters.unitsAwaitingKey += 1;
      return;
    }
    if (this.#waitsForKeyframe && this.#firstWallMs === 0) this.#firstWallMs = wallMs;
    this.#waitsForKeyframe = false;
    tool.input.write(bytes);
  }

  #format(init: Buffer): void {
    const track = readInitSegment(init).find(({ kind }) => kind === 'video');
    const [sps] = track ? parseAvcC(track.config).sps : [];
    if (!track || !sps) return;
    const { width, height, config } = track;
    const codecString = h264CodecString(sps);
    const video: VideoFormat = { codec: 'h264', codecString, width, height, config: Buffer.from(config) };
    const audio: AudioFormat | null = this.#input?.format.audio ?? null;
    this.counters.connections += 1;
    this.#consumer.format({ video, audio });
    this.#consumer.discontinuity('connected');
    this.#consumer.state({ state: 'playing', since: this.#options.clock.wallMs() });
  }
}

/** Invalid output: the process is killed. */
function read(tool: FfmpegProcess, reader: FragmentReader, bytes: Buffer): void {
  try {
    reader.push(bytes);
  } catch (error) {
    if (!(error instanceof Mp4Error)) throw error;
    tool.kill();
  }
}
