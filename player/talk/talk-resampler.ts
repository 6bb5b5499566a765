// Brings audio of any rate down to 8 kHz: a windowed-sinc low-pass, so that nothing above 3.6 kHz folds back as noise.

const RATE = 8000;
/** Telephone speech ends at 3.4 kHz; what is left to 4 kHz is the slope of the filter. */
const CUTOFF_HZ = 3600;
/** Zero crossings of the sinc on each side: enough for 60 dB. */
const LOBES = 16;
/** Positions between two samples for which the filter is worked out. */
const PHASES = 64;

export class TalkResampler {
  readonly #step: number;
  readonly #half: number;
  readonly #taps: readonly Float32Array[];
  /** Samples that later outputs still need. */
  #kept: Float32Array;
  /** Where the next output lies, in samples of `#kept`. */
  #at: number;

  /** `rate`: samples per second of the input, 8000 or more. */
  constructor(rate: number) {
    this.#step = rate / RATE;
    // One lobe is half a period of the cut-off.
    this.#half = Math.ceil((LOBES * rate) / (2 * CUTOFF_HZ));
    this.#taps = Array.from({ length: PHASES }, (_, phase) => filter(phase / PHASES, this.#half, rate));
    this.#kept = new Float32Array(this.#half);
    this.#at = this.#half;
  }

  /** 16-bit samples at 8 kHz, as many as the input gives by now; behind by the length of half the filter (about 2 ms). */
  push(samples: Float32Array): Int16Array {
    const all = new Float32Array(this.#kept.length + samples.length);
    all.set(this.#kept);
    all.set(samples, this.#kept.length);
    const out: number[] = [];
    for (; this.#at + this.#half + 1 < all.length; this.#at += this.#step) out.push(this.#sample(all));
    const from = Math.floor(this.#at) - this.#half;
    this.#kept = all.slice(from);
    this.#at -= from;
    return Int16Array.from(out);
  }

  #sample(all: Float32Array): number {
    const whole = Math.floor(this.#at);
    const taps = this.#taps[Math.floor((this.#at - whole) * PHASES)] as Float32Array;
    const first = whole - this.#half;
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap++) sum += (all[first + tap] as number) * (taps[tap] as number);
    return Math.max(-32_768, Math.min(32_767, Math.round(sum * 32_768)));
  }
}

/** Taps for an output that lies `offset` of a sample after the middle one; their sum is 1. */
function filter(offset: number, half: number, rate: number): Float32Array {
  const taps = Float32Array.from({ length: 2 * half + 1 }, (_, tap) => {
    const x = tap - half - offset;
    const angle = (2 * Math.PI * CUTOFF_HZ * x) / rate;
    const sinc = x === 0 ? 1 : Math.sin(angle) / angle;
    return sinc * blackman(x / (half + 1));
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

/** From -1 to 1. */
function blackman(x: number): number {
  return Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
}
