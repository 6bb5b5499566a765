// An object is one track at any rate of frames, what stands still is known, and a clock that jumps starts over.
import { OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OBJECTS_MAX, type Detection } from '../detection/detection.ts';
import { detectionsAt, framesOf, stand, oneAfterAnother, walk, type MadeObject } from '../made-scene.fake.ts';
import { Tracker, type SceneFrame } from './tracker.ts';

const RATES = [0.5, 1, 2, 5, 10];

function follow(frames: readonly SceneFrame[], tracker = new Tracker()) {
  const ids = new Set<number>();
  for (const frame of frames) {
    for (const track of tracker.step(frame)) if (track.isConfirmed) ids.add(track.trackId);
  }
  return { tracker, ids };
}

/** Two people who walk towards each other and pass, and one who stands beside. */
const street: readonly MadeObject[] = [
  { path: walk([0.1, 0.6], [0.9, 0.6], [0, 10]) },
  { path: walk([0.9, 0.85], [0.1, 0.85], [0, 10]) },
  { path: stand([0.5, 0.3]) },
];

describe('a track', () => {
  it.each(RATES)('is one for each person at %f frames a second', (rate) => {
    expect([...follow(framesOf(street, 10, rate)).ids]).toHaveLength(3);
  });

  it('survives missing frames and weak scores, and ends after 2.5 seconds', () => {
    const frames = framesOf([{ path: walk([0.1, 0.6], [0.9, 0.6], [0, 10]) }], 16, 5);
    const gone = frames.map((frame, at) => {
      const isMissing = at % 10 > 5;
      const isWeak = at % 10 === 5;
      const detections = frame.detections.map((one) => (isWeak ? { ...one, score: 0.36 } : one));
      return { ...frame, detections: isMissing ? [] : detections };
    });
    expect([...follow(gone.slice(0, 51)).ids]).toHaveLength(1);
    expect(follow(gone.slice(0, 51)).tracker.tracks).toHaveLength(1);
    expect(follow(gone.slice(0, 66)).tracker.tracks).toHaveLength(0);
  });

  it('begins with a strong score only, and is confirmed by the second frame', () => {
    const ghost = { path: stand([0.5, 0.5], [0, 0.1]) };
    const { tracker, ids } = follow(framesOf([ghost, { path: stand([0.2, 0.5]), score: 0.49 }], 2, 5));
    expect([...ids]).toEqual([]);
    expect(tracker.tracks).toEqual([]);
  });

  it('has the median of its scores, and no other class', () => {
    const tracker = new Tracker();
    for (const [at, score] of [0.9, 0.5, 0.6, 0.5, 0.7].entries()) {
      const [person] = detectionsAt([{ path: stand([0.5, 0.5]), score }], 0);
      if (person) tracker.step({ atMs: at * 200, detections: [person, { ...person, objectClass: 'bag' }] });
    }
    expect(tracker.tracks.map(({ medianScore }) => medianScore)).toEqual([0.6, 0.6]);
    expect(tracker.tracks.map(({ objectClass }) => objectClass).toSorted()).toEqual(['bag', 'person']);
  });
});

describe('an object that stands still', () => {
  it.each(
    RATES,
  )('is stationary after 5 seconds and has not moved at %f frames a second, though its box jitters', (rate) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 20, maxLength: 40 }), (jitter) => {
        const tracker = new Tracker();
        for (const [at, by] of jitter.entries()) {
          const foot = stand([0.5 + by / 1000, 0.5 + ((by * 7) % 9) / 1000]);
          tracker.step({ atMs: (at * 1000) / rate, detections: detectionsAt([{ path: foot }], 0) });
        }
        const isLong = (jitter.length - 1) / rate >= 5;
        expect(tracker.tracks.map((track) => [track.hasMoved, track.isBackground, track.isStationary])).toEqual([
          [false, true, isLong],
        ]);
      }),
      { numRuns: 20 },
    );
  });

  it('has not moved where something hides its lower half', () => {
    const car = { path: stand([0.5, 0.5]), objectClass: 'vehicle', width: 0.2, height: 0.2 } as const;
    const hidden = { ...car, path: stand([0.5, 0.42]), height: 0.12 };
    const { tracker } = follow([...framesOf([car], 10, 2), ...framesOf([hidden], 10, 2, 1_010_500)]);
    expect(tracker.tracks.map(({ trackId, hasMoved }) => [trackId, hasMoved])).toEqual([[1, false]]);
  });

  it('is missed for five seconds, and for as long as something is before it', () => {
    const car = { path: stand([0.5, 0.5], [0, 10]), objectClass: 'vehicle', width: 0.2, height: 0.1 } as const;
    const truck = { path: stand([0.5, 0.55], [10, 50]), objectClass: 'vehicle', width: 0.5, height: 0.4 } as const;
    expect(follow(framesOf([car], 14, 2)).tracker.tracks).toHaveLength(1);
    expect(follow(framesOf([car], 16, 2)).tracker.tracks).toHaveLength(0);
    expect(follow(framesOf([car, truck], 49, 2)).tracker.tracks.map(({ trackId }) => trackId)).toEqual([1, 2]);
  });

  it('has moved once it walks away, comes nearer, or arrives', () => {
    const leaves = oneAfterAnother(stand([0.5, 0.5], [0, 8]), walk([0.5, 0.5], [0.6, 0.5], [8, 9]));
    const [track] = follow(framesOf([{ path: leaves }], 9, 5)).tracker.tracks;
    expect([track?.hasMoved, track?.isStationary, track?.isBackground]).toEqual([true, false, false]);
    const nearer = Array.from({ length: 20 }, (_none, at) => ({
      atMs: at * 200,
      detections: detectionsAt(
        [{ path: stand([0.5, 0.5 + at / 200]), height: 0.2 + at / 100, width: 0.05 + at / 400 }],
        0,
      ),
    }));
    expect(follow(nearer).tracker.tracks[0]?.hasMoved).toBe(true);
    const arrives = oneAfterAnother(walk([0.1, 0.5], [0.5, 0.5], [0, 4]), stand([0.5, 0.5]));
    const [parked] = follow(framesOf([{ path: arrives }], 12, 2)).tracker.tracks;
    expect([parked?.hasMoved, parked?.isStationary]).toEqual([true, true]);
  });
});

describe('a clock', () => {
  const before = framesOf(street, 3, 5);
  it.each([
    ['backwards', -60_000],
    ['by an hour', 3_600_000],
  ])('that jumps %s starts over with new ids', (_name, by) => {
    const { tracker, ids } = follow([...before, ...before.map((frame) => ({ ...frame, atMs: frame.atMs + by }))]);
    expect([...ids]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(tracker.tracks.map(({ trackId }) => trackId)).toEqual([4, 5, 6]);
  });

  it('that stands still, is no number or is a little late leaves the frame out', () => {
    const { tracker } = follow(before);
    const last = before.at(-1)?.atMs ?? 0;
    for (const atMs of [last, last - 300, Number.NaN, Number.POSITIVE_INFINITY]) {
      tracker.step({ atMs, detections: [] });
      expect(tracker.tracks.every(({ isSeen }) => isSeen)).toBe(true);
    }
  });

  it('that pauses for a minute keeps what stood still, and nothing that moved', () => {
    const { tracker } = follow(framesOf(street, 8, 5));
    tracker.step({ atMs: 1_068_000, detections: detectionsAt(street, 8) });
    expect(tracker.tracks.map(({ trackId }) => trackId)).toEqual([2, 4, 5]);
  });
});

const anyNumber = fc.oneof(fc.double({ min: -0.5, max: 1.5 }), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY));
const anyFrame = fc.record({
  passed: fc.oneof(fc.integer({ min: -2000, max: 5000 }), fc.constantFrom(-4e6, 4e6)),
  detections: fc.array(
    fc.record({
      objectClass: fc.constantFrom(...OBJECT_CLASSES),
      score: anyNumber,
      box: fc.record({ x: anyNumber, y: anyNumber, width: anyNumber, height: anyNumber }),
    }),
    { maxLength: 12 },
  ),
});

it('any frames give finite boxes in the frame, one id for each track, and the same whatever the order of detections', () => {
  fc.assert(
    fc.property(fc.array(anyFrame, { maxLength: 30 }), (given) => {
      const [one, other] = [new Tracker(), new Tracker()];
      let atMs = 10_000_000;
      for (const { passed, detections } of given) {
        atMs += passed;
        const tracks = one.step({ atMs, detections });
        other.step({ atMs, detections: detections.toReversed() });
        expect(other.tracks).toEqual(tracks);
        expect(new Set(tracks.map(({ trackId }) => trackId)).size).toBe(tracks.length);
        for (const { box, medianScore } of tracks) {
          expect([...Object.values(box), medianScore].every((value) => value >= 0 && value <= 1)).toBe(true);
        }
      }
    }),
  );
});

it('follows at most 200 objects, and forgets them', () => {
  const tracker = new Tracker();
  const crowd = Array.from({ length: 400 }, (_none, at): Detection => {
    const box = { x: (at % 20) / 20, y: Math.floor(at / 20) / 20, width: 0.03, height: 0.04 };
    return { objectClass: 'person', score: 0.5 + at / 1000, box };
  });
  for (let at = 0; at < 40; at += 1) tracker.step({ atMs: at * 200, detections: at % 2 ? crowd : crowd.toReversed() });
  expect(tracker.tracks).toHaveLength(OBJECTS_MAX);
  for (let at = 40; at < 80; at += 1) tracker.step({ atMs: at * 200, detections: [] });
  expect(tracker.tracks).toEqual([]);
});
