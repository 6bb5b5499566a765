// Encodes one piece of recorded G.711 to AAC frames of one channel with ffmpeg, such that its frames continue those of the piece before.
import { Mp4Error } from '@vedette/protocols/mp4/box-reader.ts';
import { AAC_FRAME_SAMPLES, aacArguments, type G711Format } from './aac-arguments.ts';
import type { StartFfmpeg } from './ffmpeg-process.ts';
import { FragmentReader } from './fragment-reader.ts';

/**
 * Frames encoded before and after the wanted ones and left out: an encoder that begins needs them until it decides as
 * one that never stopped, and a frame overlaps the next one.
 */
export const AAC_WARM_UP_FRAMES = 20;
export const AAC_OVERLAP_FRAMES = 5;

/** The wanted frames in one memory. */
export interface AacFrames {
  readonly bytes: Buffer;
  /** Where each frame begins, and the end of the last one. */
  readonly offsets: readonly number[];
}

export interface AacBlockOptions {
  readonly start: StartFfmpeg;
  readonly audio: G711Format;
  /** From the warm-up to the overlap. */
  readonly source: Buffer;
  /** How many are wanted. */
  readonly frames: number;
  /** Ends the process. */
  readonly signal: AbortSignal;
}

/** ffmpeg did not make what was asked of it. */
export class EncodingFailed extends Error {
  override readonly name = 'EncodingFailed';
}

/** Rejects with EncodingFailed or the signal's reason. */
export async function encodeAacBlock({ start, audio, source, frames, signal }: AacBlockOptions): Promise<AacFrames> {
  signal.throwIfAborted();
  const made: Buffer[] = [];
  const process = start(aacArguments(audio, 1));
  const kill = (): void => process.kill();
  signal.addEventListener('abort', kill, { once: true });
  // The encoder puts one frame before the audio.
  const from = (AAC_WARM_UP_FRAMES + 1) * AAC_FRAME_SAMPLES;
  const reader = new FragmentReader({
    init: () => undefined,
    sample: ({ data, dts }) => {
      if (dts >= from && made.length < frames) made.push(data);
    },
  });
  process.output.on('data', (bytes: Buffer) => readOrKill(reader, bytes, kill));
  process.input.end(source);
  const { code, stderrTail } = await process.ended;
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  if (code !== 0 || made.length < frames) {
    throw new EncodingFailed(`ffmpeg made ${made.length} of ${frames} AAC frames: ${stderrTail}`);
  }
  const offsets = [0];
  for (const { length } of made) offsets.push((offsets.at(-1) as number) + length);
  return { bytes: Buffer.concat(made), offsets };
}

function readOrKill(reader: FragmentReader, bytes: Buffer, kill: () => void): void {
  try {
    reader.push(bytes);
  } catch (error) {
    if (!(error instanceof Mp4Error)) throw error;
    kill();
  }
}
