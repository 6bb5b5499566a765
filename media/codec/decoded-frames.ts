// Frames of a stream as pixels, a few a second, by one ffmpeg process that decodes every access unit; each with its capture time.
import { Mp4Error } from '@vedette/protocols/mp4/box-reader.ts';
import type { LiveFragment, LiveInit } from '../stream/live-fragment.ts';
import type { SharedStream } from '../stream/shared-stream.ts';
import { snapshotSize } from './codec-worker.ts';
import { DECODED_TIMESCALE, decodedFramesArguments } from './decoded-frames-arguments.ts';
import type { FfmpegProcess, StartFfmpeg } from './ffmpeg-process.ts';
import { FragmentReader } from './fragment-reader.ts';

export interface DecodedFrame {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly rgb: Buffer;
  /** Capture time, wall clock in ms. */
  readonly wallMs: number;
}

export interface DecodedFramesOptions {
  readonly stream: SharedStream;
  readonly start: StartFfmpeg;
  readonly picturesPerS: number;
  readonly maxWidth: number;
  readonly onFrame: (frame: DecodedFrame) => void;
  /** The decoder ended by itself; nothing more comes. */
  readonly onEnd: () => void;
}

/** If more waits, the machine is too slow: the rest of the GOP is skipped. */
const UNREAD_MAX_BYTES = 4 * 1024 * 1024;

export class DecodedFrames {
  readonly #options: DecodedFramesOptions;
  readonly #leave: () => void;
  #tool: FfmpegProcess | null = null;
  #waitsForKeyframe = true;
  /** Capture time of the first frame given to this process, ms. */
  #firstWallMs: number | null = null;
  #isClosed = false;
  /** Access units skipped since the decoder was behind. */
  skipped = 0;

  constructor(options: DecodedFramesOptions) {
    this.#options = options;
    const { stream } = options;
    this.#leave = stream.addViewer({
      init: (init) => this.#begin(init),
      fragment: (fragment) => this.#frame(fragment),
      state: () => undefined,
    });
    for (const fragment of stream.gop()) this.#frame(fragment);
  }

  close(): void {
    this.#isClosed = true;
    this.#leave();
    this.#tool?.kill();
  }

  /** Also where the format changes in mid-stream. */
  #begin({ format, video: head }: LiveInit): void {
    this.#tool?.kill();
    this.#tool = null;
    const { video } = format;
    if (!video || video.codec === 'mjpeg' || !head) return;
    const { start, picturesPerS, maxWidth, onFrame } = this.#options;
    const size = snapshotSize(video, maxWidth);
    const tool = start(decodedFramesArguments(size, picturesPerS));
    this.#tool = tool;
    this.#waitsForKeyframe = true;
    this.#firstWallMs = null;
    const reader = new FragmentReader({
      init: () => undefined,
      sample: ({ data, dts }) => {
        if (data.length !== size.width * size.height * 3) return tool.kill();
        onFrame({ ...size, rgb: data, wallMs: (this.#firstWallMs ?? 0) + (dts * 1000) / DECODED_TIMESCALE });
      },
    });
    tool.output.on('data', (bytes: Buffer) => {
      if (this.#tool === tool) read(tool, reader, bytes);
    });
    tool.input.write(head);
    void tool.ended.then(() => {
      if (this.#tool !== tool || this.#isClosed) return;
      this.#tool = null;
      this.#options.onEnd();
    });
  }

  #frame({ kind, bytes, isKey, wallMs }: LiveFragment): void {
    const tool = this.#tool;
    if (kind !== 'video' || !tool) return;
    if (tool.input.writableLength > UNREAD_MAX_BYTES) this.#waitsForKeyframe = true;
    if (this.#waitsForKeyframe && !isKey) {
      this.skipped += 1;
      return;
    }
    this.#waitsForKeyframe = false;
    this.#firstWallMs ??= wallMs;
    tool.input.write(bytes);
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
