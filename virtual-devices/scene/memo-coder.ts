// Codes macroblocks as the intra coder does, but takes from a memo what was coded before in the same surroundings.

import { BitWriter } from './bit-writer.ts';
import { COUNTS_PER_MACROBLOCK } from './coefficient-counts.ts';
import type { IntraCoder } from './intra-coder.ts';
import { type MacroblockMemo, MEMO_BYTES, SAMPLE_WORDS } from './macroblock-memo.ts';
import type { Planes, PlaneWords } from './planes.ts';

export class MemoCoder {
  readonly #coder: IntraCoder;
  readonly #memo: MacroblockMemo;
  readonly #qp: number;
  readonly #mbWidth: number;
  readonly #known: PlaneWords;
  readonly #scratch = new BitWriter(4096);
  readonly #context: Uint8Array;

  constructor(coder: IntraCoder, memo: MacroblockMemo, qp: number) {
    this.#coder = coder;
    this.#memo = memo;
    this.#qp = qp;
    this.#mbWidth = coder.reconstruction.stride >> 4;
    this.#known = coder.reconstruction.words;
    this.#context = new Uint8Array(memo.key.buffer, SAMPLE_WORDS * 4);
  }

  /** As `IntraCoder.code`, with the same bits and the same reconstruction. */
  code(writer: BitWriter, source: Planes, address: number, firstInSlice: number, typeOffset: number): void {
    const memo = this.#memo;
    copySamples(memo.key, 0, source.words, this.#mbWidth, address, true);
    this.#describeContext(address, firstInSlice, typeOffset);
    const found = memo.find();
    if (found >= 0) {
      copySamples(memo.samples, found * SAMPLE_WORDS, this.#known, this.#mbWidth, address, false);
      this.#coder.counts.load(address, memo.counts, found * COUNTS_PER_MACROBLOCK);
      this.#coder.counts.touch(address);
      writer.append(memo.bits, found * MEMO_BYTES, memo.bitLengths[found] as number);
      return;
    }
    const scratch = this.#scratch;
    scratch.reset();
    this.#coder.code(scratch, source, address, firstInSlice, typeOffset);
    const { bitLength } = scratch;
    const bytes = scratch.aligned();
    writer.append(bytes, 0, bitLength);
    if (bytes.length > MEMO_BYTES) return;
    const slot = memo.take();
    memo.bits.set(bytes, slot * MEMO_BYTES);
    memo.bitLengths[slot] = bitLength;
    copySamples(memo.samples, slot * SAMPLE_WORDS, this.#known, this.#mbWidth, address, true);
    this.#coder.counts.save(address, memo.counts, slot * COUNTS_PER_MACROBLOCK);
  }

  /** Samples and counts of the neighbours that prediction and contexts look at. */
  #describeContext(address: number, firstInSlice: number, typeOffset: number): void {
    const context = this.#context;
    const mbX = address % this.#mbWidth;
    const left = mbX > 0 && address - 1 >= firstInSlice;
    const top = address - this.#mbWidth >= firstInSlice;
    context.fill(0);
    context[80] = (left ? 1 : 0) | (top ? 2 : 0);
    context[81] = typeOffset;
    context[82] = this.#qp;
    const { y, u, v, stride } = this.#coder.reconstruction;
    const { luma, chroma, lumaStride, chromaStride } = this.#coder.counts;
    const lumaAt = (address - mbX) * 256 + mbX * 16;
    const chromaAt = (address - mbX) * 64 + mbX * 8;
    const lumaCount = this.#coder.counts.lumaAt(address);
    const chromaCount = this.#coder.counts.chromaAt(address);
    if (left) {
      column(context, 0, y, lumaAt - 1, stride, 16);
      column(context, 16, u, chromaAt - 1, stride >> 1, 8);
      column(context, 24, v, chromaAt - 1, stride >> 1, 8);
      column(context, 64, luma, lumaCount - 1, lumaStride, 4);
      column(context, 68, chroma[0], chromaCount - 1, chromaStride, 2);
      column(context, 70, chroma[1], chromaCount - 1, chromaStride, 2);
    }
    if (top) {
      column(context, 32, y, lumaAt - stride, 1, 16);
      column(context, 48, u, chromaAt - (stride >> 1), 1, 8);
      column(context, 56, v, chromaAt - (stride >> 1), 1, 8);
      column(context, 72, luma, lumaCount - lumaStride, 1, 4);
      column(context, 76, chroma[0], chromaCount - chromaStride, 1, 2);
      column(context, 78, chroma[1], chromaCount - chromaStride, 1, 2);
    }
  }
}

function column(target: Uint8Array, to: number, plane: Uint8Array, from: number, step: number, count: number): void {
  for (let i = 0, at = from; i < count; i++, at += step) target[to + i] = plane[at] as number;
}

/** Between a macroblock of a picture and 96 words in a row. */
function copySamples(
  row: Uint32Array,
  from: number,
  picture: PlaneWords,
  mbWidth: number,
  address: number,
  out: boolean,
): void {
  const mbX = address % mbWidth;
  const above = address - mbX;
  const luma = picture.y;
  let to = from;
  for (let line = 0, at = above * 64 + mbX * 4; line < 16; line++, at += mbWidth * 4) {
    for (let i = 0; i < 4; i++, to++) {
      if (out) row[to] = luma[at + i] as number;
      else luma[at + i] = row[to] as number;
    }
  }
  const chroma = above * 16 + mbX * 2;
  for (let plane = picture.u, turn = 0; turn < 2; turn++, plane = picture.v) {
    for (let line = 0, at = chroma; line < 8; line++, at += mbWidth * 2, to += 2) {
      if (out) {
        row[to] = plane[at] as number;
        row[to + 1] = plane[at + 1] as number;
      } else {
        plane[at] = row[to] as number;
        plane[at + 1] = row[to + 1] as number;
      }
    }
  }
}
