// Chooses and builds the intra prediction of a macroblock: vertical, horizontal or DC (ITU-T H.264 clauses 8.3.3, 8.3.4).

import type { Planes } from './planes.ts';

export interface Prediction {
  readonly luma: Uint8Array;
  readonly chroma: readonly [Uint8Array, Uint8Array];
}

export function createPrediction(): Prediction {
  return { luma: new Uint8Array(256), chroma: [new Uint8Array(64), new Uint8Array(64)] };
}

const VERTICAL = 0;
const HORIZONTAL = 1;
const DC = 2;

/** A sum of differences that no other mode needs to beat: flat blocks are the most common ones. */
const GOOD_ENOUGH = 96;

/** Returns Intra16x16PredMode and leaves its samples in `prediction.luma`. */
export function predictLuma(
  prediction: Prediction,
  source: Planes,
  known: Planes,
  mbX: number,
  mbY: number,
  left: boolean,
  top: boolean,
): number {
  const stride = known.stride;
  const at = mbY * 16 * stride + mbX * 16;
  const mean = meanOf(known.y, at, stride, 16, left, top);
  let mode = DC;
  if (left || top) {
    let best = costOf(source.y, known.y, at, stride, DC, mean);
    if (left && best > GOOD_ENOUGH) {
      const cost = costOf(source.y, known.y, at, stride, HORIZONTAL, 0);
      if (cost < best) [best, mode] = [cost, HORIZONTAL];
    }
    if (top && best > GOOD_ENOUGH && costOf(source.y, known.y, at, stride, VERTICAL, 0) < best) mode = VERTICAL;
  }
  fill(prediction.luma, 16, known.y, at, stride, mode, mean);
  return mode;
}

/** Returns intra_chroma_pred_mode (0 DC, 1 horizontal, 2 vertical) and leaves the samples in `prediction.chroma`. */
export function predictChroma(
  prediction: Prediction,
  source: Planes,
  known: Planes,
  mbX: number,
  mbY: number,
  left: boolean,
  top: boolean,
): number {
  const stride = known.stride >> 1;
  const at = mbY * 8 * stride + mbX * 8;
  let mode = 0;
  if (left || top) {
    let best = chromaCost(source, known, at, stride, prediction, 0, left, top);
    if (left && best > GOOD_ENOUGH) {
      const cost = chromaCost(source, known, at, stride, prediction, 1, left, top);
      if (cost < best) [best, mode] = [cost, 1];
    }
    if (top && best > GOOD_ENOUGH && chromaCost(source, known, at, stride, prediction, 2, left, top) < best) mode = 2;
  }
  buildChroma(prediction.chroma[0], known.u, at, stride, mode, left, top);
  buildChroma(prediction.chroma[1], known.v, at, stride, mode, left, top);
  return mode;
}

function meanOf(plane: Uint8Array, at: number, stride: number, size: number, left: boolean, top: boolean): number {
  if (!left && !top) return 128;
  const sum = (left ? sumOf(plane, at - 1, stride, size) : 0) + (top ? sumOf(plane, at - stride, 1, size) : 0);
  const count = left && top ? size * 2 : size;
  return Math.floor((sum + count / 2) / count);
}

function sumOf(plane: Uint8Array, from: number, step: number, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += plane[from + i * step] as number;
  return sum;
}

/** Every second row and column: enough to choose a mode. */
function costOf(source: Uint8Array, known: Uint8Array, at: number, stride: number, mode: number, mean: number): number {
  let cost = 0;
  for (let row = 0; row < 16; row += 2) {
    const line = at + row * stride;
    const side = known[line - 1] as number;
    for (let x = 0; x < 16; x += 2) {
      const guess = mode === DC ? mean : mode === HORIZONTAL ? side : (known[at - stride + x] as number);
      const difference = (source[line + x] as number) - guess;
      cost += difference < 0 ? -difference : difference;
    }
  }
  return cost;
}

function fill(
  target: Uint8Array,
  size: number,
  known: Uint8Array,
  at: number,
  stride: number,
  mode: number,
  mean: number,
) {
  if (mode === DC) {
    target.fill(mean);
    return;
  }
  for (let row = 0; row < size; row++) {
    const side = known[at - 1 + row * stride] as number;
    const to = row * size;
    if (mode === HORIZONTAL) for (let x = 0; x < size; x++) target[to + x] = side;
    else for (let x = 0; x < size; x++) target[to + x] = known[at - stride + x] as number;
  }
}

function chromaCost(
  source: Planes,
  known: Planes,
  at: number,
  stride: number,
  scratch: Prediction,
  mode: number,
  left: boolean,
  top: boolean,
): number {
  buildChroma(scratch.chroma[0], known.u, at, stride, mode, left, top);
  buildChroma(scratch.chroma[1], known.v, at, stride, mode, left, top);
  let cost = 0;
  for (let row = 0; row < 8; row++) {
    const line = at + row * stride;
    for (let x = 0; x < 8; x++) {
      const du = (source.u[line + x] as number) - (scratch.chroma[0][row * 8 + x] as number);
      const dv = (source.v[line + x] as number) - (scratch.chroma[1][row * 8 + x] as number);
      cost += (du < 0 ? -du : du) + (dv < 0 ? -dv : dv);
    }
  }
  return cost;
}

function buildChroma(
  target: Uint8Array,
  known: Uint8Array,
  at: number,
  stride: number,
  mode: number,
  left: boolean,
  top: boolean,
): void {
  if (mode !== 0) {
    fill(target, 8, known, at, stride, mode === 1 ? HORIZONTAL : VERTICAL, 0);
    return;
  }
  for (let block = 0; block < 4; block++) {
    const x0 = (block & 1) * 4;
    const y0 = (block >> 1) * 4;
    // The two diagonal blocks use both edges; the others prefer the edge they touch (clause 8.3.4.1 to 8.3.4.3).
    const useLeft = left && (block !== 1 || !top);
    const useTop = top && (block !== 2 || !left);
    const mean = chromaMean(known, at + x0, at + y0 * stride, stride, useLeft, useTop);
    for (let row = 0; row < 4; row++) {
      const to = (y0 + row) * 8 + x0;
      target[to] = target[to + 1] = target[to + 2] = target[to + 3] = mean;
    }
  }
}

/** Of four samples above `topAt` and four left of `leftAt`, as far as they are used. */
function chromaMean(
  known: Uint8Array,
  topAt: number,
  leftAt: number,
  stride: number,
  useLeft: boolean,
  useTop: boolean,
): number {
  if (!useLeft && !useTop) return 128;
  const sum = (useTop ? sumOf(known, topAt - stride, 1, 4) : 0) + (useLeft ? sumOf(known, leftAt - 1, stride, 4) : 0);
  return useLeft && useTop ? (sum + 4) >> 3 : (sum + 2) >> 2;
}

/** The 2x2 Hadamard transform of four chroma DC values into `out`; its own inverse up to a factor 4. */
export function chromaDc(a: number, b: number, c: number, d: number, out: Int32Array): void {
  out[0] = a + b + c + d;
  out[1] = a - b + c - d;
  out[2] = a + b - c - d;
  out[3] = a - b - c + d;
}
