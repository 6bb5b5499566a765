// Reads bits and Exp-Golomb numbers from a NAL unit payload (ITU-T H.264 7.3.1, 9.1); usable in browsers.

/** The only error of the parameter set parsers. */
export class BitstreamError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BitstreamError';
  }
}

/** Takes the emulation prevention bytes (00 00 03) out of a NAL unit (H.264 7.4.1, H.265 7.4.2). */
export function unescapeNal(nal: Uint8Array): Uint8Array {
  const out = new Uint8Array(nal.length);
  let length = 0;
  let zeros = 0;
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    out[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return out.subarray(0, length);
}

export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bitsLeft(): number {
    return this.#bytes.length * 8 - this.#at;
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) throw new BitstreamError('bitstream ends early');
    const value = (byte >> (7 - (this.#at & 7))) & 1;
    this.#at += 1;
    return value;
  }

  flag(): boolean {
    return this.bit() === 1;
  }

  /** Up to 32 bits, unsigned. */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 2 + this.bit();
    return value;
  }

  skip(count: number): void {
    if (count > this.bitsLeft()) throw new BitstreamError('bitstream ends early');
    this.#at += count;
  }

  /** ue(v) */
  unsignedGolomb(): number {
    let zeros = 0;
    while (this.bit() === 0) {
      zeros += 1;
      if (zeros > 31) throw new BitstreamError('Exp-Golomb number too long');
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** ue(v) with an upper bound that keeps later loops short. */
  bounded(maximum: number, what: string): number {
    const value = this.unsignedGolomb();
    if (value > maximum) throw new BitstreamError(`${what} out of range`);
    return value;
  }

  /** se(v) */
  signedGolomb(): number {
    const value = this.unsignedGolomb();
    return value % 2 === 1 ? (value + 1) / 2 : -(value / 2);
  }
}
