// A channel is not looked at without keyframes, without answers of the analyst, and while that has failed.
import { expect, test } from 'vitest';
import { LookWatch } from './look-watch.ts';

test('a quiet channel is looked at as long as its gate sees keyframes', () => {
  const watch = new LookWatch();
  expect(watch.isLooking(0, { gateAt: Number.NEGATIVE_INFINITY, isWanted: false }), 'before the first').toBe(false);
  expect(watch.isLooking(1000, { gateAt: 0, isWanted: false })).toBe(true);
  expect(watch.isLooking(10_001, { gateAt: 0, isWanted: false }), 'the camera is away').toBe(false);
});

test('one in which something moves is looked at as long as the analyst answers', () => {
  const watch = new LookWatch();
  const at = (now: number) => watch.isLooking(now, { gateAt: now, isWanted: true });
  watch.isLooking(0, { gateAt: 0, isWanted: false });
  expect(at(4000), 'it may take a while to begin').toBe(true);
  expect(at(5001)).toBe(false);
  watch.answered(6000);
  expect(at(6001)).toBe(true);
  expect(at(11_001)).toBe(false);
});

test('a picture with which the analyst ended was not looked at', () => {
  const watch = new LookWatch();
  watch.answered(0);
  watch.failed();
  expect(watch.isLooking(1, { gateAt: 1, isWanted: true })).toBe(false);
  expect(watch.isLooking(2, { gateAt: 2, isWanted: true })).toBe(true);
});
