// Mutations of inputs: bits, lengths, repeats, cuts, splices, dictionary words.

/** In [0, 1). */
export type Random = () => number;

/** Mulberry32: small, fast, the same everywhere for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const INPUT_MAX_BYTES = 64 * 1024;
const TELLING = [0, 1, 2, 0x1f, 0x20, 0x7f, 0x80, 0xfe, 0xff];
const TELLING_32 = [0, 1, 7, 8, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
const MOST_CHANGES = 6;

export interface MutateOptions {
  readonly random: Random;
  readonly corpus: readonly Buffer[];
  /** Words that mean something in the format. */
  readonly words: readonly string[];
}

export function mutate(input: Uint8Array, options: MutateOptions): Buffer {
  const { random } = options;
  let bytes: Buffer = Buffer.from(input);
  for (let left = 1 + Math.floor(random() * MOST_CHANGES); left > 0; left -= 1) bytes = change(bytes, options);
  return bytes.length > INPUT_MAX_BYTES ? bytes.subarray(0, INPUT_MAX_BYTES) : bytes;
}

function change(bytes: Buffer, { random, corpus, words }: MutateOptions): Buffer {
  const below = (limit: number): number => Math.floor(random() * limit);
  const at = below(bytes.length + 1);
  const changed = CHANGES[below(CHANGES.length)] ?? truncated;
  return changed({ bytes, at, below, random, corpus, words });
}

interface ChangeInput extends MutateOptions {
  readonly bytes: Buffer;
  readonly at: number;
  /** Drawn, and smaller than the limit. */
  readonly below: (limit: number) => number;
}

const CHANGES: readonly ((input: ChangeInput) => Buffer)[] = [
  ({ bytes, at, below }) => put(bytes, at, [(bytes[at] ?? 0) ^ (1 << below(8))]),
  ({ bytes, at, below }) => put(bytes, at, [TELLING[below(TELLING.length)] ?? 0]),
  tellingNumber,
  ({ bytes, at, below }) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(32))]),
  (input) => inserted(input, piece(input)),
  repeated,
  ({ bytes, at, below, corpus }) => {
    const other = corpus[below(corpus.length)] ?? bytes;
    const from = below(other.length + 1);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from)]);
  },
  (input) => inserted(input, Buffer.from(input.words[input.below(input.words.length)] ?? '\0')),
  truncated,
  ({ bytes, at, below }) => put(bytes, at, [below(256)]),
];

function tellingNumber({ bytes, at, below, random }: ChangeInput): Buffer {
  const word = Buffer.alloc(4);
  word.writeUInt32BE(TELLING_32[below(TELLING_32.length)] ?? 0);
  return put(bytes, at, word.subarray(random() < 0.5 ? 2 : 0));
}

function repeated(input: ChangeInput): Buffer {
  const { below, random } = input;
  const one = piece(input);
  return inserted(input, Buffer.concat(Array.from({ length: 1 + below(random() < 0.1 ? 2000 : 20) }, () => one)));
}

function truncated({ bytes, at }: ChangeInput): Buffer {
  return bytes.subarray(0, at);
}

function piece({ bytes, at, below }: ChangeInput): Buffer {
  return bytes.subarray(at, Math.min(bytes.length, at + 1 + below(64)));
}

function inserted({ bytes, at }: ChangeInput, what: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), what, bytes.subarray(at)]);
}

function put(bytes: Buffer, at: number, values: Uint8Array | readonly number[]): Buffer {
  const changed = Buffer.from(bytes);
  for (const [index, value] of values.entries()) if (at + index < changed.length) changed[at + index] = value;
  return changed;
}
