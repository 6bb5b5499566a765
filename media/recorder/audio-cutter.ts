// Collects the sound between two pictures and lays it on the time line of the run by its wall clock.
import type { AccessUnit, AudioFormat } from '../stream/stream.ts';
import type { FragmentPart, FragmentSample } from './fragment.ts';

/** Sound that strays this far from its wall clock (two clocks in the device) is laid anew. */
const DRIFT_MS = 300;
const AAC_FRAME_TICKS = 1024;

export class AudioCutter {
  readonly #format: AudioFormat;
  #units: AccessUnit[] = [];
  /** Of each unit, on the run's time line. */
  #ticks: number[] = [];
  /** Run ticks minus the source's decode time; null until the first unit after a break. */
  #offset: number | null = null;
  #endTicks = 0;

  constructor(format: AudioFormat) {
    this.#format = format;
  }

  /** `runMs` is the unit's place on the run's time line by wall clock. False: it lies before the run and was left out. */
  add(unit: AccessUnit, runMs: number): boolean {
    const byWall = Math.round((runMs * this.#format.sampleRate) / 1000);
    const drift = (DRIFT_MS * this.#format.sampleRate) / 1000;
    if (this.#offset === null || Math.abs(unit.dts + this.#offset - byWall) > drift) {
      this.#offset = Math.max(byWall, this.#endTicks) - unit.dts;
    }
    const ticks = unit.dts + this.#offset;
    if (ticks < 0) return false;
    if (ticks < this.#endTicks && this.#units.length === 0) this.#offset += this.#endTicks - ticks;
    this.#units.push(unit);
    this.#ticks.push(unit.dts + this.#offset);
    this.#endTicks = unit.dts + this.#offset + this.#nominalTicks(unit);
    return true;
  }

  /** The source's decode times start anew. */
  break(): void {
    this.#offset = null;
  }

  /** What was collected since the last call. */
  take(): FragmentPart | null {
    const [units, ticks] = [this.#units, this.#ticks];
    const [startTicks] = ticks;
    if (startTicks === undefined) return null;
    this.#units = [];
    this.#ticks = [];
    let bytes = 0;
    const samples = units.map((unit, index): FragmentSample => {
      const { data } = unit;
      bytes += data.length;
      const passed = (ticks[index + 1] ?? 0) - (ticks[index] as number);
      return {
        data,
        size: data.length,
        duration: passed > 0 ? passed : this.#nominalTicks(unit),
        isKey: true,
        ctsOffset: 0,
      };
    });
    return { startTicks, samples, bytes };
  }

  #nominalTicks(unit: AccessUnit): number {
    switch (this.#format.codec) {
      case 'aac':
        return AAC_FRAME_TICKS;
      case 'opus':
        return Math.round(this.#format.sampleRate / 50);
      default:
        return Math.floor(unit.data.length / Math.max(1, this.#format.channels));
    }
  }
}
