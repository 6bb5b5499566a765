// The 4x4 integer transform, its Hadamard second stage and quantisation, both directions (ITU-T H.264 clause 8.5).

/** Forward multipliers for the coefficient classes (0,0), (1,1) and the rest, by QP % 6. */
const forwardScale = [
  [13107, 5243, 8066],
  [11916, 4660, 7490],
  [10082, 4194, 6554],
  [9362, 3647, 5825],
  [8192, 3355, 5243],
  [7282, 2893, 4559],
] as const;

/** normAdjust of the standard in the same order. */
const inverseScale = [
  [10, 16, 13],
  [11, 18, 14],
  [13, 20, 16],
  [14, 23, 18],
  [16, 25, 20],
  [18, 29, 23],
] as const;

/** Raster position of each coefficient in zigzag order. */
export const zigzag = new Uint8Array([0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]);

export interface Quantiser {
  readonly shift: number;
  readonly forward: Int32Array;
  readonly inverse: Int32Array;
  readonly dcForward: number;
  readonly dcInverse: number;
  readonly period: number;
}

function classOf(position: number): 0 | 1 | 2 {
  const odd = ((position >> 2) & 1) + (position & 1);
  return odd === 0 ? 0 : odd === 2 ? 1 : 2;
}

export function quantiser(qp: number): Quantiser {
  const forwardRow = forwardScale[(qp % 6) as 0 | 1 | 2 | 3 | 4 | 5];
  const inverseRow = inverseScale[(qp % 6) as 0 | 1 | 2 | 3 | 4 | 5];
  const period = Math.floor(qp / 6);
  return {
    shift: 15 + period,
    period,
    forward: Int32Array.from({ length: 16 }, (_, i) => forwardRow[classOf(i)]),
    inverse: Int32Array.from({ length: 16 }, (_, i) => inverseRow[classOf(i)] << period),
    dcForward: forwardRow[0],
    // Flat scaling lists carry a factor 16 that the DC formulas keep (LevelScale4x4(m, 0, 0)).
    dcInverse: inverseRow[0] * 16,
  };
}

const table1 = [
  0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
];

/** QPc of table 8-15 with chroma_qp_index_offset 0. */
export function chromaQp(qp: number): number {
  const high = [29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39];
  return qp < 30 ? (table1[qp + 1] as number) : (high[qp - 30] as number);
}

/** In place, 16 residuals at `at` become 16 coefficients (not normalised). */
export function forward4x4(data: Int32Array, at: number): void {
  for (let i = at; i < at + 16; i += 4) {
    const a = (data[i] as number) + (data[i + 3] as number);
    const b = (data[i + 1] as number) + (data[i + 2] as number);
    const c = (data[i + 1] as number) - (data[i + 2] as number);
    const d = (data[i] as number) - (data[i + 3] as number);
    data[i] = a + b;
    data[i + 1] = 2 * d + c;
    data[i + 2] = a - b;
    data[i + 3] = d - 2 * c;
  }
  for (let i = at; i < at + 4; i++) {
    const a = (data[i] as number) + (data[i + 12] as number);
    const b = (data[i + 4] as number) + (data[i + 8] as number);
    const c = (data[i + 4] as number) - (data[i + 8] as number);
    const d = (data[i] as number) - (data[i + 12] as number);
    data[i] = a + b;
    data[i + 4] = 2 * d + c;
    data[i + 8] = a - b;
    data[i + 12] = d - 2 * c;
  }
}

/** In place, 16 scaled coefficients at `at` become 16 residuals: the exact arithmetic of every decoder. */
export function inverse4x4(data: Int32Array, at: number): void {
  for (let i = at; i < at + 16; i += 4) {
    const w0 = data[i] as number;
    const w1 = data[i + 1] as number;
    const w2 = data[i + 2] as number;
    const w3 = data[i + 3] as number;
    const e = w0 + w2;
    const f = w0 - w2;
    const g = (w1 >> 1) - w3;
    const h = w1 + (w3 >> 1);
    data[i] = e + h;
    data[i + 1] = f + g;
    data[i + 2] = f - g;
    data[i + 3] = e - h;
  }
  for (let i = at; i < at + 4; i++) {
    const w0 = data[i] as number;
    const w1 = data[i + 4] as number;
    const w2 = data[i + 8] as number;
    const w3 = data[i + 12] as number;
    const e = w0 + w2;
    const f = w0 - w2;
    const g = (w1 >> 1) - w3;
    const h = w1 + (w3 >> 1);
    data[i] = (e + h + 32) >> 6;
    data[i + 4] = (f + g + 32) >> 6;
    data[i + 8] = (f - g + 32) >> 6;
    data[i + 12] = (e - h + 32) >> 6;
  }
}

/** The 4x4 Hadamard transform in place; it is its own inverse up to a factor 16. */
export function hadamard4x4(data: Int32Array): void {
  for (let i = 0; i < 16; i += 4) butterfly(data, i, 1);
  for (let i = 0; i < 4; i++) butterfly(data, i, 4);
}

function butterfly(data: Int32Array, at: number, step: number): void {
  const a = data[at] as number;
  const b = data[at + step] as number;
  const c = data[at + 2 * step] as number;
  const d = data[at + 3 * step] as number;
  data[at] = a + b + c + d;
  data[at + step] = a + b - c - d;
  data[at + 2 * step] = a - b - c + d;
  data[at + 3 * step] = a - b + c - d;
}

/** `rounding` is in 1/6 of a step: 3 = nearest, 2 = the usual dead zone of intra pictures. Products stay below 2^31. */
export function quantise(value: number, scale: number, shift: number, rounding: number): number {
  const offset = ((1 << shift) * rounding) / 6;
  if (value < 0) return -((-value * scale + offset) >> shift);
  return (value * scale + offset) >> shift;
}
