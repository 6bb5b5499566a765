// A picture of pixels as a JPEG with a rectangle drawn around what was found, by a short run of ffmpeg.
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
  const { width, height, rgb } = frame;
  const drawn = boxes.map((box) => drawBox(box, frame)).join(',');
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', 'pipe:0'];
  const filters = drawn === '' ? [] : ['-vf', drawn];
  const output = ['-frames:v', '1', '-threads', '1', '-c:v', 'mjpeg', '-q:v', '5', '-f', 'image2pipe', 'pipe:1'];
  const tool = start(['-v', 'error', '-nostdin', ...input, ...filters, ...output]);
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
