// Coded macroblocks kept for reuse, named by everything their coding depends on, in tables that never grow.

import { COUNTS_PER_MACROBLOCK } from './coefficient-counts.ts';

/** Samples of one macroblock, four to a word: 256 of luma, 64 of each chroma plane. */
export const SAMPLE_WORDS = 96;
/** Top and left neighbours' samples and counts, and the circumstances. */
export const CONTEXT_WORDS = 21;
export const KEY_WORDS = SAMPLE_WORDS + CONTEXT_WORDS;
/** Samples of its right column and bottom row, which its own neighbours look at. */
export const EDGE_BYTES = 64;
/** Longer ones are coded anew: they are rare. */
export const MEMO_BYTES = 160;

/** A direct-mapped table: what comes to a taken place replaces what was there. */
export class MacroblockMemo {
  /** The macroblock being looked up: fill it, then call `find`. */
  readonly key = new Uint32Array(KEY_WORDS);
  readonly edges: Uint8Array;
  readonly counts: Uint8Array;
  /** The bits of each entry, left-aligned in `MEMO_BYTES` bytes. */
  readonly bits: Uint8Array;
  readonly bitLengths: Uint16Array;
  /** Two hashes of each key: keys that differ and agree in all 64 bits do not occur. */
  readonly #hashes: Uint32Array;
  readonly #mask: number;
  #slot = 0;
  #first = 0;
  #second = 0;

  /** `entries` is a power of two; each takes about a quarter of a KiB. */
  constructor(entries: number) {
    this.#mask = entries - 1;
    this.#hashes = new Uint32Array(entries * 2);
    this.edges = new Uint8Array(entries * EDGE_BYTES);
    this.counts = new Uint8Array(entries * COUNTS_PER_MACROBLOCK);
    this.bits = new Uint8Array(entries * MEMO_BYTES);
    // Zero bits: an empty place.
    this.bitLengths = new Uint16Array(entries);
  }

  /** The entry of `key`, or -1. */
  find(): number {
    this.#hash();
    const slot = this.#slot;
    const isKnown =
      this.bitLengths[slot] !== 0 &&
      this.#hashes[slot * 2] === this.#first &&
      this.#hashes[slot * 2 + 1] === this.#second;
    return isKnown ? slot : -1;
  }

  /** Takes the place of the `key` that was just not found; the caller fills in the rest. */
  take(): number {
    this.#hashes[this.#slot * 2] = this.#first;
    this.#hashes[this.#slot * 2 + 1] = this.#second;
    return this.#slot;
  }

  #hash(): void {
    let first = 0x9e3779b9;
    let second = 0x7f4a7c15;
    for (let i = 0; i < KEY_WORDS; i++) {
      const word = this.key[i] as number;
      first = Math.imul(first ^ word, 0x85ebca6b);
      first ^= first >>> 15;
      second = Math.imul(second ^ word, 0xc2b2ae35);
      second ^= second >>> 13;
    }
    first = Math.imul(first, 0xc2b2ae35);
    this.#first = (first ^ (first >>> 16)) >>> 0;
    this.#second = second >>> 0;
    this.#slot = this.#first & this.#mask;
  }
}
