// Reference-counted memory for access units: a slab returns to its pool when its last holder released it.

/** Of most pictures. */
export const SLAB_BYTES = 65_536;
/** All sizes are powers of two. */
const SMALLEST_BYTES = 8192;
/** 8 KiB to 1 MiB; what needs more is left to the collector. */
const SIZES = 8;
/** After so many slabs were handed out, those that nobody needed meanwhile are let go. */
const TRIM_EVERY = 1024;
const POISON = 0xdb;

/**
 * Whoever keeps bytes of a slab beyond the call that brought them holds it, and releases it once. Whoever cannot say when it
 * is done keeps it: the collector then frees it as any other memory. A hold that is forgotten costs no more than that.
 */
export class Slab {
  readonly bytes: Buffer;
  readonly #giveBack: ((bytes: Buffer) => void) | null;
  #holds = 1;
  #isKept = false;

  /** Held once, by whoever asked for it. */
  constructor(bytes: Buffer, giveBack: ((bytes: Buffer) => void) | null) {
    this.bytes = bytes;
    this.#giveBack = giveBack;
  }

  hold(): void {
    if (this.#holds === 0) throw new RangeError('the slab was given back');
    this.#holds += 1;
  }

  release(): void {
    if (this.#holds === 0) throw new RangeError('the slab was given back');
    this.#holds -= 1;
    if (this.#holds === 0 && !this.#isKept) this.#giveBack?.(this.bytes);
  }

  /** Its bytes are never written again. */
  keep(): void {
    if (this.#holds === 0 && !this.#isKept) throw new RangeError('the slab was given back');
    this.#isKept = true;
  }
}

interface SizeClass {
  readonly bytes: number;
  readonly free: Buffer[];
  /** Fewest free ones since the last trim. */
  least: number;
}

export interface SlabPoolOptions {
  /** Overwrites what is given back, so that who reads it too late is found out. */
  readonly poison?: boolean;
}

export class SlabPool {
  readonly #classes: readonly SizeClass[] = Array.from({ length: SIZES }, (_, index) => ({
    bytes: SMALLEST_BYTES << index,
    free: [],
    least: 0,
  }));
  readonly #poison: boolean;
  #untilTrim = TRIM_EVERY;

  constructor({ poison = false }: SlabPoolOptions = {}) {
    this.#poison = poison;
  }

  get freeBytes(): number {
    return this.#classes.reduce((sum, { bytes, free }) => sum + bytes * free.length, 0);
  }

  /** Of at least so many bytes, whatever they hold. */
  take(bytes: number): Slab {
    const size = this.#classes.find((one) => one.bytes >= bytes);
    if (!size) return new Slab(Buffer.allocUnsafeSlow(bytes), null);
    this.#untilTrim -= 1;
    if (this.#untilTrim === 0) this.#trim();
    const memory = size.free.pop() ?? Buffer.allocUnsafeSlow(size.bytes);
    size.least = Math.min(size.least, size.free.length);
    return new Slab(memory, (given) => {
      if (this.#poison) given.fill(POISON);
      size.free.push(given);
    });
  }

  #trim(): void {
    this.#untilTrim = TRIM_EVERY;
    for (const size of this.#classes) {
      size.free.length -= size.least;
      size.least = size.free.length;
    }
  }
}
