// The labels of a model folded into the classes that rules tell apart, and one score from those of several labels.
import { OBJECT_CLASSES, type ObjectClass } from '@vedette/contract/enumerations.ts';

export interface FoldedClass {
  readonly objectClass: ObjectClass;
  /** Indices of the model's labels. */
  readonly indices: readonly number[];
}

/** By label in lower case; other labels are not looked for. A class's own name is a label of it, too. */
const CLASS_OF: Readonly<Record<string, ObjectClass>> = {
  ...Object.fromEntries(OBJECT_CLASSES.map((one) => [one, one])),
  pedestrian: 'person',
  people: 'person',
  motorcycle: 'bicycle',
  motorbike: 'bicycle',
  car: 'vehicle',
  bus: 'vehicle',
  train: 'vehicle',
  truck: 'vehicle',
  van: 'vehicle',
  bird: 'animal',
  cat: 'animal',
  dog: 'animal',
  horse: 'animal',
  sheep: 'animal',
  cow: 'animal',
  elephant: 'animal',
  bear: 'animal',
  zebra: 'animal',
  giraffe: 'animal',
  backpack: 'bag',
  handbag: 'bag',
  suitcase: 'bag',
};
/** Scores below it are noise: ten kinds of animals of 0.03 each would add up to one. */
const NOISE = 0.05;

/** Classes without a label are left out. */
export function foldedClasses(labels: readonly string[]): FoldedClass[] {
  const classes = labels.map((label) => CLASS_OF[label.toLowerCase()]);
  return OBJECT_CLASSES.flatMap((objectClass) => {
    const indices = [...classes.keys()].filter((index) => classes[index] === objectClass);
    return indices.length === 0 ? [] : [{ objectClass, indices }];
  });
}

/** Probability that an object is of one of the labels, 1 − ∏(1 − p): a van is half a car and half a truck. `scoreOf`: of a label; what is none counts as 0. */
export function foldedScore({ indices }: FoldedClass, scoreOf: (index: number) => number): number {
  let none = 1;
  for (const index of indices) {
    const score = scoreOf(index);
    // False for NaN.
    if (score >= NOISE && score <= 1) none *= 1 - score;
  }
  return 1 - none;
}
