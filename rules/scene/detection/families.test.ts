// The families of models beside NanoDet: what each puts out is read as boxes of the frame; other shapes and numbers that are none are not.
import { describe, expect, it } from 'vitest';
import { FOLDED_CLASSES } from './coco-classes.ts';
import { COCO_LABELS } from './coco-labels.ts';
import { foldedClasses } from './class-folding.ts';
import type { Detection } from './detection.ts';
import { detrDetections } from './detr-output.ts';
import { type ModelOutput, ModelOutputError, type OutputReading } from './model-output.ts';
import { yoloDetections } from './yolo-output.ts';
import { yoloxDetections } from './yolox-output.ts';

const SIZE = 64;
const LABELS = ['dog', 'car', 'truck'];
/** Its lower half is grey. */
const reading: OutputReading = {
  size: SIZE,
  frame: { width: 64, height: 32 },
  leastScore: 0.3,
  labels: LABELS.length,
  folded: foldedClasses(LABELS),
};
const CAR = { x: 0.25, y: 0.25, width: 0.25, height: 0.5 };
/** Centre and size in pixels of the input. */
const [CX, CY, W, H] = [24, 16, 16, 16];

function output(dims: readonly number[], values: Readonly<Record<number, number>>): ModelOutput {
  const data = new Float32Array(dims.reduce((product, one) => product * one, 1));
  for (const [at, value] of Object.entries(values)) data[Number(at)] = value;
  return { dims, data };
}

const logit = (score: number) => Math.log(score / (1 - score));
const yolox = (more: Readonly<Record<number, number>> = {}, count = 84) => {
  // Column 1, row 1 of the grid of stride 16, which follows 64 anchors of stride 8.
  const from = (64 + 5) * 8;
  const box = {
    [from]: CX / 16 - 1,
    [from + 1]: CY / 16 - 1,
    [from + 2]: Math.log(W / 16),
    [from + 3]: Math.log(H / 16),
  };
  const scores = { [from + 4]: 1, [from + 6]: 0.5, [from + 7]: 0.4 };
  return [output([1, count, 8], { ...box, ...scores, ...more })];
};
const yolo = (more: Readonly<Record<number, number>> = {}) => {
  const n = 10;
  return [
    output([1, 7, n], {
      3: CX,
      [n + 3]: CY,
      [2 * n + 3]: W,
      [3 * n + 3]: H,
      [5 * n + 3]: 0.5,
      [6 * n + 3]: 0.4,
      ...more,
    }),
  ];
};
const detr = (more: Readonly<Record<number, number>> = {}) => {
  const boxes = output([1, 5, 4], { 8: CX / SIZE, 9: CY / SIZE, 10: W / SIZE, 11: H / SIZE });
  const logits = output([1, 5, 3], Object.fromEntries(Array.from({ length: 15 }, (_, at) => [at, -9])));
  logits.data.set([-9, logit(0.5), logit(0.4)], 6);
  for (const [at, value] of Object.entries(more)) logits.data[Number(at)] = value;
  return [logits, boxes];
};

describe.each<
  [
    string,
    (outputs: readonly ModelOutput[], reading: OutputReading) => Detection[],
    () => ModelOutput[],
    () => ModelOutput[],
  ]
>([
  ['YOLOX', yoloxDetections, yolox, () => yolox({ [(64 + 5) * 8 + 6]: Number.NaN, [(64 + 5) * 8 + 7]: Number.NaN })],
  ['YOLO', yoloDetections, yolo, () => yolo({ 53: Number.NaN, 63: Number.NaN })],
  ['a detection transformer', detrDetections, detr, () => detr({ 7: Number.NaN, 8: Number.NaN })],
])('%s', (_name, read, outputs, spoiled) => {
  it('gives one object of several labels, with its box in the frame', () => {
    const [car, ...more] = read(outputs(), reading);
    expect(more).toEqual([]);
    expect(car?.objectClass).toBe('vehicle');
    expect(car?.score).toBeCloseTo(0.7, 5);
    for (const side of ['x', 'y', 'width', 'height'] as const) expect(car?.box[side]).toBeCloseTo(CAR[side], 5);
  });

  it('leaves out numbers that are none, and what nobody asked for', () => {
    expect(read(spoiled(), reading)).toEqual([]);
    expect(read(outputs(), { ...reading, folded: foldedClasses(['dog']) })).toEqual([]);
  });

  it('refuses other shapes', () => {
    expect(() => read([output([1, 3, 64, 64], {})], reading)).toThrow(ModelOutputError);
    expect(() => read([], reading)).toThrow(ModelOutputError);
    expect(() => read(outputs(), { ...reading, labels: 4 })).toThrow(ModelOutputError);
  });
});

it('folds the labels of COCO into the same classes that NanoDet is read with', () => {
  expect(COCO_LABELS).toHaveLength(80);
  const byName = (one: { readonly objectClass: string }, other: { readonly objectClass: string }) =>
    one.objectClass < other.objectClass ? -1 : 1;
  expect(foldedClasses(COCO_LABELS).toSorted(byName)).toEqual(FOLDED_CLASSES.toSorted(byName));
});
