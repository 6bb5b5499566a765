// Frames of a stored part of a stream as pixels, a few a second, decoded only as fast as they are taken.
import { Mp4Error } from '@vedette/protocols/mp4/box-reader.ts';
import { snapshotSize } from './codec-worker.ts';
import { DECODED_TIMESCALE, decodedFramesArguments } from './decoded-frames-arguments.ts';
import type { DecodedFrame } from './decoded-frames.ts';
import type { FfmpegProcess, StartFfmpeg } from './ffmpeg-process.ts';
import { FragmentReader } from './fragment-reader.ts';

export interface GopFramesOrder {
  readonly start: StartFfmpeg;
  /** Init segment, then fragments from a keyframe on. */
  readonly bytes: readonly Buffer[];
  /** Capture time of its first frame, ms. */
  readonly wallMs: number;
  /** Of the stream, pixels. */
  readonly size: { readonly width: number; readonly height: number };
  readonly picturesPerS: number;
  readonly maxWidth: number;
  readonly signal: AbortSignal;
}

/** What ffmpeg can't decode ends early, without an error: a damaged GOP has fewer frames. Throws the signal's reason. */
export async function* gopFrames(order: GopFramesOrder): AsyncGenerator<DecodedFrame> {
  const { start, bytes, wallMs, picturesPerS, maxWidth, signal } = order;
  signal.throwIfAborted();
  const size = snapshotSize(order.size, maxWidth);
  const tool = start(decodedFramesArguments(size, picturesPerS));
  const kill = (): void => tool.kill();
  signal.addEventListener('abort', kill, { once: true });
  try {
    for (const part of bytes) tool.input.write(part);
    tool.input.end();
    for await (const { data, dts } of samplesOf(tool)) {
      signal.throwIfAborted();
      if (data.length !== size.width * size.height * 3) return;
      yield { ...size, rgb: data, wallMs: wallMs + (dts * 1000) / DECODED_TIMESCALE };
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', kill);
    tool.kill();
  }
}

/** Nothing more is read while the taker is busy: the pipe is full, and ffmpeg waits. */
async function* samplesOf(tool: FfmpegProcess): AsyncGenerator<{ readonly data: Buffer; readonly dts: number }> {
  let samples: { data: Buffer; dts: number }[] = [];
  const reader = new FragmentReader({ init: () => undefined, sample: ({ data, dts }) => samples.push({ data, dts }) });
  for await (const part of tool.output as AsyncIterable<Buffer>) {
    if (!isRead(reader, part)) return;
    const ready = samples;
    samples = [];
    yield* ready;
  }
}

function isRead(reader: FragmentReader, part: Buffer): boolean {
  try {
    reader.push(part);
    return true;
  } catch (error) {
    if (!(error instanceof Mp4Error)) throw error;
    return false;
  }
}
