// Shares of a core between two samples.
import { expect, it } from 'vitest';
import { CpuShares } from './cpu-shares.ts';

it('a share is known from the second sample of the same process', () => {
  const shares = new CpuShares();
  expect(shares.share('site', 100, 0)).toBeNull();
  expect(shares.share('site', 350, 1000)).toBe(0.25);
  expect(shares.share('site', 20, 2000)).toBeNull();
  expect(shares.share('site', 1020, 3000)).toBe(1);
});

it('of several processes those count that were there before', () => {
  const shares = new CpuShares();
  expect(
    shares.shareOfAll(
      'db',
      new Map([
        [1, 10],
        [2, 10],
      ]),
      0,
    ),
  ).toBe(0);
  expect(
    shares.shareOfAll(
      'db',
      new Map([
        [1, 110],
        [3, 900],
      ]),
      1000,
    ),
  ).toBe(0.1);
  expect(
    shares.shareOfAll(
      'db',
      new Map([
        [2, 500],
        [3, 950],
      ]),
      2000,
    ),
  ).toBe(0.05);
});
