// Encodes the G.711 audio of one stream to AAC with ffmpeg, and keeps the capture time of what it encodes.
import { encodeG711 } from '@vedette/protocols/g711/g711.ts';
import { Mp4Error } from '@vedette/protocols/mp4/box-reader.ts';
import type { AccessUnit, AudioFormat } from '../stream/stream.ts';
import type { FfmpegProcess, StartFfmpeg } from './ffmpeg-process.ts';
import { FragmentReader } from './fragment-reader.ts';

/** Every AAC decoder takes it; telephone audio has nothing above 4 kHz. */
export const AAC_SAMPLE_RATE = 16_000;
const FRAME_SAMPLES = 1024;
/** The encoder begins with one frame that stands before the audio. */
const PRIMING_SAMPLES = FRAME_SAMPLES;
/** A longer gap is not filled with silence: the encoder is begun anew. */
const SILENCE_MAX_S = 2;
/** If more waits, the machine is too slow: what comes is left out, and silence stands for it. */
const UNREAD_MAX_BYTES = 64 * 1024;

export interface AacEncoderOptions {
  readonly start: StartFfmpeg;
  readonly audio: AudioFormat & { readonly codec: 'pcma' | 'pcmu' };
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
    const { codec, sampleRate, channels } = options.audio;
    this.#silence = encodeG711(codec, Int16Array.of(0))[0] ?? 0;
    this.#process = options.start(aacArguments(codec, sampleRate, channels));
    const reader = new FragmentReader({
      init: () => undefined,
      sample: ({ data, dts }) => this.#frame(data, dts - PRIMING_SAMPLES),
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

/** Raw G.711 on stdin; fragmented MP4 on stdout with one frame per fragment. */
function aacArguments(codec: 'pcma' | 'pcmu', sampleRate: number, channels: number): string[] {
  const quick = ['-protocol_whitelist', 'pipe', '-fflags', 'nobuffer', '-probesize', '32', '-analyzeduration', '0'];
  const layout = ['-ar', String(sampleRate), '-ac', String(channels)];
  const input = [...quick, '-f', codec === 'pcma' ? 'alaw' : 'mulaw', ...layout, '-i', 'pipe:0'];
  const coder = ['-c:a', 'aac', '-ar', String(AAC_SAMPLE_RATE), '-b:a', '48k', '-threads', '1'];
  const fragments = ['-movflags', 'empty_moov+default_base_moof+frag_every_frame', '-use_editlist', '0'];
  return ['-v', 'error', '-nostdin', ...input, ...coder, ...fragments, '-flush_packets', '1', '-f', 'mp4', 'pipe:1'];
}
