// Derives the capture time of a track's units: from the device's sender reports where plausible, else from arrival.

/** A device whose clock is further off than its pictures can be late is not believed: this machine's clock is nearer. */
const PLAUSIBLE_MS = 2000;
/** Beyond this the clock is set; below it is moved, so that wall times never go back. */
const JUMP_MS = 10_000;
/** Share of passed media time by which the clock may be moved. */
const SLEW = 0.05;
/** The first pictures may come late or in a bunch: soon after the start the clock is moved faster. */
const SETTLING_MS = 6000;
const SETTLING_SLEW = 0.5;
/** How fast the arrival estimate forgets an early packet: 1 ms per second. */
const FORGET = 0.001;
/** After a jump of the device's times, or while its line is moved, nothing that was learned before fits: it is learned anew this quickly for so long. */
const LOOSE_MS = 15_000;
const LOOSE_FORGET = 0.1;
/** A report that comes late says less than one that came in time; only what stays away is forgotten, a little with each report. */
const OFFSET_FORGET_MS = 50;

/** What was learned of a device's clock; it outlives connections, so that a new one need not wait for its first report. */
export interface DeviceClock {
  /** Ahead of ours, less the way its packets take; null while unknown. */
  offsetMs: number | null;
}

export class CaptureClock {
  readonly #device: DeviceClock;
  /** Of the device's clock, until it reports on this connection or its times jump. */
  #assumedOffset: number;
  /** Wall minus media time, as given out; NaN before the first unit: null would make each change of a number an object. */
  #offset = Number.NaN;
  /** NaN like it. */
  #arrivalOffset = Number.NaN;
  #reportOffset: number | null = null;
  #lastMediaMs = 0;
  #firstMediaMs = 0;
  #looseUntilMs = -Infinity;

  constructor(device: DeviceClock = { offsetMs: null }) {
    this.#device = device;
    this.#assumedOffset = device.offsetMs ?? 0;
  }

  /** The device's times have nothing to do any more with those it reported. */
  forgetReport(): void {
    this.#reportOffset = null;
    if (this.#hasBegun) this.#assumedOffset = 0;
    this.loosen();
  }

  /** The line on which the times lie is not what it was. */
  loosen(): void {
    if (this.#hasBegun) this.#looseUntilMs = this.#lastMediaMs + LOOSE_MS;
  }

  /** The device says that it was `ntpMs` at `mediaMs`. */
  report(mediaMs: number, ntpMs: number, arrivalMs: number): void {
    const isPlausible = Math.abs(ntpMs - arrivalMs) <= PLAUSIBLE_MS;
    this.#reportOffset = isPlausible ? ntpMs - mediaMs : null;
    this.#assumedOffset = 0;
    const before = this.#device.offsetMs ?? -Infinity;
    this.#device.offsetMs = isPlausible ? Math.max(ntpMs - arrivalMs, before - OFFSET_FORGET_MS) : null;
  }

  get #hasBegun(): boolean {
    return !Number.isNaN(this.#offset);
  }

  get followsDevice(): boolean {
    return this.#reportOffset !== null;
  }

  /** Wall milliseconds of a unit at `mediaMs` that arrived at `arrivalMs`. */
  wallMs(mediaMs: number, arrivalMs: number): number {
    const passed = this.#hasBegun ? Math.max(0, mediaMs - this.#lastMediaMs) : 0;
    this.#lastMediaMs = this.#hasBegun ? Math.max(this.#lastMediaMs, mediaMs) : mediaMs;
    // The smallest delay seen is the best guess: a unit cannot arrive before it was taken.
    const sample = arrivalMs - mediaMs;
    const before = this.#arrivalOffset;
    const forget = mediaMs < this.#looseUntilMs ? LOOSE_FORGET : FORGET;
    this.#arrivalOffset =
      Number.isNaN(before) || Math.abs(sample - before) > JUMP_MS ? sample : Math.min(sample, before + passed * forget);
    this.#move(this.#target(mediaMs, arrivalMs), passed, mediaMs);
    return mediaMs + this.#offset;
  }

  /** Of a unit whose arrival says nothing: as those before it. Null before the first. */
  steadyMs(mediaMs: number): number | null {
    return this.#hasBegun ? mediaMs + this.#offset : null;
  }

  #move(target: number, passed: number, mediaMs: number): void {
    const offset = this.#offset;
    if (Number.isNaN(offset) || Math.abs(target - offset) > JUMP_MS) {
      this.#offset = target;
      this.#firstMediaMs = mediaMs;
      return;
    }
    const isSettling = mediaMs - this.#firstMediaMs < SETTLING_MS || mediaMs < this.#looseUntilMs;
    const most = (isSettling ? SETTLING_SLEW : SLEW) * passed;
    this.#offset = offset + Math.max(-most, Math.min(most, target - offset));
  }

  #target(mediaMs: number, arrivalMs: number): number {
    if (this.#reportOffset !== null && Math.abs(mediaMs + this.#reportOffset - arrivalMs) > PLAUSIBLE_MS)
      this.#reportOffset = null;
    return this.#reportOffset ?? this.#arrivalOffset + this.#assumedOffset;
  }
}
