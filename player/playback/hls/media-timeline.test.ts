// Media time and wall clock map onto each other, over gaps as well.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mediaAt, type TimelinePart, wallAt } from './media-timeline.ts';

const parts: readonly TimelinePart[] = [
  { start: 0, durationS: 2, wallMs: 10_000 },
  { start: 2, durationS: 2, wallMs: 12_000 },
  // Ten minutes are missing here; the media goes on at once.
  { start: 4, durationS: 2, wallMs: 614_000 },
];

describe('the timeline of a playlist', () => {
  test.each([
    [0, 10_000],
    [3.5, 13_500],
    [4, 614_000],
    [5.25, 615_250],
  ])('media time %d is the instant %d', (media, wall) => {
    expect(wallAt(parts, media)).toBe(wall);
    expect(mediaAt(parts, wall)).toBe(media);
  });

  test('instants in a gap or outside have no media time', () => {
    expect(mediaAt(parts, 300_000)).toBeNull();
    expect(mediaAt(parts, 9_999)).toBeNull();
    expect(mediaAt(parts, 616_001)).toBeNull();
    expect(wallAt(parts, 7)).toBeNull();
    expect(wallAt([], 0)).toBeNull();
  });

  test('every media time survives a round trip', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 5.999, noNaN: true }), (media) => {
        const wall = wallAt(parts, media);
        expect(mediaAt(parts, wall ?? 0)).toBeCloseTo(media, 4);
      }),
    );
  });
});
