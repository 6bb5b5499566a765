// Gives media times of one track their wall clock: from the device's sender reports where plausible, else from arrival.

/** A device whose clock is further off than this is not believed. */
const PLAUSIBLE_MS = 5000;
/** Beyond this the clock is set; below it is moved, so that wall times never go back. */
const JUMP_MS = 10_000;
/** Share of passed media time by which the clock may be moved. */
const SLEW = 0.05;
/** How fast the arrival estimate forgets an early packet: 1 ms per second. */
const FORGET = 0.001;

export class WallClock {
  /** Wall minus media time, as given out. */
  #offset: number | null = null;
  #arrivalOffset: number | null = null;
  #reportOffset: number | null = null;
  #lastMediaMs = 0;

  /** The media times that follow have nothing to do with those before. */
  restart(): void {
    this.#offset = null;
    this.#arrivalOffset = null;
    this.#reportOffset = null;
  }

  /** The device says that it was `ntpMs` at `mediaMs`. */
  report(mediaMs: number, ntpMs: number, arrivalMs: number): void {
    this.#reportOffset = Math.abs(ntpMs - arrivalMs) <= PLAUSIBLE_MS ? ntpMs - mediaMs : null;
  }

  get followsDevice(): boolean {
    return this.#reportOffset !== null;
  }

  /** Wall milliseconds of a unit at `mediaMs` that arrived at `arrivalMs`. */
  wallMs(mediaMs: number, arrivalMs: number): number {
    const passed = Math.max(0, mediaMs - this.#lastMediaMs);
    this.#lastMediaMs = Math.max(this.#lastMediaMs, mediaMs);
    // The smallest delay seen is the best guess: a unit cannot arrive before it was taken.
    const sample = arrivalMs - mediaMs;
    const before = this.#arrivalOffset;
    this.#arrivalOffset =
      before === null || Math.abs(sample - before) > JUMP_MS ? sample : Math.min(sample, before + passed * FORGET);
    const target = this.#target(mediaMs, arrivalMs);
    const offset = this.#offset;
    if (offset === null || Math.abs(target - offset) > JUMP_MS) this.#offset = target;
    else this.#offset = offset + Math.max(-SLEW * passed, Math.min(SLEW * passed, target - offset));
    return mediaMs + this.#offset;
  }

  #target(mediaMs: number, arrivalMs: number): number {
    if (this.#reportOffset !== null && Math.abs(mediaMs + this.#reportOffset - arrivalMs) > PLAUSIBLE_MS)
      this.#reportOffset = null;
    return this.#reportOffset ?? (this.#arrivalOffset as number);
  }
}
