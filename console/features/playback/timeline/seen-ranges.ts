// When objects were seen, below the track of a channel: a line for each class, told apart by colour and pattern.
import { OBJECT_CLASSES, type ObjectClass } from '@vedette/contract/enumerations.ts';
import { barsOf, type SpanBar } from './recorded-spans.ts';

export interface SeenRange {
  readonly objectClass: ObjectClass;
  readonly start: number;
  readonly end: number;
}

/** CSS pixels. */
const TALL_PX = 6;
const SLIM_PX = 3;
const SPACE_PX = 1;
const LEAST_PX = 2;
const PATTERN_PX = 4;

/** Of those that were seen, in the order of their lines. */
export function seenClasses(seen: readonly SeenRange[]): readonly ObjectClass[] {
  const classes = new Set(seen.map(({ objectClass }) => objectClass));
  return OBJECT_CLASSES.filter((one) => classes.has(one));
}

/** Of all lines together. */
export function seenHeight(seen: readonly SeenRange[], isTall: boolean): number {
  return seenClasses(seen).length * ((isTall ? TALL_PX : SLIM_PX) + SPACE_PX);
}

export function seenAt(seen: readonly SeenRange[], at: number): readonly ObjectClass[] {
  return seenClasses(seen.filter(({ start, end }) => at >= start && at <= end));
}

export interface SeenArea {
  readonly top: number;
  readonly width: number;
  readonly isTall: boolean;
  readonly xOf: (at: number) => number;
  readonly colours: Readonly<Record<ObjectClass, string>>;
}

export function paintSeen(context: CanvasRenderingContext2D, seen: readonly SeenRange[], area: SeenArea): void {
  const { xOf, width, isTall, colours } = area;
  const height = isTall ? TALL_PX : SLIM_PX;
  let top = area.top + SPACE_PX;
  for (const objectClass of seenClasses(seen)) {
    const ranges = seen.filter((range) => range.objectClass === objectClass);
    context.fillStyle = colours[objectClass];
    for (const { x, width: long } of barsOf(ranges, xOf, width)) {
      PATTERNS[objectClass](context, { x, width: Math.max(LEAST_PX, long) }, top, height);
    }
    top += height + SPACE_PX;
  }
}

type Pattern = (context: CanvasRenderingContext2D, bar: SpanBar, top: number, height: number) => void;

const PATTERNS: Readonly<Record<ObjectClass, Pattern>> = {
  person: (context, { x, width }, top, height) => context.fillRect(x, top, width, height),
  vehicle: dashed(PATTERN_PX, 0.6),
  bicycle: (context, { x, width }, top, height) => {
    context.fillRect(x, top, width, height / 3);
    context.fillRect(x, top + (height * 2) / 3, width, height / 3);
  },
  animal: (context, { x, width }, top, height) => context.fillRect(x, top + height / 2, width, height / 2),
  bag: dashed(PATTERN_PX * 2, 0.25),
};

/** From the left of the bar on, so that a short one shows a part of a dash. */
function dashed(periodPx: number, share: number): Pattern {
  return (context, { x, width }, top, height) => {
    for (let left = x; left < x + width; left += periodPx) {
      context.fillRect(left, top, Math.min(periodPx * share, x + width - left), height);
    }
  };
}
