// The part of a frame in which something small moves, so that it can be looked at enlarged.
import type { DecodedFrame } from '@vedette/media/codec/decoded-frames.ts';
import type { Box } from '@vedette/rules/scene/detection/detection.ts';
import type { PixelRegion } from '../analyst/frame-wire.ts';

const GRID = { columns: 64, rows: 36 } as const;
/** Steps of brightness; below are noise and shadows. */
const CHANGED_BY = 16;
/** One cell alone is noise; of more the light was switched, or the camera turns. */
const CELLS_MIN = 2;
const CELLS_MAX = GRID.columns * GRID.rows * 0.4;
/** Of the frame's height: what is larger is seen well enough in the whole. */
const SMALL = 0.4;
/** Room around what moved, to each side, as a share of it: it moves on, and legs may stand still. */
const MARGIN = 0.4;
/** The model's own side: smaller regions hold no more to see, larger than the second share of the frame hardly more than the whole. */
const SIDE_MIN = 320;
const SIDE_MAX = 0.75;

export class MovingRegion {
  #before: Uint8Array | null = null;

  /** `known`: boxes that are followed, and may stand still by now. Null: the whole frame is enough. */
  next(frame: DecodedFrame, known: readonly Box[]): PixelRegion | null {
    const before = this.#before;
    const now = sampled(frame);
    this.#before = now;
    if (before === null) return null;
    const moved = changedBox(before, now);
    const small = [...(moved === null ? [] : [withMargin(moved)]), ...known].filter(({ height }) => height <= SMALL);
    return small.length === 0 ? null : regionAround(enclosing(small), frame);
  }
}

/** Brightness of four points of each cell. */
function sampled({ width, height, rgb }: DecodedFrame): Uint8Array {
  const cells = new Uint8Array(GRID.columns * GRID.rows);
  const at = (x: number, y: number): number =>
    rgb[(Math.floor(y * height) * width + Math.floor(x * width)) * 3 + 1] ?? 0;
  for (let row = 0; row < GRID.rows; row += 1)
    for (let column = 0; column < GRID.columns; column += 1) {
      const [left, right] = [(column + 0.25) / GRID.columns, (column + 0.75) / GRID.columns];
      const [top, bottom] = [(row + 0.25) / GRID.rows, (row + 0.75) / GRID.rows];
      const sum = at(left, top) + at(right, top) + at(left, bottom) + at(right, bottom);
      cells[row * GRID.columns + column] = sum / 4;
    }
  return cells;
}

function changedBox(before: Uint8Array, now: Uint8Array): Box | null {
  const changed = [...now.keys()].filter((cell) => Math.abs((now[cell] ?? 0) - (before[cell] ?? 0)) > CHANGED_BY);
  if (changed.length < CELLS_MIN || changed.length > CELLS_MAX) return null;
  const columns = changed.map((cell) => cell % GRID.columns);
  const rows = changed.map((cell) => Math.floor(cell / GRID.columns));
  const [left, top] = [Math.min(...columns), Math.min(...rows)];
  return {
    x: left / GRID.columns,
    y: top / GRID.rows,
    width: (Math.max(...columns) + 1 - left) / GRID.columns,
    height: (Math.max(...rows) + 1 - top) / GRID.rows,
  };
}

function withMargin({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.max(0, x - width * MARGIN), Math.max(0, y - height * MARGIN)];
  return {
    x: left,
    y: top,
    width: Math.min(1, x + width * (1 + MARGIN)) - left,
    height: Math.min(1, y + height * (1 + MARGIN)) - top,
  };
}

function enclosing(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** A square around it, within the frame. */
function regionAround({ x, y, ...box }: Box, { width, height }: DecodedFrame): PixelRegion | null {
  const side = Math.ceil(Math.max(SIDE_MIN, box.width * width, box.height * height));
  if (side > SIDE_MAX * Math.max(width, height)) return null;
  const [wide, high] = [Math.min(side, width), Math.min(side, height)];
  const centre = { x: (x + box.width / 2) * width, y: (y + box.height / 2) * height };
  const within = (start: number, length: number, most: number): number =>
    Math.round(Math.min(most - length, Math.max(0, start - length / 2)));
  return { x: within(centre.x, wide, width), y: within(centre.y, high, height), width: wide, height: high };
}
