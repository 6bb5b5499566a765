// Tests of the stream choice rule.
import { describe, expect, it } from 'vitest';
import { chooseStream, nearestStream, offeredStreams } from './stream-choice.ts';

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
  it('takes the third stream where the second is missing and there are many windows', () => {
    expect(chooseStream(16, { hasSecond: false, hasThird: true })).toBe(2);
    expect(chooseStream(9, { hasSecond: false, hasThird: true })).toBe(0);
  });
});

describe('[LV-01] the stream that is answered', () => {
  const offers = [
    { quality: 2, codec: 'h264' },
    { quality: 0, codec: 'h265' },
    { quality: 1, codec: 'h264' },
  ];
  it.each([
    { quality: 0, codecs: undefined, answered: 0 },
    { quality: 2, codecs: undefined, answered: 2 },
    { quality: 0, codecs: ['h264', 'h265'], answered: 0 },
    { quality: 0, codecs: ['h264'], answered: 1 },
    { quality: 2, codecs: ['h265'], answered: 0 },
    { quality: 0, codecs: ['mjpeg'], answered: undefined },
  ])('$quality for $codecs is $answered', ({ quality, codecs, answered }) => {
    expect(nearestStream(offers, quality, codecs)?.quality).toBe(answered);
  });
  it('is the next better one where the requested one is missing', () => {
    expect(nearestStream([{ quality: 0, codec: 'h264' }], 2)?.quality).toBe(0);
  });
});
