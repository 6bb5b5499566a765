// Sample table of one track of a planned export: sizes, times and chunks in flat arrays, for a day of frames.
import type { RunLengths } from '@vedette/protocols/mp4/movie.ts';

/** Growing array of numbers, eight bytes each. */
export class NumberList {
  #values = new Float64Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float64Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  at(index: number): number {
    if (index >= this.#length) throw new RangeError('no such number');
    return this.#values[index] as number;
  }

  toFloat64(): Float64Array {
    return this.#values.slice(0, this.#length);
  }

  toUint32(): Uint32Array {
    return Uint32Array.from(this.#values.subarray(0, this.#length));
  }
}

class RunLengthList {
  readonly #runs: { count: number; value: number }[] = [];

  push(value: number): void {
    const last = this.#runs.at(-1);
    if (last?.value === value) last.count += 1;
    else this.#runs.push({ count: 1, value });
  }

  /** Adds to the last value. */
  stretch(by: number): void {
    const last = this.#runs.at(-1);
    if (!last || by === 0) return;
    last.count -= 1;
    if (last.count === 0) this.#runs.pop();
    this.push(last.value + by);
  }

  get runs(): RunLengths {
    return this.#runs;
  }
}

export interface TableSample {
  readonly size: number;
  readonly duration: number;
  readonly isKey: boolean;
  readonly ctsOffset: number;
}

export class SampleTable {
  readonly #sizes = new NumberList();
  readonly #durations = new RunLengthList();
  readonly #compositionOffsets = new RunLengthList();
  readonly #keys = new NumberList();
  readonly #chunkOffsets = new NumberList();
  readonly #chunkSamples = new NumberList();
  #endTicks = 0;

  get isEmpty(): boolean {
    return this.#sizes.length === 0;
  }

  /** End of the last sample on the track's clock. */
  get endTicks(): number {
    return this.#endTicks;
  }

  /** `offset`: from the first byte of the media data. */
  addChunk(offset: number, samples: readonly TableSample[]): void {
    this.#chunkOffsets.push(offset);
    this.#chunkSamples.push(samples.length);
    for (const { size, duration, isKey, ctsOffset } of samples) {
      this.#sizes.push(size);
      this.#durations.push(duration);
      this.#compositionOffsets.push(ctsOffset);
      if (isKey) this.#keys.push(this.#sizes.length);
      this.#endTicks += duration;
    }
  }

  /** Extends the last sample over a short gap. */
  stretchLast(ticks: number): void {
    this.#durations.stretch(ticks);
    this.#endTicks += ticks;
  }

  tables() {
    return {
      sizes: this.#sizes.toUint32(),
      durations: this.#durations.runs,
      compositionOffsets: this.#compositionOffsets.runs,
      keys: this.#keys.length === this.#sizes.length ? null : this.#keys.toUint32(),
      chunkOffsets: this.#chunkOffsets.toFloat64(),
      chunkSamples: this.#chunkSamples.toUint32(),
    };
  }
}
