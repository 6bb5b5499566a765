// Gaps of a soak: which are explained, by whom, and that no missing second escapes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FoundGap, judgedGaps } from './gaps.ts';
import { Outages, plannedRestarts } from './outages.ts';
import { soakOptions } from './options.ts';
import { Troubles } from './troubles.ts';

const RANGE = { startTime: 0, endTime: 600_000 };
const site = { part: 'site', fromMs: 100_000, toMs: 110_000 } as const;
const gap = (startTime: number, endTime: number, reason: FoundGap['reason'] = 'siteDown'): FoundGap => ({
  startTime,
  endTime,
  reason,
});
const around = ({ startTime, endTime }: FoundGap) => [
  { startTime: 0, endTime: startTime },
  { startTime: endTime, endTime: 600_000 },
];

describe('a gap', () => {
  it.each([
    ['during a restart of the site', gap(99_000, 115_000), true],
    ['of a stream that the restart broke', gap(99_000, 115_000, 'streamLost'), true],
    ['that began before the restart', gap(97_000, 115_000), false],
    ['that outlasts the restart', gap(99_000, 121_000), false],
    ['at another time', gap(300_000, 304_000), false],
    ['whose reason is not the true one', gap(99_000, 115_000, 'planOff'), false],
    ['of unknown reason', gap(99_000, 115_000, 'unknown'), false],
  ])('%s', (_when, one, isExplained) => {
    expect(judgedGaps(RANGE, around(one), [one], [site])).toEqual([{ ...one, isExplained }]);
  });

  it.each(['server', 'gateway'] as const)('is never explained by a restart of the %s', (part) => {
    const one = gap(99_000, 115_000);
    expect(judgedGaps(RANGE, around(one), [one], [{ ...site, part }])).toMatchObject([{ isExplained: false }]);
  });

  it('that the product does not tell is found, whatever is restarted', () => {
    const one = gap(101_000, 109_000);
    expect(judgedGaps(RANGE, around(one), [], [site])).toEqual([{ ...one, reason: 'untold', isExplained: false }]);
    expect(judgedGaps(RANGE, [], [], [])).toEqual([{ ...RANGE, reason: 'untold', isExplained: false }]);
  });

  it('of less than two seconds between two recordings is none', () => {
    expect(judgedGaps(RANGE, around(gap(200_000, 201_999)), [], [])).toEqual([]);
  });

  it('is found wherever two seconds or more are missing, in whatever order recordings come', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 599 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(
        cuts,
        fc.array(fc.boolean(), { minLength: 21, maxLength: 21 }),
        fc.boolean(),
        (at, there, isTurned) => {
          const ends = [0, ...at.toSorted((one, other) => one - other), 600].map((second) => second * 1000);
          const pieces = ends.slice(1).map((endTime, index) => ({ startTime: ends[index] ?? 0, endTime }));
          const recorded = pieces.filter((_piece, index) => there[index]);
          const found = judgedGaps(RANGE, isTurned ? recorded.toReversed() : recorded, [], []);
          const missing = (from: number) =>
            !recorded.some(({ startTime, endTime }) => startTime <= from && from < endTime);
          for (let second = 0; second < 600_000; second += 1000) {
            const isTold = found.some(({ startTime, endTime }) => startTime <= second && second < endTime);
            const isLong = missing(second) && (missing(second - 1000) || missing(second + 1000));
            if (isLong && second > 0 && second < 599_000) expect(isTold, `second ${second}`).toBe(true);
            if (!missing(second)) expect(isTold, `second ${second}`).toBe(false);
          }
        },
      ),
    );
  });
});

describe('restarts', () => {
  it('come once for each part in a short run, in each eight hours of a long one, by force and in order in turns', () => {
    const minutes = (count: number) => plannedRestarts(count * 60_000);
    expect(minutes(10).map(({ part }) => part)).toEqual(['site', 'gateway', 'server']);
    const days = minutes(72 * 60);
    expect(days).toHaveLength(27);
    const times = days.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(Math.max(...times)).toBeLessThan(72 * 3_600_000);
    for (const part of ['site', 'gateway', 'server'])
      expect(new Set(days.filter((one) => one.part === part).map(({ signal }) => signal)).size).toBe(2);
  });

  it('excuse what was under way with them, and nothing else', () => {
    const outages = new Outages();
    const told: string[] = [];
    const troubles = new Troubles(outages, (line) => told.push(line));
    const before = Date.now() - 60_000;
    troubles.note('a call', before, new Error('refused'));
    const outage = outages.begin('server');
    troubles.note('a call', before, new Error('502'));
    outage.toMs = Date.now() - 6000;
    troubles.note('a later call', Date.now(), new Error('503'));
    expect(told).toEqual(['a call: refused', 'a later call: 503']);
    expect(troubles).toMatchObject({ total: 2, excused: 1 });
  });
});

describe('what a run is asked for', () => {
  const order = { viewers: 20, seed: 1, folder: '/tmp/soak' };

  it('is ten gigabytes for three days of a hundred cameras, filled many times', () => {
    const options = soakOptions({ ...order, minutes: 72 * 60, cameras: 100 });
    expect(options.quotaBytes).toBe(10_000_000_000);
    expect((options.cameras * options.kbps * options.ms) / 8 / options.quotaBytes).toBeGreaterThan(80);
    expect(options).toMatchObject({ sampleMs: 30_000, warmUpMs: 1_800_000 });
  });

  it('is a quota that a short run fills too, and no smaller one than open files need', () => {
    const options = soakOptions({ ...order, minutes: 10, cameras: 10 });
    expect(options).toMatchObject({ quotaBytes: 64_000_000, sampleMs: 5000, warmUpMs: 60_000 });
    expect(soakOptions({ ...order, minutes: 1, cameras: 4 }).quotaBytes).toBe(19_200_000);
    expect(soakOptions({ ...order, minutes: 1, cameras: 4, quotaMb: 7 }).quotaBytes).toBe(7_000_000);
  });
});
