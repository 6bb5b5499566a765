// Where the foot of an object is: beside which side of a line, and how deep in a zone. Distances are in heights of the frame.
import type { ScenePoint } from '@vedette/contract/site/site-analysis.ts';
import type { Box } from '../detection/detection.ts';

/** Heights of an object by which its foot must be beyond a line or an edge: feet jitter. */
const HYSTERESIS = 0.12;
/** Points so near to the frame's border are meant to lie on it. */
const BORDER = 0.02;

/** Bottom centre of the box: where an object stands on the ground. */
export function footOf({ x, y, width, height }: Box): ScenePoint {
  return { x: x + width / 2, y: Math.min(1, y + height) };
}

export function hysteresisOf(box: Box): number {
  return HYSTERESIS * box.height;
}

/** A line from its first to its second point. Null: it has no length, or not two points of finite numbers. */
export function lineOf(points: readonly ScenePoint[]): SceneLine | null {
  const [from, to, ...more] = points.map(onBorder);
  if (from === undefined || to === undefined || more.length > 0 || !points.every(isFinitePoint)) return null;
  return from.x === to.x && from.y === to.y ? null : new SceneLine(from, to);
}

/** A zone of three points or more; where its edges cross each other, what lies in an even number of parts is outside. Null: it has no area. */
export function zoneOf(points: readonly ScenePoint[]): SceneZone | null {
  if (points.length < 3 || !points.every(isFinitePoint)) return null;
  const zone = new SceneZone(points.map(onBorder));
  return zone.breadth > 0 ? zone : null;
}

function isFinitePoint({ x, y }: ScenePoint): boolean {
  return Number.isFinite(x) && Number.isFinite(y);
}

function onBorder({ x, y }: ScenePoint): ScenePoint {
  const snapped = (share: number) => {
    if (share < BORDER) return Math.min(0, share);
    return share > 1 - BORDER ? Math.max(1, share) : share;
  };
  return { x: snapped(x), y: snapped(y) };
}

export interface LinePosition {
  /** To the right of the line, seen from its first to its second point; negative to the left. */
  readonly distance: number;
  /** 0 at the first point, 1 at the second, also beyond. */
  readonly along: number;
}

export class SceneLine {
  readonly #from: ScenePoint;
  readonly #to: ScenePoint;

  constructor(from: ScenePoint, to: ScenePoint) {
    this.#from = from;
    this.#to = to;
  }

  position({ x, y }: ScenePoint, aspect: number): LinePosition {
    const [lineX, lineY] = [(this.#to.x - this.#from.x) * aspect, this.#to.y - this.#from.y];
    const [pointX, pointY] = [(x - this.#from.x) * aspect, y - this.#from.y];
    const length = Math.hypot(lineX, lineY);
    return {
      distance: (lineX * pointY - lineY * pointX) / length,
      along: (lineX * pointX + lineY * pointY) / length ** 2,
    };
  }
}

export class SceneZone {
  /** The smaller of its width and height, as a share of the frame. */
  readonly breadth: number;
  readonly #points: readonly ScenePoint[];

  constructor(points: readonly ScenePoint[]) {
    this.#points = points;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    this.breadth = Math.min(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  }

  /** Distance from the nearest edge that does not lie on the frame's border: positive inside, negative outside. */
  depth(point: ScenePoint, aspect: number): number {
    let nearest = Number.POSITIVE_INFINITY;
    let isInside = false;
    for (const [at, to] of this.#points.entries()) {
      const from = this.#points.at(at - 1) ?? to;
      if (crossesRay(from, to, point)) isInside = !isInside;
      if (!isOnBorder(from, to)) nearest = Math.min(nearest, edgeDistance(from, to, { point, aspect }));
    }
    return isInside ? nearest : -nearest;
  }
}

/** The lower and right border belong to the frame: a foot that the frame cuts off stands there. */
const INNERMOST = 1 - 1e-9;

/** Whether the edge crosses the ray from the point to the right. */
function crossesRay(from: ScenePoint, to: ScenePoint, point: ScenePoint): boolean {
  const [x, y] = [Math.min(INNERMOST, point.x), Math.min(INNERMOST, point.y)];
  if (from.y > y === to.y > y) return false;
  return x < from.x + ((to.x - from.x) * (y - from.y)) / (to.y - from.y);
}

function isOnBorder(from: ScenePoint, to: ScenePoint): boolean {
  const isBeyond = (one: number, other: number) => (one <= 0 && other <= 0) || (one >= 1 && other >= 1);
  return isBeyond(from.x, to.x) || isBeyond(from.y, to.y);
}

function edgeDistance(
  from: ScenePoint,
  to: ScenePoint,
  { point, aspect }: { readonly point: ScenePoint; readonly aspect: number },
): number {
  const [edgeX, edgeY] = [(to.x - from.x) * aspect, to.y - from.y];
  const [pointX, pointY] = [(point.x - from.x) * aspect, point.y - from.y];
  const square = edgeX ** 2 + edgeY ** 2;
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, (edgeX * pointX + edgeY * pointY) / square));
  const [x, y] = [pointX - edgeX * share, pointY - edgeY * share];
  return Math.sqrt(x * x + y * y);
}
