// Health rules: classifies samples of a stream and of a device clock, with hysteresis before an alarm begins or ends. Pure.

export interface StreamSample {
  readonly state: string;
  /** `no-key-picture`: video arrives, and a keyframe is awaited. */
  readonly reason?: string | null;
  readonly lastFrameAt: number | null;
  /** Since the stream began: bytes, videoUnits, keyUnits, repeatedUnits; and pictureCovered, 1 while the view is covered. */
  readonly counters: Readonly<Record<string, number>>;
}

export const HEALTH_TYPES = [
  'VideoLossAlarm',
  'BandwidthExceeded',
  'PictureAbnormal',
  'PictureFrozen',
  'TamperAlarm',
] as const;
export type StreamHealthType = (typeof HEALTH_TYPES)[number];

/** Milliseconds. */
interface HysteresisTimes {
  readonly raiseAfter: number;
  readonly clearAfter: number;
}

const HYSTERESIS: Record<StreamHealthType, HysteresisTimes> = {
  VideoLossAlarm: { raiseAfter: 6000, clearAfter: 4000 },
  BandwidthExceeded: { raiseAfter: 30_000, clearAfter: 30_000 },
  PictureAbnormal: { raiseAfter: 30_000, clearAfter: 15_000 },
  PictureFrozen: { raiseAfter: 20_000, clearAfter: 10_000 },
  // Looked at every ten seconds: twice is no passer-by.
  TamperAlarm: { raiseAfter: 12_000, clearAfter: 12_000 },
};
const STALE_MS = 8000;
/** So many times what is usual is too much. */
const TOO_MUCH = 4;
/** Below it nothing is too much. */
const LEAST_KBPS = 500;
/** A keyframe must come this often, or twice as rarely as it was seen to. */
const GOP_MAX_MS = 20_000;
export const AWAITING_KEYFRAME = 'no-key-picture';
const REPEATED_SHARE = 0.8;
/** Share of each look in what is usual. */
const LEARNING_RATE = 0.02;
/** Looks before anything is usual. */
const LEARNING_SAMPLES = 12;

/** Turns a flapping yes and no into a beginning and an end. */
export class Hysteresis {
  readonly #times: HysteresisTimes;
  #since: number | null = null;
  isRaised: boolean;

  /** `isRaised`: as a run before left it. */
  constructor(patience: HysteresisTimes, isRaised = false) {
    this.#times = patience;
    this.isRaised = isRaised;
  }

  /** True where it has just begun or ended. */
  update(isBad: boolean, now: number): boolean {
    if (isBad === this.isRaised) {
      this.#since = null;
      return false;
    }
    this.#since ??= now;
    if (now - this.#since < (isBad ? this.#times.raiseAfter : this.#times.clearAfter)) return false;
    this.isRaised = isBad;
    this.#since = null;
    return true;
  }
}

export interface HealthChange {
  readonly type: StreamHealthType;
  readonly isBad: boolean;
  readonly data: Readonly<Record<string, string>>;
}

/** What the growth of the counters since the last look says. */
interface StreamRates {
  readonly kbps: number;
  readonly isTooMuch: boolean;
  readonly isWithoutKey: boolean;
  readonly isFrozen: boolean;
}
const NO_RATES: StreamRates = { kbps: 0, isTooMuch: false, isWithoutKey: false, isFrozen: false };

export class StreamHealthRules {
  readonly #states: ReadonlyMap<StreamHealthType, Hysteresis>;
  #before: { readonly at: number; readonly counters: Readonly<Record<string, number>> } | null = null;
  #usualKbps = 0;
  #samples = 0;
  #keyAt: number | null = null;
  /** The longest time between two keyframes so far. */
  #longestGopMs = 0;

  /** `raised`: what a run before left open. */
  constructor(raised: ReadonlySet<string> = new Set()) {
    this.#states = new Map(HEALTH_TYPES.map((type) => [type, new Hysteresis(HYSTERESIS[type], raised.has(type))]));
  }

  /** What began or ended with this look. */
  update(look: StreamSample, now: number): HealthChange[] {
    const isAbsent = isVideoMissing(look, now);
    const isAwaitingKeyframe = look.reason === AWAITING_KEYFRAME;
    const isMissing = isAbsent && !isAwaitingKeyframe;
    const rates = isAbsent ? null : this.#rates(look, now);
    const { isTooMuch, kbps, isWithoutKey, isFrozen } = rates ?? NO_RATES;
    const found: Record<StreamHealthType, readonly [boolean, Record<string, string>]> = {
      VideoLossAlarm: [isMissing, { reason: 'noVideo' }],
      BandwidthExceeded: [isTooMuch, { kbps: text(kbps), usualKbps: text(this.#usualKbps) }],
      PictureAbnormal: [isWithoutKey || (isAbsent && isAwaitingKeyframe), { reason: 'noKeyPictures' }],
      PictureFrozen: [isFrozen, {}],
      TamperAlarm: [!isMissing && look.counters['pictureCovered'] === 1, { reason: 'covered' }],
    };
    return HEALTH_TYPES.flatMap((type) => {
      const [isBad, data] = found[type];
      return this.#states.get(type)?.update(isBad, now) ? [{ type, isBad, data }] : [];
    });
  }

  #rates({ counters }: StreamSample, now: number): StreamRates | null {
    const before = this.#before;
    this.#before = { at: now, counters };
    const grown = (name: string) => (counters[name] ?? 0) - (before?.counters[name] ?? 0);
    // After a restart of the stream its counters begin anew.
    if (before === null || grown('bytes') < 0 || now <= before.at) {
      this.#keyAt = now;
      return null;
    }
    const kbps = (grown('bytes') * 8) / (now - before.at);
    this.#noteKeyframes(grown('keyUnits'), now);
    const units = grown('videoUnits');
    const isTooMuch = this.#samples >= LEARNING_SAMPLES && kbps > Math.max(LEAST_KBPS, this.#usualKbps * TOO_MUCH);
    if (!isTooMuch) {
      this.#usualKbps =
        this.#samples === 0 ? kbps : this.#usualKbps + (kbps - this.#usualKbps) * learningRate(this.#samples);
      this.#samples += 1;
    }
    return {
      kbps,
      isTooMuch,
      isWithoutKey:
        units > 0 && this.#keyAt !== null && now - this.#keyAt > Math.max(GOP_MAX_MS, this.#longestGopMs * 2),
      isFrozen: units > 0 && grown('repeatedUnits') >= units * REPEATED_SHARE,
    };
  }

  /** Some devices have keyframes a minute apart, and are as they should be. */
  #noteKeyframes(count: number, now: number): void {
    if (count === 0) return;
    if (this.#keyAt !== null && count === 1) this.#longestGopMs = Math.max(this.#longestGopMs, now - this.#keyAt);
    this.#keyAt = now;
  }
}

export function isVideoMissing({ state, lastFrameAt }: StreamSample, now: number): boolean {
  return state !== 'playing' || lastFrameAt === null || now - lastFrameAt > STALE_MS;
}

function learningRate(looks: number): number {
  return Math.max(LEARNING_RATE, 1 / (looks + 1));
}

function text(kbps: number): string {
  return String(Math.round(kbps));
}

/** Milliseconds between a device's clock and ours. */
const CLOCK = { raise: 60_000, clear: 20_000, events: 3 } as const;

/** The smallest of some differences: an event that is told late does not make a clock wrong. */
export class ClockDrift {
  #recent: number[] = [];
  #isWrong: boolean;

  constructor(isWrong = false) {
    this.#isWrong = isWrong;
  }

  /** Null where nothing changed. */
  update(deviceAt: number, at: number): { readonly isBad: boolean; readonly driftS: number } | null {
    this.#recent = [...this.#recent, deviceAt - at].slice(-CLOCK.events);
    const least = this.#recent.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
    const isBad = this.#isWrong
      ? Math.abs(least) > CLOCK.clear
      : this.#recent.length >= CLOCK.events && Math.abs(least) > CLOCK.raise;
    if (isBad === this.#isWrong) return null;
    this.#isWrong = isBad;
    return { isBad, driftS: Math.round(least / 1000) };
  }
}
