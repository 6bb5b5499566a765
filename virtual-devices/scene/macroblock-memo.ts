// Coded macroblocks kept for reuse, named by everything their coding depends on, in tables that never grow.

import { COUNTS_PER_MACROBLOCK } from './coefficient-counts.ts';

/** Samples of one macroblock, four to a word: 256 of luma, 64 of each chroma plane. */
export const SAMPLE_WORDS = 96;
/** Top and left neighbours' samples and counts, and the circumstances. */
export const CONTEXT_WORDS = 21;
export const KEY_WORDS = SAMPLE_WORDS + CONTEXT_WORDS;
/** Longer ones are coded anew: they are rare. */
export const MEMO_BYTES = 192;

/** A direct-mapped table: what comes to a taken place replaces what was there. */
export class MacroblockMemo {
  /** The macroblock being looked up: fill it, then call `find`. */
  readonly key = new Uint32Array(KEY_WORDS);
  readonly samples: Uint32Array;
  readonly counts: Uint8Array;
  /** The bits of each entry, left-aligned in `MEMO_BYTES` bytes. */
  readonly bits: Uint8Array;
  readonly bitLengths: Uint16Array;
  readonly #keys: Uint32Array;
  readonly #mask: number;
  #slot = 0;

  /** `entries` is a power of two; each takes about 1.1 KiB. */
  constructor(entries: number) {
    this.#mask = entries - 1;
    this.#keys = new Uint32Array(entries * KEY_WORDS);
    this.samples = new Uint32Array(entries * SAMPLE_WORDS);
    this.counts = new Uint8Array(entries * COUNTS_PER_MACROBLOCK);
    this.bits = new Uint8Array(entries * MEMO_BYTES);
    // Zero bits: an empty place.
    this.bitLengths = new Uint16Array(entries);
  }

  /** The entry of `key`, or -1. */
  find(): number {
    const { key } = this;
    const keys = this.#keys;
    this.#slot = hashOf(key) & this.#mask;
    if (this.bitLengths[this.#slot] === 0) return -1;
    const from = this.#slot * KEY_WORDS;
    for (let i = 0; i < KEY_WORDS; i++) if (keys[from + i] !== key[i]) return -1;
    return this.#slot;
  }

  /** Takes the place of the `key` that was just not found; the caller fills in the rest. */
  take(): number {
    this.#keys.set(this.key, this.#slot * KEY_WORDS);
    return this.#slot;
  }
}

function hashOf(words: Uint32Array): number {
  let hash = 0x9e3779b9;
  for (let i = 0; i < KEY_WORDS; i++) {
    hash = Math.imul(hash ^ (words[i] as number), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
