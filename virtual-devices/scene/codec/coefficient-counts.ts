// How many coefficients each 4x4 block of the picture being coded has: the contexts of the blocks after it (ITU-T H.264 clause 9.2.1).

/** Sixteen luma blocks, four of each chroma plane. */
export const COUNTS_PER_MACROBLOCK = 24;

export class CoefficientCounts {
  readonly luma: Uint8Array;
  readonly chroma: readonly [Uint8Array, Uint8Array];
  /** Blocks per row. */
  readonly lumaStride: number;
  readonly chromaStride: number;
  readonly #mbWidth: number;
  readonly #touched: number[] = [];

  constructor(mbWidth: number, mbHeight: number) {
    this.#mbWidth = mbWidth;
    this.lumaStride = mbWidth * 4;
    this.chromaStride = mbWidth * 2;
    const blocks = mbWidth * mbHeight * 4;
    this.luma = new Uint8Array(blocks * 4);
    this.chroma = [new Uint8Array(blocks), new Uint8Array(blocks)];
  }

  /** Macroblocks that the next picture skips count as having no coefficients. */
  clear(): void {
    for (const address of this.#touched) this.#zero(address);
    this.#touched.length = 0;
  }

  /** Call for every macroblock that is coded. */
  touch(address: number): void {
    this.#touched.push(address);
  }

  clearLuma(first: number): void {
    for (let row = 0; row < 4; row++) {
      const at = first + row * this.lumaStride;
      this.luma[at] = this.luma[at + 1] = this.luma[at + 2] = this.luma[at + 3] = 0;
    }
  }

  lumaAt(address: number): number {
    const mbX = address % this.#mbWidth;
    return ((address - mbX) * 4 + mbX) * 4;
  }

  chromaAt(address: number): number {
    const mbX = address % this.#mbWidth;
    return ((address - mbX) * 2 + mbX) * 2;
  }

  /** The counts of one macroblock, to `target` from `to` on. */
  save(address: number, target: Uint8Array, to: number): void {
    let next = to;
    const luma = this.lumaAt(address);
    for (let i = 0; i < 16; i++) target[next++] = this.luma[luma + (i >> 2) * this.lumaStride + (i & 3)] as number;
    const chroma = this.chromaAt(address);
    for (const counts of this.chroma) {
      for (let i = 0; i < 4; i++) target[next++] = counts[chroma + (i >> 1) * this.chromaStride + (i & 1)] as number;
    }
  }

  load(address: number, source: Uint8Array, from: number): void {
    let next = from;
    const luma = this.lumaAt(address);
    for (let i = 0; i < 16; i++) this.luma[luma + (i >> 2) * this.lumaStride + (i & 3)] = source[next++] as number;
    const chroma = this.chromaAt(address);
    for (const counts of this.chroma) {
      for (let i = 0; i < 4; i++) counts[chroma + (i >> 1) * this.chromaStride + (i & 1)] = source[next++] as number;
    }
  }

  #zero(address: number): void {
    this.clearLuma(this.lumaAt(address));
    const at = this.chromaAt(address);
    for (const counts of this.chroma) {
      counts[at] = counts[at + 1] = 0;
      counts[at + this.chromaStride] = counts[at + this.chromaStride + 1] = 0;
    }
  }
}
