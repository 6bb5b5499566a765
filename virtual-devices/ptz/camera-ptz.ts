// PTZ and lens of one virtual camera: its position is a function of the clock, so that timeouts hold to the millisecond.

export interface PtzPosition {
  /** −1 to 1: left and down are negative. */
  readonly pan: number;
  readonly tilt: number;
  /** 0 widest, 1 nearest. */
  readonly zoom: number;
}

export type PtzAxis = keyof PtzPosition | 'focus';

export interface PtzPreset {
  readonly token: string;
  readonly name: string;
  readonly place: PtzPosition;
}

interface Drive {
  /** Per second at full speed 1. */
  readonly velocity: number;
  readonly from: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Where a way to a preset ends, to the last bit. */
  readonly to: number | null;
}

/** Full speed, per second. */
const PACE: Readonly<Record<PtzAxis, number>> = { pan: 0.8, tilt: 0.8, zoom: 0.5, focus: 0.5 };
const LEAST: Readonly<Record<PtzAxis, number>> = { pan: -1, tilt: -1, zoom: 0, focus: 0 };
const SHARP = 0.5;
export const MOST_PRESETS = 300;
export const IRIS_MOST_DB = 30;
const TOUR_STAY_MS = 3000;

export class CameraPtz {
  readonly #nowMs: () => number;
  readonly #drives: Record<PtzAxis, Drive>;
  readonly switches = { light: false, wiper: false };
  /** Attenuation in dB. */
  irisDb = 0;
  presets: PtzPreset[] = [{ token: '1', name: 'Overview', place: { pan: 0, tilt: 0, zoom: 0 } }];
  #madePresets = 1;
  #tour: NodeJS.Timeout | null = null;
  readonly counters = { moves: 0, stops: 0 };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    const still = (from: number): Drive => ({ velocity: 0, from, sinceMs: 0, untilMs: 0, to: null });
    this.#drives = { pan: still(0), tilt: still(0), zoom: still(0), focus: still(SHARP) };
  }

  get place(): PtzPosition {
    return { pan: this.#at('pan'), tilt: this.#at('tilt'), zoom: this.#at('zoom') };
  }

  /** 0 sharp, 1 as blurred as it gets. */
  get blur(): number {
    return Math.abs(this.#at('focus') - SHARP) * 2;
  }

  get isMoving(): boolean {
    return (['pan', 'tilt', 'zoom'] as const).some((axis) => this.isMovingOn(axis));
  }

  get isTouring(): boolean {
    return this.#tour !== null;
  }

  isMovingOn(axis: PtzAxis): boolean {
    const { velocity, untilMs } = this.#drives[axis];
    if (velocity === 0 || this.#nowMs() >= untilMs) return false;
    const at = this.#at(axis);
    return velocity > 0 ? at < 1 : at > LEAST[axis];
  }

  /** Of the named axes alone; `speed` −1 to 1. */
  move(speeds: Partial<Record<PtzAxis, number>>, durationMs: number): void {
    this.counters.moves += 1;
    this.endTour();
    this.#drive(speeds, durationMs);
  }

  stop(axes: readonly PtzAxis[]): void {
    this.counters.stops += 1;
    this.endTour();
    this.#drive(Object.fromEntries(axes.map((axis) => [axis, 0])), 0);
  }

  goto(place: PtzPosition): void {
    for (const axis of ['pan', 'tilt', 'zoom'] as const) {
      const way = place[axis] - this.#at(axis);
      this.#drive({ [axis]: Math.sign(way) }, (Math.abs(way) / PACE[axis]) * 1000, place[axis]);
    }
  }

  addPreset(name: string): PtzPreset {
    this.#madePresets += 1;
    const preset = { token: String(this.#madePresets), name, place: this.place };
    this.presets.push(preset);
    return preset;
  }

  startTour(): void {
    this.endTour();
    let next = 0;
    const goOn = (): void => {
      const preset = this.presets[next % Math.max(1, this.presets.length)];
      if (preset) this.goto(preset.place);
      next += 1;
    };
    goOn();
    this.#tour = setInterval(goOn, TOUR_STAY_MS);
    this.#tour.unref();
  }

  endTour(): void {
    if (this.#tour !== null) clearInterval(this.#tour);
    this.#tour = null;
  }

  #drive(speeds: Partial<Record<PtzAxis, number>>, durationMs: number, to: number | null = null): void {
    const sinceMs = this.#nowMs();
    for (const [axis, speed] of Object.entries(speeds) as [PtzAxis, number][]) {
      const velocity = Math.max(-1, Math.min(1, speed)) * PACE[axis];
      this.#drives[axis] = { velocity, from: this.#at(axis), sinceMs, untilMs: sinceMs + durationMs, to };
    }
  }

  #at(axis: PtzAxis): number {
    const { velocity, from, sinceMs, untilMs, to } = this.#drives[axis];
    if (to !== null && this.#nowMs() >= untilMs) return to;
    const seconds = Math.max(0, Math.min(this.#nowMs(), untilMs) - sinceMs) / 1000;
    return Math.max(LEAST[axis], Math.min(1, from + velocity * seconds));
  }
}
