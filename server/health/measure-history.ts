// Measures of the last hour, in memory: one value for each name and sample.

const COURSE_POINTS = 120;

export class MeasureHistory {
  readonly #most: number;
  readonly #series = new Map<string, (number | null)[]>();

  /** `most`: samples that are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Names that are missing have no value in this sample; those without any value in all samples are forgotten. */
  add(sample: ReadonlyMap<string, number>): void {
    for (const name of sample.keys()) if (!this.#series.has(name)) this.#series.set(name, []);
    for (const [name, series] of this.#series) {
      series.push(sample.get(name) ?? null);
      if (series.length > this.#most) series.shift();
      if (series.every((value) => value === null)) this.#series.delete(name);
    }
  }

  /** The newest last. */
  of(name: string): readonly (number | null)[] {
    return this.#series.get(name) ?? [];
  }

  /** The same in few enough points to be drawn: each the mean of some that follow each other. */
  course(name: string): (number | null)[] {
    const series = this.of(name);
    const step = Math.ceil(series.length / COURSE_POINTS);
    if (step <= 1) return [...series];
    const points: (number | null)[] = [];
    // From the end, so that the newest point is as full as the others.
    for (let end = series.length; end > 0; end -= step)
      points.unshift(meanOf(series.slice(Math.max(0, end - step), end)));
    return points;
  }

  newest(name: string): number | null {
    return this.of(name).at(-1) ?? null;
  }
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 1000) / 1000;
}
