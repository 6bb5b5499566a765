// In which of 8 × 8 cells of the picture something is, as a bit for each: searches look at the geometry of few rows only.
import type { ScenePoint } from '@vedette/contract/site/site-analysis.ts';

const SIDE = 8;
/** Between two points of a path, so that it skips no more than the corner of a cell. */
const STEPS = 32;

/** Bit 8 × row + column is set where the path goes through the cell. */
export function cellsOfPath(path: readonly ScenePoint[]): bigint {
  let cells = 0n;
  for (const [at, from] of path.entries()) {
    const to = path[at + 1] ?? from;
    for (let step = 0; step <= STEPS; step += 1) {
      const share = step / STEPS;
      cells |= bitAt(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
    }
  }
  return cells;
}

/** The cells that the area may touch: those of the rectangle around it. */
export function cellsAround(corners: readonly ScenePoint[]): bigint {
  const [left, right] = rangeOf(corners.map(({ x }) => x));
  const [top, bottom] = rangeOf(corners.map(({ y }) => y));
  let cells = 0n;
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) cells |= 1n << BigInt(row * SIDE + column);
  }
  return cells;
}

function bitAt(x: number, y: number): bigint {
  return 1n << BigInt(cellOf(y) * SIDE + cellOf(x));
}

function rangeOf(shares: readonly number[]): readonly [number, number] {
  return [cellOf(Math.min(...shares)), cellOf(Math.max(...shares))];
}

/** What lies on the right or lower border is in the last cell. */
function cellOf(share: number): number {
  return Math.min(SIDE - 1, Math.max(0, Math.floor(share * SIDE)));
}
