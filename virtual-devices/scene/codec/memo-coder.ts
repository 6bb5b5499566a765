// Codes macroblocks as the intra coder does, but takes from a memo what was coded before in the same surroundings.

import { BitWriter } from './bit-writer.ts';
import { COUNTS_PER_MACROBLOCK } from './coefficient-counts.ts';
import { type IntraCoder, LEFT_COUNTS, LEFT_SAMPLES, TOP_COUNTS, TOP_SAMPLES } from './intra-coder.ts';
import { EDGE_BYTES, type MacroblockMemo, MEMO_BYTES, SAMPLE_WORDS } from './macroblock-memo.ts';
import type { Planes, PlaneWords } from './planes.ts';

/** Where the parts of the surroundings lie in a key; samples lie as in the edges of an entry. */
const COUNTS_AT = 64;
const CIRCUMSTANCES_AT = 80;

export class MemoCoder {
  readonly #coder: IntraCoder;
  readonly #memo: MacroblockMemo;
  readonly #qp: number;
  readonly #mbWidth: number;
  readonly #scratch = new BitWriter(4096);
  readonly #context: Uint8Array;

  constructor(coder: IntraCoder, memo: MacroblockMemo, qp: number) {
    this.#coder = coder;
    this.#memo = memo;
    this.#qp = qp;
    this.#mbWidth = coder.reconstruction.stride >> 4;
    this.#context = new Uint8Array(memo.key.buffer, SAMPLE_WORDS * 4);
  }

  /** As `IntraCoder.code`, with the same bits; of the reconstruction only what neighbours look at. */
  code(writer: BitWriter, source: Planes, address: number, neighbours: number, typeOffset: number): void {
    const memo = this.#memo;
    copySamples(memo.key, source.words, this.#mbWidth, address);
    this.#describeContext(address, neighbours, typeOffset);
    const found = memo.find();
    if (found >= 0) {
      this.#copyEdges(address, memo.edges, found * EDGE_BYTES, false);
      this.#coder.counts.load(address, memo.counts, found * COUNTS_PER_MACROBLOCK);
      this.#coder.counts.touch(address);
      writer.append(memo.bits, found * MEMO_BYTES, memo.bitLengths[found] as number);
      return;
    }
    const scratch = this.#scratch;
    scratch.reset();
    this.#coder.code(scratch, source, address, neighbours, typeOffset);
    const { bitLength } = scratch;
    const bytes = scratch.aligned();
    writer.append(bytes, 0, bitLength);
    if (bytes.length > MEMO_BYTES) return;
    const slot = memo.take();
    memo.bits.set(bytes, slot * MEMO_BYTES);
    memo.bitLengths[slot] = bitLength;
    this.#copyEdges(address, memo.edges, slot * EDGE_BYTES, true);
    this.#coder.counts.save(address, memo.counts, slot * COUNTS_PER_MACROBLOCK);
  }

  /** Samples and counts of the neighbours that prediction and contexts look at. */
  #describeContext(address: number, neighbours: number, typeOffset: number): void {
    const context = this.#context;
    context.fill(0);
    context[CIRCUMSTANCES_AT] = neighbours;
    context[CIRCUMSTANCES_AT + 1] = typeOffset;
    context[CIRCUMSTANCES_AT + 2] = this.#qp;
    if (neighbours & LEFT_SAMPLES) this.#copyColumns(address - 1, context, 0, true);
    if (neighbours & TOP_SAMPLES) this.#copyRows(address - this.#mbWidth, context, 32, true);
    const { counts } = this.#coder;
    const { luma, chroma, lumaStride, chromaStride } = counts;
    const lumaAt = counts.lumaAt(address);
    const chromaAt = counts.chromaAt(address);
    if (neighbours & LEFT_COUNTS) {
      take(context, COUNTS_AT, luma, lumaAt - 1, lumaStride, 4);
      take(context, COUNTS_AT + 4, chroma[0], chromaAt - 1, chromaStride, 2);
      take(context, COUNTS_AT + 6, chroma[1], chromaAt - 1, chromaStride, 2);
    }
    if (neighbours & TOP_COUNTS) {
      take(context, COUNTS_AT + 8, luma, lumaAt - lumaStride, 1, 4);
      take(context, COUNTS_AT + 12, chroma[0], chromaAt - chromaStride, 1, 2);
      take(context, COUNTS_AT + 14, chroma[1], chromaAt - chromaStride, 1, 2);
    }
  }

  #copyEdges(address: number, row: Uint8Array, from: number, out: boolean): void {
    this.#copyColumns(address, row, from, out);
    this.#copyRows(address, row, from + 32, out);
  }

  /** The right column of a macroblock in all planes. */
  #copyColumns(address: number, row: Uint8Array, from: number, out: boolean): void {
    const { y, u, v, stride } = this.#coder.reconstruction;
    const mbX = address % this.#mbWidth;
    const luma = (address - mbX) * 256 + mbX * 16 + 15;
    const chroma = (address - mbX) * 64 + mbX * 8 + 7;
    const copy = out ? take : put;
    copy(row, from, y, luma, stride, 16);
    copy(row, from + 16, u, chroma, stride >> 1, 8);
    copy(row, from + 24, v, chroma, stride >> 1, 8);
  }

  /** The bottom row of a macroblock in all planes. */
  #copyRows(address: number, row: Uint8Array, from: number, out: boolean): void {
    const { y, u, v, stride } = this.#coder.reconstruction;
    const mbX = address % this.#mbWidth;
    const luma = (address - mbX) * 256 + mbX * 16 + 15 * stride;
    const chroma = (address - mbX) * 64 + mbX * 8 + 7 * (stride >> 1);
    const copy = out ? take : put;
    copy(row, from, y, luma, 1, 16);
    copy(row, from + 16, u, chroma, 1, 8);
    copy(row, from + 24, v, chroma, 1, 8);
  }
}

function take(row: Uint8Array, to: number, plane: Uint8Array, from: number, step: number, count: number): void {
  for (let i = 0, at = from; i < count; i++, at += step) row[to + i] = plane[at] as number;
}

function put(row: Uint8Array, from: number, plane: Uint8Array, to: number, step: number, count: number): void {
  for (let i = 0, at = to; i < count; i++, at += step) plane[at] = row[from + i] as number;
}

/** A macroblock of a picture as 96 words in a row. */
function copySamples(row: Uint32Array, picture: PlaneWords, mbWidth: number, address: number): void {
  const mbX = address % mbWidth;
  const above = address - mbX;
  let to = 0;
  for (let line = 0, at = above * 64 + mbX * 4; line < 16; line++, at += mbWidth * 4) {
    for (let i = 0; i < 4; i++) row[to++] = picture.y[at + i] as number;
  }
  const chroma = above * 16 + mbX * 2;
  for (let plane = picture.u, turn = 0; turn < 2; turn++, plane = picture.v) {
    for (let line = 0, at = chroma; line < 8; line++, at += mbWidth * 2) {
      row[to++] = plane[at] as number;
      row[to++] = plane[at + 1] as number;
    }
  }
}
