// Scales a frame, or a region of it, into the square that a model takes: at its top left, the rest grey; each pixel is the mean of those that it covers.
import type { AnalystFrame, PixelRegion } from './frame-wire.ts';

export interface Letterbox {
  /** Blue, green and red planes of the square. */
  readonly planes: Float32Array;
  /** Size of the frame within the square, pixels. */
  readonly width: number;
  readonly height: number;
}

/** Means and deviations of blue, green and red that NanoDet was trained with. */
const MEAN = [103.53, 116.28, 123.675] as const;
const DEVIATION = [57.375, 57.12, 58.395] as const;
const GREY = 114;

/** Scaled to fit, a small region up, too. `planes`: 3 × size × size numbers, overwritten. */
export function letterbox(
  frame: Pick<AnalystFrame, 'width' | 'rgb'>,
  region: PixelRegion,
  { size, planes }: { readonly size: number; readonly planes: Float32Array },
): Letterbox {
  const scale = Math.min(size / region.width, size / region.height);
  const width = Math.max(1, Math.round(region.width * scale));
  const height = Math.max(1, Math.round(region.height * scale));
  const plane = size * size;
  for (const [at, mean] of MEAN.entries())
    planes.fill((GREY - mean) / DEVIATION[at as 0 | 1 | 2], at * plane, (at + 1) * plane);
  const columns = spans(region.x, region.width, width);
  const rows = spans(region.y, region.height, height);
  for (let y = 0; y < height; y += 1) scaleRow(frame, { y, size, columns, rows }, planes);
  return { planes, width, height };
}

interface RowPlan {
  readonly y: number;
  readonly size: number;
  /** First pixel of each column, and the one after its last. */
  readonly columns: Spans;
  readonly rows: Spans;
}

interface Spans {
  readonly from: Uint16Array;
  readonly to: Uint16Array;
}

/** Runs for each pixel of each frame: plain loops, no allocation. */
function scaleRow(
  { rgb, width }: Pick<AnalystFrame, 'width' | 'rgb'>,
  { y, size, columns, rows }: RowPlan,
  planes: Float32Array,
): void {
  const plane = size * size;
  const top = rows.from[y] as number;
  const bottom = rows.to[y] as number;
  for (let x = 0; x < columns.from.length; x += 1) {
    const left = columns.from[x] as number;
    const right = columns.to[x] as number;
    let [red, green, blue] = [0, 0, 0];
    for (let row = top; row < bottom; row += 1) {
      const end = (row * width + right) * 3;
      for (let at = (row * width + left) * 3; at < end; at += 3) {
        red += rgb[at] as number;
        green += rgb[at + 1] as number;
        blue += rgb[at + 2] as number;
      }
    }
    const count = (bottom - top) * (right - left);
    const at = y * size + x;
    planes[at] = (blue / count - MEAN[0]) / DEVIATION[0];
    planes[plane + at] = (green / count - MEAN[1]) / DEVIATION[1];
    planes[2 * plane + at] = (red / count - MEAN[2]) / DEVIATION[2];
  }
}

/** The pixels that each of `count` parts of `length` pixels from `start` on covers; at least one, also where it is enlarged. */
function spans(start: number, length: number, count: number): Spans {
  const at = (part: number): number => Math.round((part * length) / count);
  const first = (part: number): number => Math.min(at(part), length - 1);
  return {
    from: Uint16Array.from({ length: count }, (_, part) => start + first(part)),
    to: Uint16Array.from({ length: count }, (_, part) => start + Math.max(first(part) + 1, at(part + 1))),
  };
}
