// How the rules of a channel are written as analytics rules, and which kinds there are (ONVIF Analytics 5, annex A).

import {
  type analyticsItem,
  type getRuleOptions,
  type getSupportedRules,
} from '@vedette/protocols/onvif/analytics-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ObjectClass, Point, SceneRule, SceneRuleKind } from '../device/scene-rules.ts';
import { invalidArgument } from './onvif-fault.ts';

export type Item = TypeOf<typeof analyticsItem>;
type Description = TypeOf<typeof getSupportedRules.response>['SupportedRules']['RuleDescription'][number];
type Option = TypeOf<typeof getRuleOptions.response>['RuleOptions'][number];

const CLASSES: readonly ObjectClass[] = ['Human', 'Vehicle', 'Animal'];
const CORNERS = { Min: 3, Max: 10 };
const DIRECTIONS = ['Any', 'Left', 'Right'] as const;
const HOLD_S = { Min: 3, Max: 300 };

interface Written {
  readonly simple: Readonly<Record<string, string>>;
  readonly elements: Readonly<Record<string, readonly Point[]>>;
}

interface Kind {
  readonly most: number;
  readonly simple: readonly string[];
  readonly elements: readonly string[];
  readonly read: (name: string, item: Item) => SceneRule;
}

type RuleOf<K extends SceneRuleKind> = SceneRule & { readonly kind: K };

const kinds: { readonly [K in SceneRuleKind]: Kind & { readonly write: (rule: RuleOf<K>) => Written } } = {
  LineDetector: {
    most: 4,
    simple: ['Direction'],
    elements: ['Segments'],
    write: ({ line, direction }) => ({ simple: { Direction: direction }, elements: { Segments: line } }),
    read: (name, item) => {
      const [from, to] = pointsOf(item, 'Segments') ?? [];
      const direction = DIRECTIONS.find((one) => one === textOf(item, 'Direction')) ?? 'Any';
      if (from === undefined || to === undefined) throw badRule();
      return { name, kind: 'LineDetector', line: [from, to], direction };
    },
  },
  FieldDetector: {
    most: 4,
    simple: [],
    elements: ['Field'],
    write: ({ field }) => ({ simple: {}, elements: { Field: field } }),
    read: (name, item) => ({ name, kind: 'FieldDetector', field: fieldOf(item) ?? refuse() }),
  },
  MotionRegionDetector: {
    most: 4,
    simple: ['Sensitivity', 'Armed'],
    elements: ['MotionRegion'],
    write: ({ field, sensitivity, isArmed }) => ({
      simple: { Sensitivity: String(sensitivity), Armed: String(isArmed) },
      elements: { MotionRegion: field },
    }),
    read: (name, item) => ({
      name,
      kind: 'MotionRegionDetector',
      field: pointsOf(item, 'MotionRegion') ?? refuse(),
      sensitivity: Number(textOf(item, 'Sensitivity') ?? 50),
      isArmed: textOf(item, 'Armed') !== 'false',
    }),
  },
  ObjectDetection: {
    most: 4,
    simple: ['ClassFilter', 'ConfidenceLevel'],
    elements: ['Field'],
    write: ({ classes, confidence, field }) => ({
      simple: { ClassFilter: classes.join(' '), ConfidenceLevel: String(confidence) },
      elements: field === null ? {} : { Field: field },
    }),
    read: (name, item) => {
      const confidence = Number(textOf(item, 'ConfidenceLevel') ?? 0.5);
      if (!(confidence >= 0 && confidence <= 1)) throw badRule();
      return { name, kind: 'ObjectDetection', classes: classesOf(item), confidence, field: fieldOf(item) };
    },
  },
  ObjectTrack: {
    most: 1,
    simple: ['ClassFilter', 'HoldTime', 'HomePreset'],
    elements: [],
    write: ({ classes, holdMs, home }) => ({
      simple: { ClassFilter: classes.join(' '), HoldTime: `PT${holdMs / 1000}S`, HomePreset: home },
      elements: {},
    }),
    read: (name, item) => {
      const seconds = Number(/^PT(\d+(?:\.\d+)?)S$/u.exec(textOf(item, 'HoldTime') ?? 'PT10S')?.[1]);
      if (!(seconds >= HOLD_S.Min && seconds <= HOLD_S.Max)) throw badRule();
      const home = textOf(item, 'HomePreset') ?? '';
      return { name, kind: 'ObjectTrack', classes: classesOf(item), holdMs: seconds * 1000, home };
    },
  },
};

/** @param lacks kinds that the device does not know */
export function describeRules(lacks: readonly SceneRuleKind[]): Description[] {
  return kindNames(lacks).map((name) => ({
    Name: `tt:${name}`,
    maxInstances: kinds[name].most,
    Parameters: {
      SimpleItemDescription: kinds[name].simple.map((Name) => ({ Name })),
      ElementItemDescription: kinds[name].elements.map((Name) => ({ Name, Type: 'tt:PolygonConfiguration' })),
    },
  }));
}

export function ruleOptions(lacks: readonly SceneRuleKind[]): Option[] {
  const optionOf: Readonly<Record<string, Omit<Option, 'Name' | 'RuleType'>>> = {
    ClassFilter: { StringItems: { Item: [...CLASSES] } },
    Direction: { StringItems: { Item: [...DIRECTIONS] } },
    ConfidenceLevel: { FloatRange: { Min: 0, Max: 1 } },
    Sensitivity: { IntRange: { Min: 0, Max: 100 } },
    HoldTime: { IntRange: HOLD_S },
    Field: { PolygonOptions: { VertexLimits: CORNERS } },
  };
  return kindNames(lacks).flatMap((name) =>
    [...kinds[name].simple, ...kinds[name].elements].flatMap((Name) => {
      const option = optionOf[Name];
      return option === undefined ? [] : [{ RuleType: `tt:${name}`, Name, ...option }];
    }),
  );
}

export function itemOf(rule: SceneRule): Item {
  const { simple, elements } = (kinds[rule.kind].write as (rule: SceneRule) => Written)(rule);
  return {
    Name: rule.name,
    Type: `tt:${rule.kind}`,
    Parameters: {
      SimpleItem: Object.entries(simple).map(([Name, Value]) => ({ Name, Value })),
      ElementItem: Object.entries(elements).map(([Name, points]) => ({
        Name,
        PolygonConfiguration: { Polygon: { Point: points.map(toOnvif) } },
      })),
    },
  };
}

/** Throws where the device has no such kind, or no more of it fit among `others`. */
export function ruleOf(item: Item, others: readonly SceneRule[], lacks: readonly SceneRuleKind[]): SceneRule {
  const name = kindNames(lacks).find((one) => item.Type === one || item.Type.endsWith(`:${one}`));
  if (name === undefined) throw invalidArgument('ter:InvalidRule', 'The device knows no such rule');
  if (others.filter(({ kind }) => kind === name).length >= kinds[name].most)
    throw invalidArgument('ter:TooManyRules', 'No more rules of this kind fit');
  return kinds[name].read(item.Name, item);
}

export function textOf(item: Item | undefined, name: string): string | undefined {
  return item?.Parameters.SimpleItem.find(({ Name }) => Name === name)?.Value;
}

function kindNames(lacks: readonly SceneRuleKind[]): SceneRuleKind[] {
  return (Object.keys(kinds) as SceneRuleKind[]).filter((name) => !lacks.includes(name));
}

function classesOf(item: Item): ObjectClass[] {
  const words = (textOf(item, 'ClassFilter') ?? '').split(/\s+/u).filter(Boolean);
  return words.map((word) => CLASSES.find((one) => one === word) ?? refuse());
}

function fieldOf(item: Item): Point[] | null {
  const points = pointsOf(item, 'Field');
  if (points !== null && (points.length < CORNERS.Min || points.length > CORNERS.Max)) throw badRule();
  return points;
}

function pointsOf(item: Item, name: string): Point[] | null {
  const element = item.Parameters.ElementItem.find(({ Name }) => Name === name);
  const points = (element?.PolygonConfiguration?.Polygon ?? element?.Polygon)?.Point;
  return points?.map(({ x = 0, y = 0 }) => ({ x: (x + 1) / 2, y: (1 - y) / 2 })) ?? null;
}

function toOnvif({ x, y }: Point) {
  return { x: x * 2 - 1, y: 1 - y * 2 };
}

function badRule() {
  return invalidArgument('ter:InvalidRule', 'The rule is not valid');
}

function refuse(): never {
  throw badRule();
}
