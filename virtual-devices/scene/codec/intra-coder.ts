// Codes one Intra16x16 macroblock and keeps the decoder's exact reconstruction (ITU-T H.264 clauses 7.3.5, 8.3.3, 8.3.4, 8.5).

import type { BitWriter } from './bit-writer.ts';
import { CHROMA_DC, writeResidual } from './cavlc.ts';
import { CoefficientCounts } from './coefficient-counts.ts';
import { createPlanes, type Planes } from './planes.ts';
import { chromaDc, createPrediction, predictChroma, predictLuma } from './intra-prediction.ts';
import {
  chromaQp,
  forward4x4,
  hadamard4x4,
  inverse4x4,
  type Quantiser,
  quantise,
  quantiser,
  zigzag,
} from './transform.ts';

/** Which neighbours there are: for the contexts of coefficient counts, and for prediction, which may look at intra macroblocks alone. */
export const LEFT_COUNTS = 1;
export const TOP_COUNTS = 2;
export const LEFT_SAMPLES = 4;
export const TOP_SAMPLES = 8;

/** Luma block order: four 8x8 quadrants, four blocks in each. */
const blockX = new Uint8Array([0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3]);
const blockY = new Uint8Array([0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]);

const NEAREST = 3;
const DEAD_ZONE = 2;

export class IntraCoder {
  readonly reconstruction: Planes;
  readonly counts: CoefficientCounts;
  private readonly luma: Quantiser;
  private readonly chroma: Quantiser;
  private readonly mbWidth: number;
  private readonly prediction = createPrediction();
  private readonly residual = new Int32Array(256);
  private readonly chromaResidual = [new Int32Array(64), new Int32Array(64)] as const;
  private readonly dc = new Int32Array(16);
  private readonly scanned = new Int32Array(16);
  private readonly levels = new Int32Array(256);
  private readonly chromaLevels = [new Int32Array(64), new Int32Array(64)] as const;
  private readonly chromaDcLevels = [new Int32Array(4), new Int32Array(4)] as const;

  constructor(width: number, height: number, qp: number) {
    this.reconstruction = createPlanes(width, height);
    this.luma = quantiser(qp);
    this.chroma = quantiser(chromaQp(qp));
    this.mbWidth = this.reconstruction.stride / 16;
    this.counts = new CoefficientCounts(this.mbWidth, this.reconstruction.rows / 16);
  }

  /** `counts` are cleared before each picture. `neighbours` is a sum of the constants above, `typeOffset` is 5 in a P slice. */
  code(writer: BitWriter, source: Planes, address: number, neighbours: number, typeOffset: number): void {
    const mbX = address % this.mbWidth;
    const mbY = (address - mbX) / this.mbWidth;
    const left = (neighbours & LEFT_COUNTS) !== 0;
    const top = (neighbours & TOP_COUNTS) !== 0;
    const seesLeft = (neighbours & LEFT_SAMPLES) !== 0;
    const seesTop = (neighbours & TOP_SAMPLES) !== 0;
    const lumaMode = predictLuma(this.prediction, source, this.reconstruction, mbX, mbY, seesLeft, seesTop);
    const chromaMode = predictChroma(this.prediction, source, this.reconstruction, mbX, mbY, seesLeft, seesTop);
    const lumaAc = this.transformLuma(source, mbX, mbY);
    const acCb = this.transformChroma(0, source.u, source.stride >> 1, mbX, mbY);
    const acCr = this.transformChroma(1, source.v, source.stride >> 1, mbX, mbY);
    const chromaPattern = acCb || acCr ? 2 : this.hasChromaDc() ? 1 : 0;
    writer.unsigned(typeOffset + 1 + lumaMode + 4 * chromaPattern + (lumaAc ? 12 : 0));
    writer.unsigned(chromaMode);
    writer.unsigned(0); // mb_qp_delta
    this.counts.touch(address);
    this.writeLuma(writer, mbX, mbY, left, top, lumaAc);
    this.writeChroma(writer, mbX, mbY, left, top, chromaPattern);
    this.reconstructLuma(mbX, mbY, lumaAc);
    this.reconstructChroma(0, this.reconstruction.u, mbX, mbY, chromaPattern === 2);
    this.reconstructChroma(1, this.reconstruction.v, mbX, mbY, chromaPattern === 2);
  }

  private transformLuma(source: Planes, mbX: number, mbY: number): boolean {
    const { residual, levels, dc, luma, prediction } = this;
    let hasAc = false;
    for (let block = 0; block < 16; block++) {
      const x0 = (blockX[block] as number) * 4;
      const y0 = (blockY[block] as number) * 4;
      const at = block * 16;
      const first = (mbY * 16 + y0) * source.stride + mbX * 16 + x0;
      if (subtract(residual, at, source.y, first, source.stride, prediction.luma, y0 * 16 + x0, 16)) {
        dc[(blockY[block] as number) * 4 + (blockX[block] as number)] = (residual[at] as number) * 16;
        levels.fill(0, at, at + 16);
        continue;
      }
      forward4x4(residual, at);
      dc[(blockY[block] as number) * 4 + (blockX[block] as number)] = residual[at] as number;
      levels[at] = 0;
      if (this.quantiseAc(residual, levels, at, luma)) hasAc = true;
    }
    hadamard4x4(dc);
    for (let i = 0; i < 16; i++) dc[i] = quantise(dc[i] as number, luma.dcForward, luma.shift + 2, NEAREST);
    return hasAc;
  }

  private transformChroma(component: 0 | 1, plane: Uint8Array, stride: number, mbX: number, mbY: number): boolean {
    const residual = this.chromaResidual[component];
    const levels = this.chromaLevels[component];
    const prediction = this.prediction.chroma[component];
    let hasAc = false;
    for (let block = 0; block < 4; block++) {
      const x0 = (block & 1) * 4;
      const y0 = (block >> 1) * 4;
      const at = block * 16;
      const first = (mbY * 8 + y0) * stride + mbX * 8 + x0;
      if (subtract(residual, at, plane, first, stride, prediction, y0 * 8 + x0, 8)) {
        residual[at] = (residual[at] as number) * 16;
        levels.fill(0, at, at + 16);
        continue;
      }
      forward4x4(residual, at);
      if (this.quantiseAc(residual, levels, at, this.chroma)) hasAc = true;
    }
    const out = this.chromaDcLevels[component];
    chromaDc(residual[0] as number, residual[16] as number, residual[32] as number, residual[48] as number, out);
    for (let i = 0; i < 4; i++)
      out[i] = quantise(out[i] as number, this.chroma.dcForward, this.chroma.shift + 1, NEAREST);
    return hasAc;
  }

  private quantiseAc(residual: Int32Array, levels: Int32Array, at: number, { forward, shift }: Quantiser): boolean {
    const offset = ((1 << shift) * DEAD_ZONE) / 6;
    let hasAc = false;
    for (let i = 1; i < 16; i++) {
      const position = zigzag[i] as number;
      const value = residual[at + position] as number;
      const size = ((value < 0 ? -value : value) * (forward[position] as number) + offset) >> shift;
      levels[at + i] = value < 0 ? -size : size;
      if (size !== 0) hasAc = true;
    }
    return hasAc;
  }

  private hasChromaDc(): boolean {
    return this.chromaDcLevels.some((levels) => levels.some((level) => level !== 0));
  }

  private writeLuma(writer: BitWriter, mbX: number, mbY: number, left: boolean, top: boolean, ac: boolean): void {
    const { luma: counts, lumaStride: stride } = this.counts;
    const first = mbY * 4 * stride + mbX * 4;
    for (let i = 0; i < 16; i++) this.scanned[i] = this.dc[zigzag[i] as number] as number;
    writeResidual(writer, this.scanned, 0, 16, context(counts, first, stride, left, top));
    if (!ac) {
      this.counts.clearLuma(first);
      return;
    }
    for (let block = 0; block < 16; block++) {
      const x = blockX[block] as number;
      const y = blockY[block] as number;
      const at = first + y * stride + x;
      const nC = context(counts, at, stride, left || x > 0, top || y > 0);
      counts[at] = writeResidual(writer, this.levels, block * 16 + 1, 15, nC);
    }
  }

  private writeChroma(writer: BitWriter, mbX: number, mbY: number, left: boolean, top: boolean, pattern: number): void {
    if (pattern === 0) return;
    writeResidual(writer, this.chromaDcLevels[0], 0, 4, CHROMA_DC);
    writeResidual(writer, this.chromaDcLevels[1], 0, 4, CHROMA_DC);
    if (pattern === 1) return;
    const stride = this.counts.chromaStride;
    for (const component of [0, 1] as const) {
      const counts = this.counts.chroma[component];
      for (let block = 0; block < 4; block++) {
        const x = block & 1;
        const y = block >> 1;
        const at = (mbY * 2 + y) * stride + mbX * 2 + x;
        const nC = context(counts, at, stride, left || x > 0, top || y > 0);
        counts[at] = writeResidual(writer, this.chromaLevels[component], block * 16 + 1, 15, nC);
      }
    }
  }

  private reconstructLuma(mbX: number, mbY: number, ac: boolean): void {
    const { dc, residual, levels, luma, prediction } = this;
    const { y: plane, stride } = this.reconstruction;
    hadamard4x4(dc);
    for (let block = 0; block < 16; block++) {
      const at = block * 16;
      const x0 = (blockX[block] as number) * 4;
      const y0 = (blockY[block] as number) * 4;
      const scaled = scaleLumaDc(dc[(blockY[block] as number) * 4 + (blockX[block] as number)] as number, luma);
      if (ac) {
        for (let i = 1; i < 16; i++) {
          const position = zigzag[i] as number;
          residual[at + position] = (levels[at + i] as number) * (luma.inverse[position] as number);
        }
        residual[at] = scaled;
        inverse4x4(residual, at);
      } else {
        residual.fill((scaled + 32) >> 6, at, at + 16);
      }
      for (let row = 0; row < 4; row++) {
        let t = (mbY * 16 + y0 + row) * stride + mbX * 16 + x0;
        let p = (y0 + row) * 16 + x0;
        for (let i = at + row * 4, end = i + 4; i < end; i++) {
          plane[t++] = clip((prediction.luma[p++] as number) + (residual[i] as number));
        }
      }
    }
  }

  private reconstructChroma(component: 0 | 1, plane: Uint8Array, mbX: number, mbY: number, ac: boolean): void {
    const levels = this.chromaLevels[component];
    const residual = this.chromaResidual[component];
    const prediction = this.prediction.chroma[component];
    const stride = this.reconstruction.stride >> 1;
    const dc = this.chromaDcLevels[component];
    chromaDc(dc[0] as number, dc[1] as number, dc[2] as number, dc[3] as number, dc);
    for (let block = 0; block < 4; block++) {
      const at = block * 16;
      const x0 = (block & 1) * 4;
      const y0 = (block >> 1) * 4;
      const scaled = ((dc[block] as number) * this.chroma.dcInverse * 2 ** this.chroma.period) >> 5;
      if (ac) {
        for (let i = 1; i < 16; i++) {
          const position = zigzag[i] as number;
          residual[at + position] = (levels[at + i] as number) * (this.chroma.inverse[position] as number);
        }
        residual[at] = scaled;
        inverse4x4(residual, at);
      } else {
        residual.fill((scaled + 32) >> 6, at, at + 16);
      }
      for (let row = 0; row < 4; row++) {
        let t = (mbY * 8 + y0 + row) * stride + mbX * 8 + x0;
        let p = (y0 + row) * 8 + x0;
        for (let i = at + row * 4, end = i + 4; i < end; i++) {
          plane[t++] = clip((prediction[p++] as number) + (residual[i] as number));
        }
      }
    }
  }
}

/** Leaves in `residual` from `at` on what a 4x4 block has beyond its prediction. True where it is the same everywhere. */
function subtract(
  residual: Int32Array,
  at: number,
  plane: Uint8Array,
  planeAt: number,
  planeStride: number,
  prediction: Uint8Array,
  predictionAt: number,
  predictionStride: number,
): boolean {
  let isFlat = true;
  for (let row = 0; row < 4; row++) {
    let s = planeAt + row * planeStride;
    let p = predictionAt + row * predictionStride;
    for (let i = at + row * 4, end = i + 4; i < end; i++) {
      const value = (plane[s++] as number) - (prediction[p++] as number);
      residual[i] = value;
      if (value !== residual[at]) isFlat = false;
    }
  }
  return isFlat;
}

function context(counts: Uint8Array, at: number, stride: number, left: boolean, top: boolean): number {
  if (left && top) return ((counts[at - 1] as number) + (counts[at - stride] as number) + 1) >> 1;
  if (left) return counts[at - 1] as number;
  return top ? (counts[at - stride] as number) : 0;
}

function scaleLumaDc(value: number, luma: Quantiser): number {
  const scaled = value * luma.dcInverse;
  if (luma.period >= 6) return scaled * 2 ** (luma.period - 6);
  return (scaled + (1 << (5 - luma.period))) >> (6 - luma.period);
}

function clip(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
