// Every sample of a soak: in memory by series and life, and as a line of a CSV file at once.
import { createWriteStream, type WriteStream } from 'node:fs';
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { Point } from './theil-sen.ts';

/** Of series of the whole run, which no restart begins anew. */
const WHOLE_RUN = '';

export class SampleBook {
  /** Left out of each life. */
  readonly warmUpHours: number;
  readonly #series = new Map<string, Map<string, Point[]>>();
  readonly #file: WriteStream;
  readonly #startedMs: number;

  constructor(path: string, warmUpMs: number) {
    this.#file = createWriteStream(path);
    this.#file.write('hours,series,life,value\n');
    this.#startedMs = performance.now();
    this.warmUpHours = warmUpMs / HOUR_MS;
  }

  /** @param life what may be compared with each other, such as the id of a process */
  note(series: string, value: number, life = WHOLE_RUN): void {
    const at = (performance.now() - this.#startedMs) / HOUR_MS;
    const lives = this.#series.get(series) ?? new Map<string, Point[]>();
    this.#series.set(series, lives);
    const points = lives.get(life) ?? [];
    lives.set(life, points);
    points.push({ at, value });
    this.#file.write(`${at.toFixed(5)},${series},${life},${Number(value.toFixed(3))}\n`);
  }

  get names(): string[] {
    return [...this.#series.keys()].toSorted();
  }

  /** Of each life what came after its warm-up. */
  stretchesOf(series: string, warmUpHours = this.warmUpHours): Point[][] {
    const lives = [...(this.#series.get(series)?.values() ?? [])];
    const warm = lives.map((points) => points.filter(({ at }) => at >= (points[0]?.at ?? 0) + warmUpHours));
    return warm.filter(({ length }) => length > 0);
  }

  valuesOf(series: string): number[] {
    return [...(this.#series.get(series)?.values() ?? [])].flat().map(({ value }) => value);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#file.end(resolve);
    });
  }
}
