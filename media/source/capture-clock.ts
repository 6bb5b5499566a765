// Derives the capture time of a track's units: from the device's sender reports where plausible, else from arrival.

/** A device clock further off than this is ignored: arrival times are more accurate. */
const PLAUSIBLE_MS = 2000;
/** Larger corrections are applied at once; smaller ones gradually, so that times never go back. */
const JUMP_MS = 10_000;
/** Rate of gradual correction, as a share of media time. */
const SLEW = 0.05;
/** The first frames may arrive late or in a burst: shortly after the start the correction is faster. */
const SETTLING_MS = 6000;
const SETTLING_SLEW = 0.5;
/** Decay of the arrival estimate: 1 ms per second. */
const FORGET = 0.001;
/** After a jump of the device's times the old estimate is useless: a new one is learned at this rate for this long. */
const LOOSE_MS = 15_000;
const LOOSE_FORGET = 0.1;
/** Late reports matter less than early ones; the estimate follows a lasting change slowly, report by report. */
const OFFSET_FORGET_MS = 50;

/** Estimate of a device's clock; kept over connections, so that a new one need not wait for its first report. */
export interface DeviceClock {
  /** Lead over our clock, less the packets' travel time; null while unknown. */
  offsetMs: number | null;
}

export class CaptureClock {
  readonly #device: DeviceClock;
  /** From the device's clock, until it reports on this connection or its times jump. */
  #assumedOffset: number;
  /** Capture time minus media time, as returned; NaN before the first unit (null would allocate on each change). */
  #offset = Number.NaN;
  /** NaN like it. */
  #arrivalOffset = Number.NaN;
  #reportOffset: number | null = null;
  /** Of the newest report, plausible or not. */
  #statedOffset: number | null = null;
  #lastMediaMs = 0;
  #firstMediaMs = 0;
  #looseUntilMs = -Infinity;

  constructor(device: DeviceClock = { offsetMs: null }) {
    this.#device = device;
    this.#assumedOffset = device.offsetMs ?? 0;
  }

  /** The device's times jumped: earlier reports are void. */
  forgetReport(): void {
    this.#reportOffset = null;
    this.#statedOffset = null;
    if (this.#hasBegun) this.#assumedOffset = 0;
    this.loosen();
  }

  /** The time line was changed. */
  loosen(): void {
    if (this.#hasBegun) this.#looseUntilMs = this.#lastMediaMs + LOOSE_MS;
  }

  /** The device reports the time `ntpMs` at `mediaMs`. */
  report(mediaMs: number, ntpMs: number, arrivalMs: number): void {
    const isPlausible = Math.abs(ntpMs - arrivalMs) <= PLAUSIBLE_MS;
    this.#statedOffset = ntpMs - mediaMs;
    this.#reportOffset = isPlausible ? this.#statedOffset : null;
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

  /** How much later the capture times given here are than those of the device's own clock; null while it reports none. */
  get leadMs(): number | null {
    return this.#hasBegun && this.#statedOffset !== null ? this.#offset - this.#statedOffset : null;
  }

  /** Capture time in ms of a unit at `mediaMs` that arrived at `arrivalMs`. */
  wallMs(mediaMs: number, arrivalMs: number): number {
    const passed = this.#hasBegun ? Math.max(0, mediaMs - this.#lastMediaMs) : 0;
    this.#lastMediaMs = this.#hasBegun ? Math.max(this.#lastMediaMs, mediaMs) : mediaMs;
    // The smallest delay is the best estimate: a unit cannot arrive before its capture.
    const sample = arrivalMs - mediaMs;
    const before = this.#arrivalOffset;
    const forget = mediaMs < this.#looseUntilMs ? LOOSE_FORGET : FORGET;
    this.#arrivalOffset =
      Number.isNaN(before) || Math.abs(sample - before) > JUMP_MS ? sample : Math.min(sample, before + passed * forget);
    this.#move(this.#target(mediaMs, arrivalMs), passed, mediaMs);
    return mediaMs + this.#offset;
  }

  /** For a unit whose arrival time is meaningless: continues from those before. Null before the first. */
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
