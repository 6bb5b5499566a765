// How long a frame lasts, learned from frames that may be late, missing or far away.
import { describe, expect, test } from 'vitest';
import { FramePace } from './frame-pace.ts';

function paceOf(times: readonly number[]): number {
  const pace = new FramePace();
  for (const time of times) pace.add(time);
  return pace.seconds;
}

describe('the length of a frame', () => {
  test('is a fifteenth of a second before anything was seen', () => {
    expect(paceOf([])).toBeCloseTo(1 / 15);
    expect(paceOf([3])).toBeCloseTo(1 / 15);
  });

  test.each([5, 12.5, 25, 60])('is measured at %f frames a second, with dropped frames and seeks', (fps) => {
    const times = Array.from({ length: 20 }, (_, at) => at / fps).filter((_, at) => at % 5 !== 3);
    expect(paceOf(times)).toBeCloseTo(1 / fps, 5);
    expect(paceOf([...times, 500, 500 + 1 / fps, 20])).toBeCloseTo(1 / fps, 5);
  });

  test('follows a stream that changes its rate', () => {
    const slow = Array.from({ length: 20 }, (_, at) => at / 25);
    expect(paceOf([...slow, ...Array.from({ length: 20 }, (_, at) => 10 + at / 5)])).toBeCloseTo(0.2, 5);
  });
});
