// Live streams in other codecs for viewers that need them: one per stream however many viewers, none without ffmpeg.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { OpenSource } from '../stream/source.ts';
import type { StreamHub } from '../stream/hub.ts';
import type { CodecWorker } from './codec-worker.ts';
import { AacSource } from './aac-source.ts';
import { JpegSource } from './jpeg-source.ts';
import type { StartFfmpeg } from './ffmpeg-process.ts';
import { TranscodeSource } from './transcode-source.ts';

export interface TranscoderOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  /** Null without ffmpeg. */
  readonly start: StartFfmpeg | null;
  /** Parallel transcodes: each takes about a seventh of a core. */
  readonly atOnce: number;
  readonly codec: CodecWorker;
}

export interface TranscodedStream {
  readonly streamKey: string;
  readonly open: OpenSource;
  /** Unwatched transcodes end sooner than connections. */
  readonly lingerMs: number;
}

const LINGER_MS = 10_000;
const JPEG_WIDTH = 640;

export class Transcoder {
  readonly #options: TranscoderOptions;
  readonly #running = new Set<TranscodeSource>();

  constructor(options: TranscoderOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }

  /** `missing`: no ffmpeg (1006). `busy`: the limit is reached (1012). */
  stream(from: Pick<TranscodedStream, 'streamKey' | 'open'>, maxHeight: number): TranscodedStream | 'missing' | 'busy' {
    const { start, hub, clock, atOnce } = this.#options;
    if (!start) return 'missing';
    const streamKey = `${from.streamKey}/h264-${maxHeight}`;
    if (!hub.stream(streamKey) && this.#running.size >= atOnce) return 'busy';
    const open: OpenSource = (consumer) => {
      const onClosed = (): void => void this.#running.delete(source);
      const source = new TranscodeSource({ hub, clock, start, ...from, maxHeight, onClosed }, consumer);
      this.#running.add(source);
      return source;
    };
    return { streamKey, open, lingerMs: LINGER_MS };
  }

  /** The stream with AAC in place of G.711 for viewers that take no G.711; itself without ffmpeg. Audio costs too little to be limited. */
  playableAudio(from: Pick<TranscodedStream, 'streamKey' | 'open'>): Pick<TranscodedStream, 'streamKey' | 'open'> {
    const { start, hub, clock } = this.#options;
    if (!start) return from;
    return {
      streamKey: `${from.streamKey}/aac`,
      open: (consumer) => new AacSource({ hub, clock, start, ...from }, consumer),
    };
  }

  /** JPEG frames for viewers without video decoding: one frame per second, so not limited. */
  jpeg(from: Pick<TranscodedStream, 'streamKey' | 'open'>): TranscodedStream | 'missing' {
    const { hub, clock, codec } = this.#options;
    if (!codec.isAvailable) return 'missing';
    const open: OpenSource = (consumer) =>
      new JpegSource({ hub, clock, codec, ...from, maxWidth: JPEG_WIDTH }, consumer);
    return { streamKey: `${from.streamKey}/jpeg`, open, lingerMs: LINGER_MS };
  }
}
