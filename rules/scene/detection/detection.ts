// What a detector finds in one frame: objects with class, score and box, and which boxes show the same object.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';

/** Shares of the frame's width and height, 0 to 1; `x` and `y` of the upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Detection {
  readonly objectClass: ObjectClass;
  /** How sure the detector is, 0 to 1. */
  readonly score: number;
  readonly box: Box;
}

/** Objects of one frame that are followed; of more, those with the best scores. */
export const OBJECTS_MAX = 200;
/** Above it two boxes of one class show one object. */
const IOU_MAX = 0.5;
/** Share of the smaller box: a torso found inside its person is no further person. */
const CONTAINED_MAX = 0.8;

/** The part of a box that lies in the frame; null where nothing of it does, or a number is missing. */
export function clippedBox({ x, y, width, height }: Box): Box | null {
  const [left, right] = [Math.max(0, x), Math.min(1, x + width)];
  const [top, bottom] = [Math.max(0, y), Math.min(1, y + height)];
  // Also false where a number is NaN.
  if (!(right > left && bottom > top)) return null;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Area that two boxes share, as a share of the frame. */
export function sharedArea(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Intersection over union of two boxes, 0 to 1. */
export function iou(one: Box, other: Box): number {
  const shared = sharedArea(one, other);
  return shared === 0 ? 0 : shared / (area(one) + area(other) - shared);
}

/**
 * The best detection of each object (non-maximum suppression, class by class), best first and at most `OBJECTS_MAX`.
 * Boxes are clipped to the frame; detections without a box in it or with a score outside 0 to 1 are left out.
 * The order of what is given does not matter.
 */
export function bestDetections(given: readonly Detection[]): Detection[] {
  const best: Detection[] = [];
  for (const detection of usable(given).toSorted(byScore)) {
    if (best.length === OBJECTS_MAX) break;
    if (!best.some((better) => isSameObject(better, detection))) best.push(detection);
  }
  return best;
}

function usable(given: readonly Detection[]): Detection[] {
  return given.flatMap(({ objectClass, score, box }) => {
    const clipped = clippedBox(box);
    return clipped !== null && score >= 0 && score <= 1 ? [{ objectClass, score, box: clipped }] : [];
  });
}

/** A total order, so that equal scores do not depend on the order in which they come. */
function byScore(one: Detection, other: Detection): number {
  return (
    other.score - one.score ||
    one.box.x - other.box.x ||
    one.box.y - other.box.y ||
    one.box.width - other.box.width ||
    one.box.height - other.box.height ||
    (one.objectClass < other.objectClass ? -1 : Number(one.objectClass > other.objectClass))
  );
}

function isSameObject(better: Detection, other: Detection): boolean {
  if (better.objectClass !== other.objectClass) return false;
  const shared = sharedArea(better.box, other.box);
  const [larger, smaller] = [area(better.box), area(other.box)];
  return shared > IOU_MAX * (larger + smaller - shared) || shared > CONTAINED_MAX * Math.min(larger, smaller);
}

function area({ width, height }: Box): number {
  return width * height;
}
