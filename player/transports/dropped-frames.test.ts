// What came and was not presented is dropped; what the page did not hear of, but was presented, is not.
import { expect, test } from 'vitest';
import { DroppedFrames } from './dropped-frames.ts';

test('frames that were presented between two callbacks are not dropped, those that were passed over are', () => {
  const dropped = new DroppedFrames();
  // The counts of stream and browser begin anywhere.
  dropped.shown(7, 3);
  dropped.shown(8, 4);
  expect(dropped.count).toBe(0);
  // Two callbacks were missed.
  dropped.shown(11, 7);
  expect(dropped.count).toBe(0);
  // A seek to the live edge leaves out five.
  dropped.shown(17, 8);
  expect(dropped.count).toBe(5);
  dropped.shown(18, 9);
  expect(dropped.count).toBe(5);
});

test('frames that come out of order are none', () => {
  const dropped = new DroppedFrames();
  for (const [index, number] of [0, 2, 1, 3].entries()) dropped.shown(number, index + 1);
  expect(dropped.count).toBe(0);
});
