// Burns name, date and time into the frames of an export with the operator's ffmpeg; without one, or without a font for the name, it refuses.
import { once } from 'node:events';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { FragmentReader } from '../codec/fragment-reader.ts';
import type { FfmpegProcess, StartFfmpeg } from '../codec/ffmpeg-process.ts';
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import type { Disk } from '../recordings/disk.ts';
import { BURN_IN_SCRIPT, burnInArguments, NO_GLYPH, trialArguments } from './burn-in-arguments.ts';
import { type BurnInText, burnInScript } from './burn-in-script.ts';
import { EncodedVideo } from './encoded-video.ts';
import { ExportError } from './export-error.ts';
import type { ExportOutput } from './export-output.ts';
import type { PlannedMovie } from './movie-builder.ts';
import { join } from 'node:path';

export interface BurnInRequest {
  readonly movie: PlannedMovie;
  readonly text: Pick<BurnInText, 'name' | 'timeZone'>;
  /** The samples of the movie, in its order. */
  readonly samples: AsyncIterable<readonly Buffer[]>;
  /** Takes the encoded frames. */
  readonly output: ExportOutput;
  readonly signal: AbortSignal;
  readonly onRead: (bytes: number) => void;
}

/** Of the trial: the name must be drawable at any size. */
const TRIAL_SIZE = { width: 640, height: 360 } as const;
/** On a busy machine; the server waits longer for the answer. */
const TRIAL_MS = 5000;

export class BurnIn {
  readonly #disk: Disk;
  readonly #start: StartFfmpeg | null;

  constructor(disk: Disk, start: StartFfmpeg | null) {
    this.#disk = disk;
    this.#start = start;
  }

  /** Throws 1006 where these texts cannot be burnt in. `folder` must exist. */
  async tryOut(folder: string, texts: readonly Pick<BurnInText, 'name' | 'timeZone'>[]): Promise<void> {
    for (const { name, timeZone } of new Map(texts.map((text) => [text.name, text])).values()) {
      await this.#writeScript(folder, { name, timeZone, ...TRIAL_SIZE }, [{ at: 0, wallMs: 0 }], VIDEO_TIMESCALE);
      const tool = this.#tool(trialArguments(TRIAL_SIZE), folder);
      const cancelLate = AbortSignal.timeout(TRIAL_MS);
      cancelLate.addEventListener('abort', () => tool.kill());
      tool.output.resume();
      const { code, stderrTail } = await tool.ended;
      if (cancelLate.aborted) throw new ExportError(ERROR_CODES.serviceBusy, 'ffmpeg did not answer in time');
      if (code !== 0) throw new ExportError(ERROR_CODES.functionNotSupported, `ffmpeg cannot burn in: ${stderrTail}`);
      if (stderrTail.includes(NO_GLYPH)) {
        throw new ExportError(
          ERROR_CODES.functionNotSupported,
          'no font of this machine has all characters of the name',
        );
      }
    }
  }

  /** Encodes a movie with its text; the frames lie in `output` afterwards. */
  async encode(folder: string, request: BurnInRequest): Promise<EncodedVideo> {
    const { movie, text, samples, output, signal, onRead } = request;
    const { width, height } = movie.tracks[0];
    const { start, end } = movie.shown;
    await this.#writeScript(folder, { ...text, width, height }, movie.anchors, end - start);
    signal.throwIfAborted();
    const tool = this.#tool(burnInArguments(), folder);
    const kill = (): void => tool.kill();
    signal.addEventListener('abort', kill);
    try {
      const [encoded] = await Promise.all([
        collect(tool, output, end - start),
        give(tool, movie.head, samples, onRead),
      ]);
      const { code, stderrTail } = await tool.ended;
      signal.throwIfAborted();
      if (code !== 0 || encoded.frames === 0) throw new Error(`the burn-in ended with ${code}: ${stderrTail}`);
      return encoded;
    } finally {
      kill();
      signal.removeEventListener('abort', kill);
      await this.#disk.removeFile(join(folder, BURN_IN_SCRIPT));
    }
  }

  #tool(args: readonly string[], folder: string): FfmpegProcess {
    if (!this.#start) throw new ExportError(ERROR_CODES.functionNotSupported, 'no ffmpeg on PATH');
    return this.#start(args, { folder });
  }

  async #writeScript(folder: string, text: BurnInText, ...times: [PlannedMovie['anchors'], number]): Promise<void> {
    await this.#disk.replaceFile(join(folder, BURN_IN_SCRIPT), Buffer.from(burnInScript(text, ...times)));
  }
}

/** Ends early, without an error, where ffmpeg does: its exit says why. */
async function give(
  tool: FfmpegProcess,
  head: Uint8Array,
  samples: AsyncIterable<readonly Buffer[]>,
  onRead: (bytes: number) => void,
): Promise<void> {
  tool.input.write(head);
  for await (const buffers of samples) {
    if (!tool.input.writable) break;
    const bytes = Buffer.concat(buffers);
    if (!tool.input.write(bytes)) await Promise.race([once(tool.input, 'drain'), tool.ended]);
    onRead(bytes.length);
  }
  tool.input.end();
}

async function collect(tool: FfmpegProcess, output: ExportOutput, endTicks: number): Promise<EncodedVideo> {
  const encoded = new EncodedVideo(endTicks);
  let waiting: Buffer[] = [];
  const reader = new FragmentReader({
    init: (bytes) => encoded.begin(bytes),
    sample: ({ data, dts, isKey }) => {
      encoded.add({ dts, size: data.length, isKey });
      waiting.push(data);
    },
  });
  try {
    for await (const bytes of tool.output) {
      reader.push(bytes as Buffer);
      const samples = waiting;
      waiting = [];
      if (samples.length > 0) await output.write(samples);
    }
  } catch (error) {
    // The disk, or output that is no MP4: nobody reads the process any more.
    tool.kill();
    throw error;
  }
  return encoded;
}
