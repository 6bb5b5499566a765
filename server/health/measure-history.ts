// Measures of the last hour, in memory: one value for each name and sample.

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

  newest(name: string): number | null {
    return this.of(name).at(-1) ?? null;
  }
}
