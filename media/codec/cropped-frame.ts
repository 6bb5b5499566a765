// The square part of a picture around a box, copied so that the whole picture need not be kept.
import type { MarkedBox, PixelFrame } from './marked-jpeg.ts';

const BYTES_PER_PIXEL = 3;
/** Sides of the square for each longer side of the box: what is around an object tells where it is. */
const MARGIN = 1.4;
const SIDE_MIN = 96;

/** Within the picture; not square where the picture is less high or wide. */
export function croppedFrame(frame: PixelFrame, box: MarkedBox): PixelFrame {
  const longer = Math.max(box.width * frame.width, box.height * frame.height);
  const side = Math.max(SIDE_MIN, Math.ceil(longer * MARGIN));
  const width = Math.min(side, frame.width);
  const height = Math.min(side, frame.height);
  const left = startOf((box.x + box.width / 2) * frame.width, width, frame.width);
  const top = startOf((box.y + box.height / 2) * frame.height, height, frame.height);
  const row = width * BYTES_PER_PIXEL;
  const rgb = Buffer.allocUnsafe(row * height);
  for (let y = 0; y < height; y += 1) {
    const from = ((top + y) * frame.width + left) * BYTES_PER_PIXEL;
    rgb.set(frame.rgb.subarray(from, from + row), y * row);
  }
  return { width, height, rgb };
}

function startOf(middle: number, length: number, whole: number): number {
  return Math.min(whole - length, Math.max(0, Math.round(middle - length / 2)));
}
