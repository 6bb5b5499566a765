// The share of the machine that edge intelligence keeps to: what frames and their decoders took in the last minute, and from when on the next frame may be looked at.
import { MinuteSum } from './minute-sum.ts';

/** Most of the machine's processors that may be taken, percent. */
export const CAP_PERCENT = 50;
/** Left to frames where decoding alone takes the rest: analysis becomes slow, and never stops. */
const FRAMES_LEAST_PERCENT = 10;

/** Times are monotonic, ms; `cpuMs` is processor time. */
export class MachineShare {
  readonly #processors: number;
  readonly #frames = new MinuteSum();
  readonly #decoding = new MinuteSum();
  #liveFrom = 0;
  #spareFrom = 0;

  constructor(processors: number) {
    this.#processors = processors;
  }

  /** Earliest next frame. */
  get liveFrom(): number {
    return this.#liveFrom;
  }

  /** Earliest next frame of recordings, which wait for what decoding them took too. */
  get spareFrom(): number {
    return this.#spareFrom;
  }

  /** Of all processors. */
  usedPercent(now: number): number {
    return Math.min(100, this.#percentOf(this.#frames, now) + this.#percentOf(this.#decoding, now));
  }

  spentOnFrame(startedAt: number, now: number, cpuMs: number): void {
    this.#frames.add(now, cpuMs);
    const left = Math.max(FRAMES_LEAST_PERCENT, CAP_PERCENT - this.#percentOf(this.#decoding, now));
    this.#liveFrom = startedAt + cpuMs / ((left / 100) * this.#processors);
  }

  /** Decoding live video, and coding pictures of what was seen in it: frames get what this leaves. */
  spentOnDecoding(now: number, cpuMs: number): void {
    this.#decoding.add(now, cpuMs);
  }

  /** Frames of recordings, before the analyst had them. */
  spentOnSpare(now: number, cpuMs: number): void {
    this.#frames.add(now, cpuMs);
    this.#spareFrom = Math.max(now, this.#spareFrom) + cpuMs / ((CAP_PERCENT / 100) * this.#processors);
  }

  #percentOf(sum: MinuteSum, now: number): number {
    return sum.of(now) / 600 / this.#processors;
  }
}
