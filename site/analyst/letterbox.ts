// Scales a frame, or a region of it, into the square that a model takes: at its top left, the rest grey; each pixel is the mean of those that it covers.
import type { AnalystFrame, PixelRegion } from './frame-wire.ts';
import type { PlaneColours } from './model-kinds.ts';

export interface Letterbox {
  /** Planes of the square, in the order of the colours. */
  readonly planes: Float32Array;
  /** Size of the frame within the square, pixels. */
  readonly width: number;
  readonly height: number;
}

const GREY = 114;

export interface LetterboxOrder {
  readonly size: number;
  /** 3 × size × size numbers, overwritten. */
  readonly planes: Float32Array;
  readonly colours: PlaneColours;
}

/** Scaled to fit, a small region up, too. */
export function letterbox(
  frame: Pick<AnalystFrame, 'width' | 'rgb'>,
  region: PixelRegion,
  { size, planes, colours }: LetterboxOrder,
): Letterbox {
  const scale = Math.min(size / region.width, size / region.height);
  const width = Math.max(1, Math.round(region.width * scale));
  const height = Math.max(1, Math.round(region.height * scale));
  const plane = size * size;
  for (const at of [0, 1, 2] as const)
    planes.fill((GREY - colours.mean[at]) / colours.deviation[at], at * plane, (at + 1) * plane);
  const columns = spans(region.x, region.width, width);
  const rows = spans(region.y, region.height, height);
  for (let y = 0; y < height; y += 1) scaleRow(frame, { y, size, columns, rows, colours }, planes);
  return { planes, width, height };
}

interface RowPlan {
  readonly y: number;
  readonly size: number;
  /** First pixel of each column, and the one after its last. */
  readonly columns: Spans;
  readonly rows: Spans;
  readonly colours: PlaneColours;
}

interface Spans {
  readonly from: Uint16Array;
  readonly to: Uint16Array;
}

/** Runs for each pixel of each frame: plain loops, no allocation. */
function scaleRow(
  { rgb, width }: Pick<AnalystFrame, 'width' | 'rgb'>,
  { y, size, columns, rows, colours: { order, mean, deviation } }: RowPlan,
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
    const isRedFirst = order === 'rgb';
    planes[at] = ((isRedFirst ? red : blue) / count - mean[0]) / deviation[0];
    planes[plane + at] = (green / count - mean[1]) / deviation[1];
    planes[2 * plane + at] = ((isRedFirst ? blue : red) / count - mean[2]) / deviation[2];
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
