// The slope of a course by Theil and Sen, with its uncertainty, over stretches that are not comparable with each other.

export interface Point {
  /** Hours. */
  readonly at: number;
  readonly value: number;
}

export interface Slope {
  /** Of the value in an hour: the median over all pairs of points. */
  readonly perHour: number;
  /** Between these the true one lies, in 99 of 100 cases. */
  readonly least: number;
  readonly most: number;
}

/** Of the normal distribution, for 99 %: a hundred courses are judged at once. */
const QUANTILE = 2.5758;

/**
 * Pairs are built within a stretch alone: a process that began anew has another level (Hirsch and others 1982). The interval is that
 * of Sen (1968): ranks of the ordered slopes, by the variance of Kendall's statistic. Null without a pair.
 */
export function theilSen(stretches: readonly (readonly Point[])[]): Slope | null {
  const slopes: number[] = [];
  let variance = 0;
  for (const points of stretches) {
    addSlopes(points, slopes);
    variance += kendallVariance(points.map(({ value }) => value));
  }
  if (slopes.length === 0) return null;
  slopes.sort((one, other) => one - other);
  const reach = QUANTILE * Math.sqrt(variance);
  const ranked = (rank: number): number => slopes[Math.min(slopes.length - 1, Math.max(0, rank))] ?? 0;
  return {
    perHour: median(slopes),
    least: ranked(Math.floor((slopes.length - reach) / 2) - 1),
    most: ranked(Math.ceil((slopes.length + reach) / 2)),
  };
}

function addSlopes(points: readonly Point[], slopes: number[]): void {
  for (const [index, one] of points.entries()) {
    for (const other of points.slice(index + 1)) {
      if (other.at !== one.at) slopes.push((other.value - one.value) / (other.at - one.at));
    }
  }
}

/** Of the sum of signs over all pairs if nothing rose, less what equal values take from it. */
function kendallVariance(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const term = (n: number): number => n * (n - 1) * (2 * n + 5);
  return [...counts.values()].reduce((left, ties) => left - term(ties), term(values.length)) / 18;
}

/**
 * Medians of equal runs, at most `most` of them: what stands close together is no independent evidence, and memory that is collected now
 * and then is a saw.
 */
export function inBlocks(points: readonly Point[], most: number): Point[] {
  const size = Math.max(1, Math.ceil(points.length / most));
  const blocks: Point[] = [];
  for (let from = 0; from + size <= points.length; from += size) {
    const block = points.slice(from, from + size);
    blocks.push({ at: median(block.map(({ at }) => at)), value: median(block.map(({ value }) => value)) });
  }
  return blocks;
}

/** Of an even count the mean of both in the middle: slopes of opposite signs must cancel. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}
