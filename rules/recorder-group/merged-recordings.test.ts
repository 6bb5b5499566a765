// One timeline over several sites: at each instant the site with the highest epoch that recorded, and nothing lost.
import type { RecordedSpan } from '@vedette/contract/site/site.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { epochAt, mergedGaps, mergedSpans, type SiteStay } from './merged-recordings.ts';

const span = (startTime: number, endTime: number): RecordedSpan => ({ startTime, endTime, recordType: 1 });
const STAYS: readonly SiteStay[] = [
  { siteId: 'a', epoch: 0, since: 0, until: 100_000 },
  { siteId: 'b', epoch: 1, since: 100_000, until: 200_000 },
  { siteId: 'a', epoch: 2, since: 200_000, until: null },
];

it('[FT-31] where both recorded the later owner wins, and else who has it', () => {
  const sites = [
    { siteId: 'a', spans: [span(0, 150_000), span(210_000, 300_000)], gaps: [] },
    { siteId: 'b', spans: [span(90_000, 120_000), span(130_000, 230_000)], gaps: [] },
  ];
  expect(mergedSpans(STAYS, sites).map(({ siteId, startTime, endTime }) => [siteId, startTime, endTime])).toEqual([
    ['a', 0, 100_000],
    ['b', 100_000, 120_000],
    ['a', 120_000, 130_000],
    ['b', 130_000, 210_000],
    ['a', 210_000, 300_000],
  ]);
});

it('tells what nobody has, and what is at a site that is away', () => {
  const gaps = [{ startTime: 100_000, endTime: 106_000, reason: 'unknown' as const }];
  const b = { siteId: 'b', spans: [span(106_000, 200_000)], gaps };
  const range = { startTime: 50_000, endTime: 150_000 };
  expect(mergedGaps(STAYS, { sites: [b], away: new Set(['a']), range })).toEqual([
    { startTime: 50_000, endTime: 100_000, reason: 'siteAway' },
    { startTime: 100_000, endTime: 106_000, reason: 'unknown' },
  ]);
  const a = { siteId: 'a', spans: [span(0, 103_000)], gaps: [] };
  expect(mergedGaps(STAYS, { sites: [a, b], away: new Set(), range })).toEqual([
    { startTime: 103_000, endTime: 106_000, reason: 'unknown' },
  ]);
});

const anySpans = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 8 })), { maxLength: 6 })
  .map((steps) => {
    let at = 0;
    return steps.map(([pause, length]) => {
      const startTime = at + pause;
      at = startTime + length;
      return span(startTime, at);
    });
  });
const anyStays = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 20 })), { minLength: 1, maxLength: 5 })
  .map((steps) => {
    let since = 0;
    return steps.map(([siteId, length], epoch): SiteStay => {
      const stay = { siteId, epoch, since, until: epoch === steps.length - 1 ? null : since + length };
      since += length;
      return stay;
    });
  });

it('[FT-31] at every instant exactly what some site has, from the highest epoch among those that have it', () => {
  fc.assert(
    fc.property(anyStays, fc.tuple(anySpans, anySpans, anySpans), (stays, lists) => {
      const sites = lists.map((spans, index) => ({ siteId: 'abc'.charAt(index), spans, gaps: [] }));
      const merged = mergedSpans(stays, sites);
      const covers = (one: { startTime: number; endTime: number }, at: number) =>
        one.startTime <= at && at < one.endTime;
      for (let at = 0; at < 90; at += 1) {
        const having = sites.filter(({ spans }) => spans.some((one) => covers(one, at))).map(({ siteId }) => siteId);
        const shown = merged.filter((one) => covers(one, at));
        expect(shown).toHaveLength(Math.min(1, having.length));
        const best = Math.max(...having.map((siteId) => epochAt(stays, siteId, at)));
        if (shown[0] !== undefined) expect(epochAt(stays, shown[0].siteId, at)).toBe(best);
      }
    }),
  );
});
