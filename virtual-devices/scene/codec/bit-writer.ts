// Writes the bit strings of an H.264 raw byte sequence payload and wraps them into a NAL unit (ITU-T H.264 clauses 7.3.1, 9.1).

export class BitWriter {
  private bytes: Uint8Array;
  private length = 0;
  private pending = 0;
  private pendingBits = 0;

  constructor(capacity = 65_536) {
    this.bytes = new Uint8Array(capacity);
  }

  reset(): void {
    this.length = 0;
    this.pending = 0;
    this.pendingBits = 0;
  }

  /** `count` is 0 to 24: more would overflow the 32-bit accumulator. */
  bits(value: number, count: number): void {
    this.pending = (this.pending << count) | value;
    this.pendingBits += count;
    while (this.pendingBits >= 8) {
      this.pendingBits -= 8;
      if (this.length === this.bytes.length) this.grow();
      this.bytes[this.length++] = this.pending >>> this.pendingBits;
    }
    this.pending &= (1 << this.pendingBits) - 1;
  }

  /** 32-bit value in two halves. */
  word(value: number): void {
    this.bits(value >>> 16, 16);
    this.bits(value & 0xffff, 16);
  }

  /** ue(v). */
  unsigned(value: number): void {
    const code = value + 1;
    const length = 31 - Math.clz32(code);
    if (length > 0) {
      if (length <= 12) {
        this.bits(code, length * 2 + 1);
        return;
      }
      this.bits(0, length);
    }
    this.bits(code, length + 1);
  }

  /** se(v). */
  signed(value: number): void {
    this.unsigned(value > 0 ? value * 2 - 1 : -value * 2);
  }

  /** Since the last `reset`. */
  get bitLength(): number {
    return this.length * 8 + this.pendingBits;
  }

  /** What was written so far, filled up with zeros to whole bytes; a view until the next call. */
  aligned(): Uint8Array {
    if (this.pendingBits > 0) this.bits(0, 8 - this.pendingBits);
    return this.bytes.subarray(0, this.length);
  }

  /** Bits that another writer wrote, left-aligned in `source` from byte `from` on. */
  append(source: Uint8Array, from: number, bitCount: number): void {
    let at = from;
    let left = bitCount;
    for (; left >= 16; left -= 16, at += 2) {
      this.bits(((source[at] as number) << 8) | (source[at + 1] as number), 16);
    }
    if (left >= 8) {
      this.bits(source[at++] as number, 8);
      left -= 8;
    }
    if (left > 0) this.bits((source[at] as number) >>> (8 - left), left);
  }

  /** Closes the payload with its stop bit and returns it as a NAL unit with emulation prevention, without a start code. */
  toNal(...header: readonly number[]): Uint8Array {
    this.bits(1, 1);
    return this.wrap(header);
  }

  /** The same where the payload brings its own stop bit. */
  wrap(header: readonly number[]): Uint8Array {
    return wrapNal(header, this.aligned());
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

function wrapNal(header: readonly number[], payload: Uint8Array): Uint8Array {
  const nal = new Uint8Array(header.length + payload.length + (payload.length >> 1) + 1);
  nal.set(header);
  let at = header.length;
  let zeros = 0;
  for (let i = 0; i < payload.length; i++) {
    const byte = payload[i] as number;
    if (zeros === 2 && byte <= 3) {
      nal[at++] = 3;
      zeros = 0;
    }
    nal[at++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return nal.slice(0, at);
}
