// Whether a polygon has an area and does not cross itself, in shares of the picture.
import type { ScenePoint } from '@vedette/contract/site/site-analysis.ts';

/** A hundredth of a percent of the picture: less cannot be drawn on purpose. */
const LEAST_AREA = 1e-4;

export function hasArea(points: readonly ScenePoint[]): boolean {
  const doubled = sidesOf(points).reduce((sum, [a, b]) => sum + a.x * b.y - b.x * a.y, 0);
  return Math.abs(doubled) / 2 >= LEAST_AREA;
}

/** Sides that are not neighbours touch or cross. */
export function crossesItself(points: readonly ScenePoint[]): boolean {
  const sides = sidesOf(points);
  return sides.some((one, at) =>
    sides.some((other, otherAt) => {
      const isLater = otherAt > at + 1;
      const areNeighbours = at === 0 && otherAt === sides.length - 1;
      return isLater && !areNeighbours && doMeet(one, other);
    }),
  );
}

type Side = readonly [ScenePoint, ScenePoint];

function sidesOf(points: readonly ScenePoint[]): Side[] {
  return points.map((point, at) => [point, points[(at + 1) % points.length] ?? point]);
}

function doMeet([a, b]: Side, [c, d]: Side): boolean {
  const [aSide, bSide] = [turn(c, d, a), turn(c, d, b)];
  const [cSide, dSide] = [turn(a, b, c), turn(a, b, d)];
  if (aSide * bSide < 0 && cSide * dSide < 0) return true;
  return (
    (aSide === 0 && isWithin(c, d, a)) ||
    (bSide === 0 && isWithin(c, d, b)) ||
    (cSide === 0 && isWithin(a, b, c)) ||
    (dSide === 0 && isWithin(a, b, d))
  );
}

/** Above 0: `point` lies to the right of the way from `from` to `to`, as y grows downwards; 0: on its line. */
function turn(from: ScenePoint, to: ScenePoint, point: ScenePoint): number {
  return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
}

/** Of a point on the line through both. */
function isWithin(from: ScenePoint, to: ScenePoint, { x, y }: ScenePoint): boolean {
  const inX = x >= Math.min(from.x, to.x) && x <= Math.max(from.x, to.x);
  return inX && y >= Math.min(from.y, to.y) && y <= Math.max(from.y, to.y);
}
