// The slope by Theil and Sen and its verdict: exact lines, noise, outliers, restarts, and how often either errs.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inBlocks, median, type Point, theilSen } from './theil-sen.ts';
import { trendOf } from './trend.ts';

const RULE = { share: 0.1, floor: 5 };
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed + 1);

/** Standard normal noise that a seed repeats (Park and Miller, Box and Muller). */
function noise(seed: number): () => number {
  let state = seed;
  const fraction = (): number => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
  for (let skipped = 0; skipped < 10; skipped += 1) fraction();
  return () => Math.sqrt(-2 * Math.log(fraction())) * Math.cos(2 * Math.PI * fraction());
}

const course = (count: number, valueAt: (hour: number) => number): Point[] =>
  Array.from({ length: count }, (_, at) => ({ at: at / 10, value: valueAt(at / 10) }));

const number = fc.double({ min: -1000, max: 1000, noNaN: true });
const points = fc.uniqueArray(fc.record({ at: fc.integer({ min: 0, max: 500 }), value: number }), {
  selector: ({ at }) => at,
  minLength: 3,
  maxLength: 40,
});

describe('the slope', () => {
  it('of a line is that of the line, with nothing to doubt', () => {
    fc.assert(
      fc.property(number, number, fc.integer({ min: 3, max: 60 }), (from, perHour, count) => {
        const slope = theilSen([course(count, (hour) => from + perHour * hour)]);
        expect(slope?.perHour).toBeCloseTo(perHour, 6);
        expect(slope?.least).toBeCloseTo(perHour, 6);
        expect(slope?.most).toBeCloseTo(perHour, 6);
      }),
    );
  });

  it('lies within its interval, turns its sign with the values, and knows no level', () => {
    fc.assert(
      fc.property(points, number, (some, level) => {
        const { perHour, least, most } = theilSen([some]) ?? { perHour: 0, least: 0, most: 0 };
        expect(least).toBeLessThanOrEqual(perHour);
        expect(most).toBeGreaterThanOrEqual(perHour);
        const turned = theilSen([some.map(({ at, value }) => ({ at, value: -value }))]);
        expect(turned?.perHour).toBeCloseTo(-perHour, 9);
        expect(turned?.least).toBeCloseTo(-most, 9);
        const raised = theilSen([some.map(({ at, value }) => ({ at, value: value + level }))]);
        expect(raised?.perHour).toBeCloseTo(perHour, 6);
      }),
    );
  });

  it('is not moved by a quarter of wild values', () => {
    const [random, wild] = [noise(1), noise(2)];
    const some = course(80, (hour) => 3 * hour + random() / 10).map((point, index) =>
      index % 4 === 0 ? { ...point, value: wild() * 10_000 } : point,
    );
    expect(theilSen([some])?.perHour).toBeCloseTo(3, 0);
  });

  it('compares nothing across a restart: a level that falls back hides no slope, and a higher one is none', () => {
    const rising = Array.from({ length: 4 }, () => course(20, (hour) => 100 + 2 * hour));
    expect(theilSen(rising)?.perHour).toBeCloseTo(2, 9);
    const flat = [100, 150, 200].map((level) => course(20, () => level));
    expect(theilSen(flat)).toEqual({ perHour: 0, least: 0, most: 0 });
  });

  it('is unknown without two points of one stretch', () => {
    expect(theilSen([])).toBeNull();
    expect(theilSen([[{ at: 0, value: 1 }], [{ at: 1, value: 2 }]])).toBeNull();
  });

  it('lies in its interval in 97 of 100 courses at least', () => {
    const held = SEEDS.filter((seed) => {
      const random = noise(seed);
      const slope = theilSen([course(40, (hour) => 7 * hour + random())]);
      return slope !== null && slope.least <= 7 && slope.most >= 7;
    });
    expect(held.length).toBeGreaterThanOrEqual(SEEDS.length * 0.97);
  });
});

describe('blocks', () => {
  it('are medians of equal runs, in order, no more than wanted', () => {
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        (values, most) => {
          const blocks = inBlocks(
            values.map((value, at) => ({ at, value })),
            most,
          );
          expect(blocks.length).toBeLessThanOrEqual(most);
          expect(blocks.length).toBeGreaterThan(0);
          expect(blocks.every(({ at }, index) => index === 0 || at > (blocks[index - 1]?.at ?? at))).toBe(true);
          for (const { value } of blocks) {
            expect(value).toBeGreaterThanOrEqual(Math.min(...values));
            expect(value).toBeLessThanOrEqual(Math.max(...values));
          }
        },
      ),
    );
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });
});

describe('the verdict', () => {
  it('on noise, on a saw and on what falls is not that it rises', () => {
    const verdicts = SEEDS.map((seed) => {
      const random = noise(seed);
      return trendOf([course(100, () => 100 + 10 * random())], RULE).verdict;
    });
    expect(verdicts.filter((one) => one === 'rises')).toEqual([]);
    expect(verdicts.filter((one) => one === 'flat').length).toBeGreaterThanOrEqual(SEEDS.length * 0.97);
    const saw = course(400, (hour) => 100 + 40 * (hour % 1.7));
    expect(trendOf([saw], RULE).verdict).toBe('flat');
    expect(trendOf([course(100, (hour) => 100 - 5 * hour)], RULE).verdict).toBe('flat');
  });

  it('finds each leak that is twice what is allowed, whatever the noise', () => {
    const verdicts = SEEDS.map((seed) => {
      const random = noise(seed);
      return trendOf([course(100, (hour) => 100 + 3 * hour + 3 * random())], RULE).verdict;
    });
    expect(verdicts.every((one) => one === 'rises')).toBe(true);
  });

  it('finds a leak over many lives of a process that each end before it is large', () => {
    const lives = Array.from({ length: 9 }, (_, life) => {
      const random = noise(life + 1);
      return course(80, (hour) => 200 + 0.6 * hour + random());
    });
    expect(trendOf(lives.slice(0, 1), RULE).verdict).toBe('flat');
    expect(trendOf(lives, RULE).verdict).toBe('rises');
  });

  it('forgives growth that is certain and no matter, and tells where only a longer run can tell', () => {
    expect(trendOf([course(100, (hour) => 100 + 0.5 * hour)], RULE).verdict).toBe('flat');
    const verdictAt = (perHour: number, spread: number) => {
      const random = noise(3);
      return trendOf([course(100, (hour) => 100 + perHour * hour + spread * random())], RULE).verdict;
    };
    expect(verdictAt(1, 2)).toBe('unclear');
  });

  it('is looser while it only settles', () => {
    const rule = { share: 0, floor: 5, settling: { hours: 3, floor: 20 } };
    const rising = course(100, (hour) => 100 + 6 * hour);
    expect(trendOf([rising.slice(0, 29)], rule)).toMatchObject({ verdict: 'flat', allowed: 20 });
    expect(trendOf([rising], rule)).toMatchObject({ verdict: 'rises', allowed: 5 });
  });

  it('is none over too few samples', () => {
    expect(trendOf([], RULE)).toMatchObject({ verdict: 'tooShort', slope: null });
    expect(trendOf([course(7, (hour) => 1000 * hour)], RULE).verdict).toBe('tooShort');
    expect(trendOf([course(8, (hour) => 1000 * hour)], RULE).verdict).toBe('rises');
  });
});
