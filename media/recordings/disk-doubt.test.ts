// The doubt about a disk: errors that come together are one, three in a minute leave it out for a minute.
import { expect, it } from 'vitest';
import { DiskDoubt } from './disk-doubt.ts';

const errorAt = (doubt: DiskDoubt, nowMs: number, isWorking = true): void => {
  doubt.raise();
  doubt.raise();
  doubt.settle(isWorking, nowMs);
};

it('leaves a disk out for a minute after three errors within one', () => {
  const doubt = new DiskDoubt();
  errorAt(doubt, 0);
  errorAt(doubt, 20_000);
  expect(doubt.isLeftOut(20_000)).toBe(false);
  errorAt(doubt, 40_000);
  expect([doubt.isLeftOut(40_000), doubt.isLeftOut(99_000), doubt.isLeftOut(100_000)]).toEqual([true, true, false]);
});

it('forgets errors after a minute, and those whose test failed: their disk is out by itself', () => {
  const doubt = new DiskDoubt();
  for (const nowMs of [0, 61_000, 122_000, 183_000]) errorAt(doubt, nowMs);
  for (const nowMs of [190_000, 191_000, 192_000]) errorAt(doubt, nowMs, false);
  expect(doubt.isLeftOut(192_000)).toBe(false);
  expect(doubt.isRaised).toBe(false);
});
