// A picture in 4:2:0: luma and two chroma planes whose sizes are padded to whole macroblocks.

export interface Planes {
  /** Padded luma width; chroma planes are half of it. */
  readonly stride: number;
  /** Padded luma height. */
  readonly rows: number;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
  /** The same samples four at a time: macroblocks are copied and compared so. */
  readonly words: PlaneWords;
}

export interface PlaneWords {
  readonly y: Uint32Array;
  readonly u: Uint32Array;
  readonly v: Uint32Array;
}

export const MACROBLOCK = 16;

export function createPlanes(width: number, height: number): Planes {
  const stride = Math.ceil(width / MACROBLOCK) * MACROBLOCK;
  const rows = Math.ceil(height / MACROBLOCK) * MACROBLOCK;
  const plane = (size: number, value: number) => new Uint8Array(size).fill(value);
  const y = plane(stride * rows, 16);
  const u = plane((stride * rows) / 4, 128);
  const v = plane((stride * rows) / 4, 128);
  const words = { y: new Uint32Array(y.buffer), u: new Uint32Array(u.buffer), v: new Uint32Array(v.buffer) };
  return { stride, rows, y, u, v, words };
}

/** In luma pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Copies one rectangle of whole macroblocks, given in luma pixels. */
export function copyRectangle(
  target: Planes,
  source: Planes,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const stride = target.stride >> 2;
  copyWords(target.words.y, source.words.y, stride, x >> 2, y, width >> 2, height);
  copyWords(target.words.u, source.words.u, stride >> 1, x >> 3, y >> 1, width >> 3, height >> 1);
  copyWords(target.words.v, source.words.v, stride >> 1, x >> 3, y >> 1, width >> 3, height >> 1);
}

/** Plain loops: for rows this short they beat `set`. */
function copyWords(
  target: Uint32Array,
  source: Uint32Array,
  stride: number,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  for (let row = y; row < y + height; row++) {
    for (let at = row * stride + x, end = at + width; at < end; at++) target[at] = source[at] as number;
  }
}
