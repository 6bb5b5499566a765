// Arena memory for access units: each is written once, in place, with room ahead of it for a fragment header.
import { SLAB_BYTES, type Slab, type SlabPool } from './slab-pool.ts';

/** The largest access unit kept; a device that sends more has lost its marker bits. */
export const ACCESS_UNIT_LIMIT = 16 * 1024 * 1024;

/**
 * Hands out slices of slabs. One unit is open at a time. A slab lives as long as any of its units, so neighbours in time
 * (a GOP) share their slabs. Without a pool it is never written again.
 */
export class UnitArena {
  readonly #room: number;
  readonly #slabBytes: number;
  readonly #pool: SlabPool | null;
  #owner: Slab | null = null;
  #slab: Buffer;
  #start: number;
  #end: number;

  /** `room` bytes ahead of every unit belong to whoever receives the unit first. */
  constructor(room: number, slabBytes: number = SLAB_BYTES, pool: SlabPool | null = null) {
    this.#room = room;
    this.#slabBytes = slabBytes;
    this.#pool = pool;
    this.#slab = Buffer.allocUnsafeSlow(0);
    this.#start = 0;
    this.#end = 0;
  }

  /** Where the unit finished last lies, held until the next one needs more room; undefined without a pool. */
  get slab(): Slab | undefined {
    return this.#owner ?? undefined;
  }

  /** Bytes of the open unit. */
  get length(): number {
    return this.#end - this.#start;
  }

  get isFull(): boolean {
    return this.length > ACCESS_UNIT_LIMIT;
  }

  append(source: Uint8Array, from: number, to: number): void {
    const count = to - from;
    this.#require(count);
    if (source instanceof Buffer) source.copy(this.#slab, this.#end, from, to);
    else this.#slab.set(source.subarray(from, to), this.#end);
    this.#end += count;
  }

  appendByte(value: number): void {
    this.#require(1);
    this.#slab[this.#end++] = value;
  }

  append32(value: number): void {
    this.#require(4);
    this.#slab.writeUInt32BE(value, this.#end);
    this.#end += 4;
  }

  /** Overwrites 32 bits of the open unit, `at` from its start. */
  patch32(at: number, value: number): void {
    this.#slab.writeUInt32BE(value, this.#start + at);
  }

  /** Of the open unit, `at` from its start. */
  byteAt(at: number): number {
    return this.#slab[this.#start + at] as number;
  }

  /** The open unit from `from` on, for reading until it changes. */
  view(from: number): Buffer {
    return this.#slab.subarray(this.#start + from, this.#end);
  }

  /** Forgets what was written after `length` bytes of the open unit. */
  truncate(length: number): void {
    this.#end = this.#start + length;
  }

  /** Closes the open unit and hands it out; it is not written again before its slab is given back. */
  finish(): Buffer {
    const unit = this.#slab.subarray(this.#start, this.#end);
    this.#start = this.#end + this.#room;
    this.#end = this.#start;
    return unit;
  }

  #require(count: number): void {
    if (this.#end + count <= this.#slab.length) return;
    const length = this.length;
    const needed = this.#room + length + count;
    // A big picture gets a slab with room to grow, so that it moves only a few times.
    const size = needed > this.#slabBytes / 2 ? Math.max(this.#slabBytes, 2 * needed) : this.#slabBytes;
    const owner = this.#pool?.take(size) ?? null;
    const slab = owner?.bytes ?? Buffer.allocUnsafeSlow(size);
    if (length > 0) this.#slab.copy(slab, this.#room, this.#start, this.#end);
    this.#owner?.release();
    this.#owner = owner;
    this.#slab = slab;
    this.#start = this.#room;
    this.#end = this.#start + length;
  }
}
