// Encodes the G.711 audio of one stream to AAC with ffmpeg, and keeps the capture time of what it encodes.
import { encodeG711 } from '@vedette/protocols/g711/g711.ts';
import { Mp4Error } from '@vedette/protocols/mp4/box-reader.ts';
import type { AccessUnit } from '../stream/stream.ts';
import { AAC_FRAME_SAMPLES, AAC_SAMPLE_RATE, aacArguments, type G711Format } from './aac-arguments.ts';
import type { FfmpegProcess, StartFfmpeg } from './ffmpeg-process.ts';
import { FragmentReader } from './fragment-reader.ts';

/** A longer gap is not filled with silence: the encoder is begun anew. */
const SILENCE_MAX_S = 2;
/** If more waits, the machine is too slow: what comes is left out, and silence stands for it. */
const UNREAD_MAX_BYTES = 64 * 1024;

export interface AacEncoderOptions {
  readonly start: StartFfmpeg;
  readonly audio: G711Format;
  /** One AAC frame; `dts` in ticks of AAC_SAMPLE_RATE on the time line of the input. */
  readonly onFrame: (frame: Pick<AccessUnit, 'data' | 'dts' | 'wallMs'>) => void;
}

export class AacEncoder {
  readonly #options: AacEncoderOptions;
  readonly #process: FfmpegProcess;
  readonly #silence: number;
  /** Decode time of the first and of the next sample, in ticks of the input. */
  #firstDts = 0;
  #nextDts: number | null = null;
  /** Decode and capture time of units whose frames are not there yet, the oldest first. */
  readonly #times: { readonly dts: number; readonly wallMs: number }[] = [];
  #isClosed = false;

  constructor(options: AacEncoderOptions) {
    this.#options = options;
    const { audio } = options;
    this.#silence = encodeG711(audio.codec, Int16Array.of(0))[0] ?? 0;
    this.#process = options.start(aacArguments(audio, audio.channels));
    const reader = new FragmentReader({
      init: () => undefined,
      sample: ({ data, dts }) => this.#frame(data, dts - AAC_FRAME_SAMPLES),
    });
    this.#process.output.on('data', (bytes: Buffer) => this.#read(reader, bytes));
  }

  /** Resolves when it ended by itself or was closed. */
  get ended(): Promise<unknown> {
    return this.#process.ended;
  }

  /** False after a gap that is too long: a new encoder must take over. */
  push({ data, dts, wallMs }: AccessUnit): boolean {
    const { sampleRate, channels } = this.#options.audio;
    if (this.#nextDts === null) [this.#firstDts, this.#nextDts] = [dts, dts];
    const missing = dts - this.#nextDts;
    if (missing > SILENCE_MAX_S * sampleRate) return false;
    const { input } = this.#process;
    if (input.writableLength > UNREAD_MAX_BYTES) return true;
    if (missing > 0) input.write(Buffer.alloc(missing * channels, this.#silence));
    // What overlaps the former unit was heard already.
    const fresh = missing < 0 ? data.subarray(-missing * channels) : data;
    this.#times.push({ dts, wallMs });
    input.write(Buffer.from(fresh));
    this.#nextDts = Math.max(this.#nextDts, dts + Math.floor(data.length / channels));
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#process.kill();
  }

  #read(reader: FragmentReader, bytes: Buffer): void {
    if (this.#isClosed) return;
    try {
      reader.push(bytes);
    } catch (error) {
      if (!(error instanceof Mp4Error)) throw error;
      this.close();
    }
  }

  /** `at`: samples after the first one. */
  #frame(data: Buffer, at: number): void {
    if (at < 0) return;
    const { sampleRate } = this.#options.audio;
    const dts = this.#firstDts + (at * sampleRate) / AAC_SAMPLE_RATE;
    while (this.#times[1] !== undefined && this.#times[1].dts <= dts) this.#times.shift();
    const [unit] = this.#times;
    if (unit === undefined) return;
    const wallMs = unit.wallMs + ((dts - unit.dts) * 1000) / sampleRate;
    this.#options.onFrame({ data, dts: Math.round((dts * AAC_SAMPLE_RATE) / sampleRate), wallMs });
  }
}
