// A picture of pixels as a JPEG by a short run of ffmpeg: with a rectangle around what was found, or small.
import type { FfmpegProcess, StartFfmpeg } from './ffmpeg-process.ts';

export interface PixelFrame {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly rgb: Uint8Array;
}

/** Shares of the frame. */
export interface MarkedBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WITHIN_MS = 5000;
const JPEG_MAX_BYTES = 1024 * 1024;

/** Null where ffmpeg failed or took too long: the alarm then comes without its picture. */
export async function markedJpeg(
  start: StartFfmpeg,
  frame: PixelFrame,
  boxes: readonly MarkedBox[],
): Promise<Buffer | null> {
  return await encoded(start, frame, { filters: boxes.map((box) => drawBox(box, frame)), quality: 5 });
}

export interface SmallPicture {
  /** No side is longer, pixels. */
  readonly maxSide: number;
  readonly maxBytes: number;
  /** Drawn before it is scaled. */
  readonly boxes?: readonly MarkedBox[];
}

/** Null where ffmpeg failed, or the picture has more than `maxBytes` even when it is coarse. */
export async function smallJpeg(
  start: StartFfmpeg,
  frame: PixelFrame,
  { maxSide, maxBytes, boxes = [] }: SmallPicture,
): Promise<Buffer | null> {
  const isLarge = Math.max(frame.width, frame.height) > maxSide;
  const scale = isLarge ? [`scale=${maxSide}:${maxSide}:force_original_aspect_ratio=decrease`] : [];
  const filters = [...boxes.map((box) => drawBox(box, frame)), ...scale];
  for (const quality of QUALITIES) {
    const jpeg = await encoded(start, frame, { filters, quality });
    if (jpeg === null || jpeg.length <= maxBytes) return jpeg;
  }
  return null;
}

/** ffmpeg's own, 2 is the best and 31 the worst. */
const QUALITIES = [5, 16] as const;

async function encoded(
  start: StartFfmpeg,
  { width, height, rgb }: PixelFrame,
  { filters, quality }: { readonly filters: readonly string[]; readonly quality: number },
): Promise<Buffer | null> {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', 'pipe:0'];
  const filter = filters.length === 0 ? [] : ['-vf', filters.join(',')];
  const coding = ['-c:v', 'mjpeg', '-q:v', String(quality), '-f', 'image2pipe', 'pipe:1'];
  const tool = start(['-v', 'error', '-nostdin', ...input, ...filter, '-frames:v', '1', '-threads', '1', ...coding]);
  const timeout = AbortSignal.timeout(WITHIN_MS);
  timeout.addEventListener('abort', () => tool.kill(), { once: true });
  tool.input.end(rgb);
  const jpeg = await outputOf(tool);
  const { code } = await tool.ended;
  return code === 0 && jpeg.length > 0 ? jpeg : null;
}

async function outputOf(tool: FfmpegProcess): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of tool.output as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > JPEG_MAX_BYTES) tool.kill();
  }
  return Buffer.concat(parts, bytes);
}

/** Two pixels thick, a dark one outside, so that it is seen on any ground. */
function drawBox({ x, y, width, height }: MarkedBox, frame: PixelFrame): string {
  const at = (grow: number) => {
    const left = Math.round(x * frame.width) - grow;
    const top = Math.round(y * frame.height) - grow;
    const size = `w=${Math.round(width * frame.width) + 2 * grow}:h=${Math.round(height * frame.height) + 2 * grow}`;
    return `x=${left}:y=${top}:${size}`;
  };
  return `drawbox=${at(1)}:color=black:t=4,drawbox=${at(0)}:color=yellow:t=2`;
}
