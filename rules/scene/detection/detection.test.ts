// Boxes are clipped to the frame, and each object is found once, whatever the order and the numbers.
import { OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestDetections, clippedBox, iou, OBJECTS_MAX, type Detection } from './detection.ts';

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const person = (score: number, at = box(0.4, 0.4, 0.1, 0.2)): Detection => ({ objectClass: 'person', score, box: at });
const anyNumber = fc.oneof(
  fc.double({ min: -0.5, max: 1.5 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);
const anyDetection = fc.record({
  objectClass: fc.constantFrom(...OBJECT_CLASSES),
  score: anyNumber,
  box: fc.record({ x: anyNumber, y: anyNumber, width: anyNumber, height: anyNumber }),
});

describe('iou', () => {
  it('is 1 for equal boxes, 0 for boxes that only touch, a third for half of each', () => {
    expect(iou(box(0, 0, 0.5, 0.5), box(0, 0, 0.5, 0.5))).toBeCloseTo(1);
    expect(iou(box(0, 0, 0.5, 0.5), box(0.5, 0, 0.5, 0.5))).toBe(0);
    expect(iou(box(0, 0, 0.4, 0.5), box(0.2, 0, 0.4, 0.5))).toBeCloseTo(1 / 3);
  });
});

describe('clippedBox', () => {
  it('keeps what lies in the frame, and nothing of a box beside it or without a size', () => {
    expect(clippedBox(box(-0.5, 0.75, 1, 1))).toEqual(box(0, 0.75, 0.5, 0.25));
    expect(clippedBox(box(1, 0, 0.2, 0.2))).toBeNull();
    expect(clippedBox(box(0.2, 0.2, 0, 0.2))).toBeNull();
    expect(clippedBox(box(0.2, 0.2, -0.1, 0.2))).toBeNull();
    expect(clippedBox(box(0.2, Number.NaN, 0.1, 0.2))).toBeNull();
  });
});

describe('bestDetections', () => {
  it('keeps the best box of one object, the torso of a person not, and both of two people or two classes', () => {
    const found = bestDetections([
      person(0.6, box(0.41, 0.4, 0.1, 0.2)),
      person(0.9),
      person(0.7, box(0.42, 0.42, 0.06, 0.06)),
      person(0.5, box(0.6, 0.4, 0.1, 0.2)),
      { objectClass: 'bag', score: 0.4, box: box(0.42, 0.42, 0.06, 0.06) },
    ]);
    expect(found.map(({ objectClass, score }) => [objectClass, score])).toEqual([
      ['person', 0.9],
      ['person', 0.5],
      ['bag', 0.4],
    ]);
  });

  it('keeps the 200 best of a crowd', () => {
    const crowd = Array.from({ length: 1000 }, (_none, at) =>
      person((at + 1) / 1000, box((at % 40) / 40, Math.floor(at / 40) / 25, 0.02, 0.03)),
    );
    const best = bestDetections(crowd);
    expect(best).toHaveLength(OBJECTS_MAX);
    expect(best.at(-1)?.score).toBe(0.801);
  });

  it('gives finite boxes in the frame for any numbers, in the same way for any order', () => {
    fc.assert(
      fc.property(fc.array(anyDetection, { maxLength: 30 }), (given) => {
        const best = bestDetections(given);
        for (const {
          score,
          box: { x, y, width, height },
        } of best) {
          expect(score >= 0 && score <= 1 && x >= 0 && y >= 0 && width > 0 && height > 0).toBe(true);
          expect(x + width).toBeLessThanOrEqual(1 + 1e-12);
          expect(y + height).toBeLessThanOrEqual(1 + 1e-12);
        }
        expect(bestDetections(given.toReversed())).toEqual(best);
        expect(bestDetections(best)).toEqual(best);
      }),
    );
  });
});
