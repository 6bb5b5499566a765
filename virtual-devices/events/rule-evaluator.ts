// Evaluates one analytics rule for each sample: crossings are events; presence in a region or of a class is a state.

import { isWanted, type ObjectClass, type Point, type SceneRule } from '../device/scene-rules.ts';
import type { EventTopic } from './topic-catalogue.ts';
import { LINE_CROSSED, OBJECT_SEEN, OBJECTS_INSIDE, REGION_MOTION } from './topic-catalogue.ts';

export interface SeenActor {
  readonly index: number;
  readonly at: Point;
  readonly is: ObjectClass | null;
  /** Where it was at the look before; null where it stands, or nobody knows. */
  readonly from: Point | null;
}

export type RuleResult =
  | { readonly kind: 'crossed'; readonly data: Readonly<Record<string, string>> }
  | { readonly kind: 'state'; readonly isOn: boolean };

/** Null for rules that tell nothing. */
export function topicOf({ kind }: SceneRule): EventTopic | null {
  switch (kind) {
    case 'LineDetector':
      return LINE_CROSSED;
    case 'FieldDetector':
      return OBJECTS_INSIDE;
    case 'MotionRegionDetector':
      return REGION_MOTION;
    case 'ObjectDetection':
      return OBJECT_SEEN;
    case 'ObjectTrack':
      return null;
  }
}

export function evaluateRule(rule: SceneRule, seen: readonly SeenActor[]): readonly RuleResult[] {
  switch (rule.kind) {
    case 'LineDetector':
      return seen.flatMap((actor) => crossing(rule, actor));
    case 'FieldDetector':
      return [{ kind: 'state', isOn: seen.some(({ at }) => isWithin(at, rule.field)) }];
    case 'MotionRegionDetector': {
      const moves = seen.some(({ at, from }) => from !== null && isWithin(at, rule.field));
      return [{ kind: 'state', isOn: rule.isArmed && moves }];
    }
    case 'ObjectDetection': {
      const { classes, field } = rule;
      const isOn = seen.some(({ at, is }) => isWanted(classes, is) && (field === null || isWithin(at, field)));
      return [{ kind: 'state', isOn }];
    }
    case 'ObjectTrack':
      return [];
  }
}

function crossing(rule: SceneRule & { readonly kind: 'LineDetector' }, { index, at, from }: SeenActor): RuleResult[] {
  const [a, b] = rule.line;
  if (from === null || !doCross(a, b, from, at)) return [];
  const isRight = sideOf(a, b, at) > 0;
  if (rule.direction !== 'Any' && (rule.direction === 'Right') !== isRight) return [];
  const data = { ObjectId: String(index), Direction: isRight ? 'LeftToRight' : 'RightToLeft' };
  return [{ kind: 'crossed', data }];
}

function sideOf(a: Point, b: Point, p: Point): number {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

function doCross(a: Point, b: Point, c: Point, d: Point): boolean {
  return sideOf(a, b, c) > 0 !== sideOf(a, b, d) > 0 && sideOf(c, d, a) > 0 !== sideOf(c, d, b) > 0;
}

/** By the even-odd rule. */
function isWithin({ x, y }: Point, corners: readonly Point[]): boolean {
  let isInside = false;
  for (const [index, a] of corners.entries()) {
    const b = corners[(index + 1) % corners.length] as Point;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
  }
  return isInside;
}
