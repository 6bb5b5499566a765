// Software motion and tamper detection on small grey frames, seconds apart. Pure.

export interface GreyFrame {
  readonly width: number;
  readonly height: number;
  /** Brightness, row by row from the top left. */
  readonly pixels: Uint8Array;
}

/** Cells from the top left, row by row: `1` is watched. */
export interface DetectionCells {
  readonly columns: number;
  readonly rows: number;
  readonly cells: string;
}

/** Steps of brightness by which a pixel has changed, for the least and the greatest sensitivity. */
const CHANGED_BY = { least: 48, most: 10 } as const;
/** Share of the watched cells that must have changed. */
const CELL_SHARE = { least: 0.12, most: 0.004 } as const;
/** Share of a cell's pixels. */
const PIXEL_SHARE = 0.25;
/** Above it a light was switched or the camera turned: nothing that moves is so large. */
const WHOLE_SHARE = 0.7;
/** Of each picture in the background: what stays becomes part of it within a minute. */
const LEARNING = 0.15;
/** Quiet pictures after which motion is over. */
const STILL_FRAMES_MIN = 2;

export class MotionDetector {
  readonly #watched: DetectionCells;
  readonly #changedBy: number;
  readonly #cellsNeeded: number;
  #background: Float32Array | null = null;
  #stillFrames = 0;
  isMoving = false;

  /** `sensitivity`: 1 to 100. */
  constructor(watched: DetectionCells, sensitivity: number) {
    const share = Math.min(1, Math.max(0, (sensitivity - 1) / 99));
    const count = [...watched.cells].filter((cell) => cell === '1').length;
    this.#watched = watched;
    this.#changedBy = between(CHANGED_BY, share);
    this.#cellsNeeded = count === 0 ? Number.POSITIVE_INFINITY : Math.max(1, count * between(CELL_SHARE, share));
  }

  /** True where motion has just begun or ended. */
  detect(picture: GreyFrame): boolean {
    const background = this.#background;
    const { pixels } = picture;
    if (background === null || background.length !== pixels.length) {
      this.#background = Float32Array.from(pixels);
      return false;
    }
    const { watched, all } = this.#changedCells(picture, background);
    const isWhole = all >= WHOLE_SHARE;
    for (const [at, pixel] of pixels.entries()) {
      const before = background[at] ?? pixel;
      background[at] = isWhole ? pixel : before + (pixel - before) * LEARNING;
    }
    const isNow = !isWhole && watched >= this.#cellsNeeded;
    this.#stillFrames = isNow ? 0 : this.#stillFrames + 1;
    if (isNow === this.isMoving || (!isNow && this.#stillFrames < STILL_FRAMES_MIN)) return false;
    this.isMoving = isNow;
    return true;
  }

  #changedCells({ width, height, pixels }: GreyFrame, background: Float32Array) {
    const { columns, rows, cells } = this.#watched;
    const changed = new Uint16Array(columns * rows);
    const of = new Uint16Array(columns * rows);
    const drift = meanDifference(pixels, background);
    for (let y = 0; y < height; y += 1) {
      const row = Math.floor((y * rows) / height) * columns;
      for (let x = 0; x < width; x += 1) {
        const at = y * width + x;
        const cell = row + Math.floor((x * columns) / width);
        of[cell] = (of[cell] ?? 0) + 1;
        const difference = (pixels[at] ?? 0) - (background[at] ?? 0) - drift;
        if (Math.abs(difference) > this.#changedBy) changed[cell] = (changed[cell] ?? 0) + 1;
      }
    }
    return changedShares(changed, of, cells);
  }
}

/** How many watched cells have changed, and the share of all cells. `changed` and `of`: pixels of each cell. */
function changedShares(changed: Uint16Array, of: Uint16Array, cells: string) {
  let [watched, all] = [0, 0];
  for (const [cell, count] of changed.entries()) {
    if (count === 0 || count < (of[cell] ?? 0) * PIXEL_SHARE) continue;
    all += 1;
    if (cells[cell] === '1') watched += 1;
  }
  return { watched, all: all / changed.length };
}

/** Exposure that follows the light changes every pixel alike: no motion. Bounded, so that a large body does not count as light. */
const DRIFT_MAX = 12;

function meanDifference(pixels: Uint8Array, background: Float32Array): number {
  let sum = 0;
  for (const [at, pixel] of pixels.entries()) sum += pixel - (background[at] ?? 0);
  return Math.min(DRIFT_MAX, Math.max(-DRIFT_MAX, sum / Math.max(1, pixels.length)));
}

function between({ least, most }: { readonly least: number; readonly most: number }, share: number): number {
  return least + (most - least) * share;
}

/** Deviation of brightness below which nothing can be told apart. */
const FLAT = 5;
/** Of the usual detail: less is a hand, a bag or paint before the lens. Dusk takes minutes and is learned. */
const TAMPER_DETAIL_SHARE = 0.25;
const DETAIL_LEARNING = 0.03;
/** Pictures before anything is usual. */
const LEARNED_AFTER = 6;

export class TamperDetector {
  #usual = 0;
  #samples = 0;

  /** True where the picture shows far less than it used to. */
  detect({ pixels }: GreyFrame): boolean {
    const detail = deviation(pixels);
    const isCovered =
      this.#samples >= LEARNED_AFTER &&
      detail < Math.max(FLAT, this.#usual * TAMPER_DETAIL_SHARE) &&
      detail < this.#usual / 2;
    if (isCovered) return true;
    this.#samples += 1;
    this.#usual += (detail - this.#usual) * Math.max(DETAIL_LEARNING, 1 / this.#samples);
    return false;
  }
}

function deviation(pixels: Uint8Array): number {
  let [sum, squares] = [0, 0];
  for (const pixel of pixels) {
    sum += pixel;
    squares += pixel * pixel;
  }
  const count = Math.max(1, pixels.length);
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}
