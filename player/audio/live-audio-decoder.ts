// Decodes live audio to samples: G.711 by its table, AAC and Opus by WebCodecs.
import type { LiveAudioFormat } from '@vedette/contract/media-wire.ts';
import { decodeG711 } from '@vedette/protocols/g711/g711.ts';
import { readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { readAudioSpecificConfig } from '@vedette/protocols/mp4/esds-reader.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import type { LiveMedia } from '../transports/live-message.ts';

export interface DecodedAudio {
  /** Wall clock of capture of the first sample, ms. */
  readonly wallMs: number;
  readonly rate: number;
  readonly channels: readonly Float32Array<ArrayBuffer>[];
}

export interface LiveAudioDecoder {
  push(media: LiveMedia): void;
  close(): void;
}

export interface LiveAudioDecoderOptions {
  readonly format: LiveAudioFormat;
  readonly onAudio: (sound: DecodedAudio) => void;
  readonly onFault: (message: string) => void;
}

/** Whether this browser decodes the format without MSE. */
export async function canDecodeAudio({ codec, codecString, sampleRate, channels }: LiveAudioFormat): Promise<boolean> {
  if (codec === 'pcma' || codec === 'pcmu') return true;
  if (!('AudioDecoder' in globalThis)) return false;
  const config = { codec: codecString, sampleRate, numberOfChannels: channels };
  return (await AudioDecoder.isConfigSupported(config)).supported ?? false;
}

export function openLiveAudioDecoder(options: LiveAudioDecoderOptions): LiveAudioDecoder {
  const { codec, sampleRate: rate } = options.format;
  if (codec !== 'pcma' && codec !== 'pcmu') return new FrameDecoder(options);
  return {
    push: ({ kind, payload, wallMs }) => {
      if (kind !== 'audioRaw') return;
      const channels = [Float32Array.from(decodeG711(codec, payload), (sample) => sample / 32_768)];
      options.onAudio({ wallMs, rate, channels });
    },
    close: () => undefined,
  };
}

const MICROSECONDS = 1e6;

/** AAC and Opus: one frame per fragment. */
class FrameDecoder implements LiveAudioDecoder {
  readonly #options: LiveAudioDecoderOptions;
  /** Capture time minus media time of the newest frame, ms: decoders may shift timestamps by their delay. */
  #wallOffsetMs = 0;
  #decoder: AudioDecoder | null = null;
  #timescale = 48_000;

  constructor(options: LiveAudioDecoderOptions) {
    this.#options = options;
  }

  push(media: LiveMedia): void {
    if (media.kind === 'audioInit') this.#configure(media.payload);
    else if (media.kind === 'audioFragment') this.#decode(media);
  }

  close(): void {
    if (this.#decoder && this.#decoder.state !== 'closed') this.#decoder.close();
    this.#decoder = null;
  }

  #configure(init: Uint8Array): void {
    const track = readInitSegment(init).find(({ kind }) => kind === 'audio');
    if (!track) return this.#options.onFault('an init segment without sound');
    const { codec, codecString, sampleRate, channels } = this.#options.format;
    this.#timescale = track.timescale;
    this.close();
    this.#decoder = new AudioDecoder({
      output: (data) => this.#output(data),
      error: (error) => this.#options.onFault(error.message),
    });
    const description = codec === 'aac' ? readAudioSpecificConfig(track.config) : null;
    const config = { codec: codecString, sampleRate, numberOfChannels: channels };
    this.#decoder.configure(description ? { ...config, description } : config);
  }

  #decode({ payload, wallMs }: LiveMedia): void {
    if (this.#decoder?.state !== 'configured') return;
    const [run] = readFragment(payload, 0);
    const [sample] = run?.samples ?? [];
    if (!run || !sample) return;
    const seconds = run.baseDts / this.#timescale;
    this.#wallOffsetMs = wallMs - seconds * 1000;
    const data = payload.subarray(sample.offset, sample.offset + sample.size);
    this.#decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: Math.round(seconds * MICROSECONDS), data }));
  }

  #output(data: AudioData): void {
    const channels = Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
      const samples = new Float32Array(data.numberOfFrames);
      data.copyTo(samples, { planeIndex, format: 'f32-planar' });
      return samples;
    });
    const wallMs = data.timestamp / 1000 + this.#wallOffsetMs;
    this.#options.onAudio({ wallMs, rate: data.sampleRate, channels });
    data.close();
  }
}
