// How each macroblock of a P picture is coded, and the motion that decoders expect of the next one (ITU-T H.264 clauses 8.4.1.1, 8.4.1.3).

/** Whole luma pixels from where the samples stood in the picture before to where they stand now; even, so that chroma moves by whole ones too. */
export interface Motion {
  readonly x: number;
  readonly y: number;
}

/** 0 stands still. */
const MOVED = 1;
const INTRA = 2;

const UNAVAILABLE = -1;

export class MotionField {
  readonly #mbWidth: number;
  readonly #kinds: Uint8Array;
  readonly #xs: Int16Array;
  readonly #ys: Int16Array;
  readonly #touched: number[] = [];

  constructor(mbWidth: number, mbHeight: number) {
    this.#mbWidth = mbWidth;
    this.#kinds = new Uint8Array(mbWidth * mbHeight);
    this.#xs = new Int16Array(mbWidth * mbHeight);
    this.#ys = new Int16Array(mbWidth * mbHeight);
  }

  /** Before each P picture: every macroblock stands still until told otherwise. */
  clear(): void {
    for (const address of this.#touched) this.#kinds[address] = this.#xs[address] = this.#ys[address] = 0;
    this.#touched.length = 0;
  }

  setIntra(address: number): void {
    this.#kinds[address] = INTRA;
    this.#touched.push(address);
  }

  setMoved(address: number, { x, y }: Motion): void {
    this.#kinds[address] = MOVED;
    this.#xs[address] = x;
    this.#ys[address] = y;
    this.#touched.push(address);
  }

  isIntra(address: number): boolean {
    return this.#kinds[address] === INTRA;
  }

  /** What a decoder takes for the motion of a macroblock that is skipped. */
  skipped(address: number): Motion {
    const mbX = address % this.#mbWidth;
    const isStill =
      mbX === 0 || address < this.#mbWidth || this.#isStill(address - 1) || this.#isStill(address - this.#mbWidth);
    return isStill ? { x: 0, y: 0 } : this.predicted(address);
  }

  /** What the motion of a macroblock is coded as a difference from. */
  predicted(address: number): Motion {
    const mbX = address % this.#mbWidth;
    const hasTop = address >= this.#mbWidth;
    const left = mbX > 0 ? address - 1 : UNAVAILABLE;
    if (!hasTop) return this.#motionOf(left);
    const top = address - this.#mbWidth;
    const corner = mbX + 1 < this.#mbWidth ? top + 1 : mbX > 0 ? top - 1 : UNAVAILABLE;
    const inter = [left, top, corner].filter((one) => one !== UNAVAILABLE && !this.isIntra(one));
    if (inter.length === 1) return this.#motionOf(inter[0] as number);
    const [a, b, c] = [this.#motionOf(left), this.#motionOf(top), this.#motionOf(corner)];
    return { x: middle(a.x, b.x, c.x), y: middle(a.y, b.y, c.y) };
  }

  #isStill(address: number): boolean {
    return !this.isIntra(address) && this.#xs[address] === 0 && this.#ys[address] === 0;
  }

  #motionOf(address: number): Motion {
    if (address === UNAVAILABLE) return { x: 0, y: 0 };
    return { x: this.#xs[address] as number, y: this.#ys[address] as number };
  }
}

function middle(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
