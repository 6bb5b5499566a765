// The model's tensors become boxes where they say, whatever numbers they hold; wrong shapes are a typed error.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ModelOutput, ModelOutputError } from './model-output.ts';
import { nanodetDetections } from './nanodet-output.ts';

const SIZE = 320;
const STRIDES = [8, 16, 32];
const FRAME = { width: 320, height: 180 };

interface Planted {
  readonly stride: number;
  readonly column: number;
  readonly row: number;
  /** By index of COCO's classes. */
  readonly scores: Readonly<Record<number, number>>;
  /** Strides to the left, upper, right and lower side. */
  readonly distances: readonly [number, number, number, number];
}

/** Outputs that show nothing but the planted anchors. */
function outputsOf(...planted: readonly Planted[]): ModelOutput[] {
  return STRIDES.flatMap((stride) => {
    const columns = SIZE / stride;
    const anchors = columns * columns;
    const scores = new Float32Array(anchors * 80).fill(0.01);
    const distances = new Float32Array(anchors * 44);
    for (const one of planted.filter((each) => each.stride === stride)) {
      const anchor = one.row * columns + one.column;
      for (const [index, score] of Object.entries(one.scores)) scores[anchor * 80 + Number(index)] = score;
      // One logit far above the others makes the mean that bin.
      for (const [side, bin] of one.distances.entries()) distances[anchor * 44 + side * 11 + bin] = 60;
    }
    return [
      { dims: [1, anchors, 80], data: scores },
      { dims: [1, anchors, 44], data: distances },
    ];
  });
}

const person: Planted = { stride: 16, column: 10, row: 4, scores: { 0: 0.8 }, distances: [1, 3, 1, 3] };
const detect = (outputs: readonly ModelOutput[]) => nanodetDetections(outputs, SIZE, FRAME, 0.3);

describe('a planted anchor', () => {
  it('is a box around its place, in shares of the frame and not of the letterboxed square', () => {
    const [found, ...more] = detect(outputsOf(person));
    expect(more).toEqual([]);
    expect(found?.objectClass).toBe('person');
    expect(found?.score).toBeCloseTo(0.8);
    // The centre is (168, 72); the box reaches 16 pixels to each side and 48 up and down.
    expect(found?.box.x).toBeCloseTo(152 / 320);
    expect(found?.box.y).toBeCloseTo(24 / 180);
    expect(found?.box.width).toBeCloseTo(32 / 320);
    expect(found?.box.height).toBeCloseTo(96 / 180);
  });

  it('is read from each stride, and outputs may come in any order', () => {
    const planted = STRIDES.map((stride, at): Planted => {
      return { ...person, stride, column: 1 + at * 3, row: 2, distances: [1, 1, 1, 1] };
    });
    const outputs = outputsOf(...planted);
    expect(detect(outputs)).toHaveLength(3);
    expect(detect(outputs.toReversed())).toEqual(detect(outputs));
  });

  it('is one vehicle where car, bus and truck divide its score, and one person where neighbours find the same', () => {
    const van = { ...person, scores: { 2: 0.5, 5: 0.4, 7: 0.4 } };
    const [vehicle, ...none] = detect(outputsOf(van, { ...person, column: 11, scores: {} }));
    expect(none).toEqual([]);
    expect(vehicle?.objectClass).toBe('vehicle');
    expect(vehicle?.score).toBeCloseTo(1 - 0.5 * 0.6 * 0.6);
    expect(detect(outputsOf(person, { ...person, row: 5, scores: { 0: 0.6 } }))).toHaveLength(1);
  });

  it.each([
    [3, 'bicycle'],
    [16, 'animal'],
    [28, 'bag'],
  ])('of class %i of COCO is of class %s', (index, objectClass) => {
    expect(detect(outputsOf({ ...person, scores: { [index]: 0.7 } }))[0]?.objectClass).toBe(objectClass);
  });

  it('is nothing below the least score, of a class that no rule knows, from noise of many classes, or below the frame', () => {
    expect(detect(outputsOf({ ...person, scores: { 0: 0.29, 56: 0.9 } }))).toEqual([]);
    const noise = Object.fromEntries(Array.from({ length: 80 }, (_none, at) => [at, 0.045]));
    expect(detect(outputsOf({ ...person, scores: noise }))).toEqual([]);
    expect(detect(outputsOf({ ...person, row: 18, distances: [1, 1, 1, 1] }))).toEqual([]);
  });
});

describe('numbers that are none', () => {
  it('hide their anchor and no other', () => {
    const outputs = outputsOf(person, { ...person, column: 3 });
    const anchor = 4 * 20 + 3;
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, -3]) {
      const scores = outputs[2]?.data.slice() ?? new Float32Array();
      scores[anchor * 80] = wrong;
      expect(detect(outputs.with(2, { dims: [1, 400, 80], data: scores }))).toHaveLength(1);
    }
    const distances = outputs[3]?.data.slice() ?? new Float32Array();
    distances[anchor * 44 + 20] = Number.NaN;
    expect(detect(outputs.with(3, { dims: [1, 400, 44], data: distances }))).toHaveLength(1);
  });

  it('give finite boxes or none, whatever all tensors hold', () => {
    fc.assert(
      fc.property(fc.array(fc.float(), { minLength: 7, maxLength: 60 }), fc.boolean(), (numbers, isSmall) => {
        const filled = [16, 4, 1].flatMap((anchors) =>
          [80, 44].map((values) => ({
            dims: [1, anchors, values],
            data: Float32Array.from({ length: anchors * values }, (_none, at) => {
              const number = numbers[(at * 31 + values) % numbers.length] ?? 0;
              return isSmall && values === 80 ? Math.abs(number % 1) : number;
            }),
          })),
        );
        for (const { box, score } of nanodetDetections(filled, 32, { width: 32, height: 18 }, 0.1)) {
          expect([...Object.values(box), score].every((value) => Number.isFinite(value))).toBe(true);
        }
      }),
    );
  });
});

describe('wrong shapes', () => {
  const outputs = outputsOf(person);
  it.each([
    ['no outputs', [], SIZE],
    ['a missing stride', outputs.slice(2), SIZE],
    ['another size', outputs, 416],
    ['a size of no stride', outputs, 330],
    ['no size', outputs, Number.NaN],
    ['other classes', outputs.with(0, { dims: [1, 1600, 81], data: new Float32Array(1600 * 81) }), SIZE],
    ['a further dimension', outputs.with(0, { dims: [1, 1600, 80, 1], data: new Float32Array(1600 * 80) }), SIZE],
    ['too few numbers', outputs.with(1, { dims: [1, 1600, 44], data: new Float32Array(7) }), SIZE],
  ])('%s: an error of its own', (_name, given, size) => {
    expect(() => nanodetDetections(given, size, FRAME, 0.3)).toThrow(ModelOutputError);
  });

  it('a frame without pixels: the same error', () => {
    expect(() => nanodetDetections(outputs, SIZE, { width: 0, height: 180 }, 0.3)).toThrow(ModelOutputError);
    expect(() => nanodetDetections(outputs, SIZE, { width: 320, height: Number.NaN }, 0.3)).toThrow(ModelOutputError);
  });
});
