// Tests of the stream choice rule.
import { describe, expect, it } from 'vitest';
import { chooseStream, offeredStreams } from './stream-choice.ts';

describe('[LM-02] stream choice', () => {
  it.each([
    [1, 3, 0],
    [4, 3, 0],
    [5, 3, 1],
    [9, 3, 1],
    [10, 3, 2],
    [64, 3, 2],
    [16, 2, 1],
    [9, 1, 0],
    [16, 1, 0],
  ])('%i windows with %i streams take quality %i', (windows, streamNum, quality) => {
    expect(chooseStream(windows, offeredStreams(streamNum))).toBe(quality);
  });
  it('takes the third where the second is missing and the windows are many', () => {
    expect(chooseStream(16, { hasSecond: false, hasThird: true })).toBe(2);
    expect(chooseStream(9, { hasSecond: false, hasThird: true })).toBe(0);
  });
});
