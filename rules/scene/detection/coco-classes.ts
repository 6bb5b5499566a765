// The 80 classes of COCO folded into those that rules tell apart.
import type { FoldedClass } from './class-folding.ts';

/** Classes of a model trained on COCO 2017, in the order of its scores. */
export const COCO_CLASSES = 80;

/**
 * Motorcycles count as bicycles: ridden, both look alike from above, and a model divides the score of one between the two;
 * a vehicle is what needs a gate or a parking space.
 */
export const FOLDED_CLASSES: readonly FoldedClass[] = [
  { objectClass: 'person', indices: [0] },
  // Bicycle, motorcycle.
  { objectClass: 'bicycle', indices: [1, 3] },
  // Car, bus, train, truck.
  { objectClass: 'vehicle', indices: [2, 5, 6, 7] },
  // Bird, cat, dog, horse, sheep, cow, elephant, bear, zebra, giraffe.
  { objectClass: 'animal', indices: [14, 15, 16, 17, 18, 19, 20, 21, 22, 23] },
  // Backpack, handbag, suitcase.
  { objectClass: 'bag', indices: [24, 26, 28] },
];
