// Section `humanShape`: rules that detect people, if the device lists object detection (ONVIF Analytics A.7).
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import {
  createRules,
  deleteRules,
  getRuleOptions,
  getRules,
  modifyRules,
} from '@vedette/protocols/onvif/analytics-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import {
  analyticsOf,
  announcedRule,
  isType,
  type Item,
  itemOf,
  regionOf,
  type RuleKind,
  withItems,
  withRegion,
} from './analytics-rules.ts';
import { orAbsent, pick, type SectionSource } from './section-source.ts';

type Rule = NonNullable<SectionValue<'humanShape'>['rules']>[number];
type Options = TypeOf<typeof getRuleOptions.response>['RuleOptions'];

const DETECTION = 'ObjectDetection';
/** Device words for people, the usual one first. */
const PEOPLE = ['Human', 'Person', 'People'];
const REGION = 'Field';
const CONFIDENCE = 'ConfidenceLevel';
const FEWEST_CORNERS = 3;
const UNTOLD_CORNERS = 10;
const UNTOLD_RULES = 4;

export function humanShapeSection(source: SectionSource): ConfigSection<'humanShape'> {
  const { session } = source;
  const read = async (signal?: AbortSignal) => {
    const ConfigurationToken = await analyticsOf(source, signal);
    const kind = await announcedRule(source, ConfigurationToken, DETECTION, signal);
    const [{ Rule: rules }, options] = await Promise.all([
      session.call(getRules, { ConfigurationToken }, signal),
      orAbsent(session.call(getRuleOptions, { ConfigurationToken, RuleType: kind.Name }, signal)),
    ]);
    const own = rules.filter((rule) => isType(rule.Type, DETECTION) && looksForPeople(rule));
    return { ConfigurationToken, kind, own, rules, options: options?.RuleOptions ?? [] };
  };
  return {
    read: async (signal) => {
      const { kind, own, options } = await read(signal);
      return readingOf(kind, own, options);
    },
    write: async (next, _before, signal) => {
      if (next.rules === undefined) return;
      const { ConfigurationToken, kind, own, rules, options } = await read(signal);
      const kept = new Set(next.rules.map(({ id }) => id));
      const RuleName = own.map(({ Name }) => Name).filter((name) => !kept.has(name));
      if (RuleName.length > 0) await session.call(deleteRules, { ConfigurationToken, RuleName }, signal);
      const taken = new Set(rules.map(({ Name }) => Name));
      for (const wish of next.rules) {
        const known = own.find(({ Name }) => Name === wish.id);
        const item = itemFrom(wish, known ?? newItem(kind, options, freeName(wish.name ?? '', taken)));
        if (known === undefined) await session.call(createRules, { ConfigurationToken, Rule: [item] }, signal);
        else if (JSON.stringify(ruleOf(known)) !== JSON.stringify({ ...ruleOf(known), ...wish }))
          await session.call(modifyRules, { ConfigurationToken, Rule: [item] }, signal);
      }
    },
  };
}

function looksForPeople(rule: Item): boolean {
  const classes = (itemOf(rule, 'ClassFilter') ?? '').split(/[\s,]+/u).filter(Boolean);
  return classes.length === 0 || classes.some((word) => PEOPLE.includes(word));
}

export function readingOf(kind: RuleKind, own: readonly Item[], options: Options): SectionReading<'humanShape'> {
  const names = kind.Parameters;
  const has = (list: 'SimpleItemDescription' | 'ElementItemDescription', name: string) =>
    names?.[list].some((one) => one.Name === name) ?? false;
  const corners = options.find(({ Name }) => Name === REGION)?.PolygonOptions?.VertexLimits?.Max;
  return {
    value: { rules: own.map(ruleOf) },
    capabilities: {
      rules: {
        most: kind.maxInstances ?? UNTOLD_RULES,
        isFixed: false,
        item: pick({
          name: { most: 32 },
          confidence: has('SimpleItemDescription', CONFIDENCE) ? { min: 0, max: 100 } : undefined,
          region: has('ElementItemDescription', REGION)
            ? { most: Math.max(FEWEST_CORNERS, corners ?? UNTOLD_CORNERS) }
            : undefined,
        }),
      },
    },
  };
}

export function ruleOf(rule: Item): Rule {
  const confidence = Number(itemOf(rule, CONFIDENCE));
  return pick<Rule>({
    id: rule.Name,
    name: rule.Name,
    // From 0 to 1 at the device.
    confidence: Number.isFinite(confidence) ? Math.round(confidence * 100) : undefined,
    region: regionOf(rule, REGION),
  });
}

function itemFrom(wish: Rule, before: Item): Item {
  const share = wish.confidence === undefined ? undefined : String(wish.confidence / 100);
  return withRegion(withItems(before, { [CONFIDENCE]: share }), REGION, wish.region);
}

function newItem(kind: RuleKind, options: Options, Name: string): Item {
  const offered = options.find((option) => option.Name === 'ClassFilter')?.StringItems?.Item ?? [];
  const people = PEOPLE.find((word) => offered.includes(word)) ?? PEOPLE[0] ?? '';
  const SimpleItem = [{ Name: 'ClassFilter', Value: people }];
  return { Name, Type: kind.Name, Parameters: { SimpleItem, ElementItem: [] } };
}

/** Rules are identified by name. */
function freeName(wish: string, taken: Set<string>): string {
  const stem = wish.trim() === '' ? 'Human' : wish.trim();
  let name = stem;
  for (let number = 2; taken.has(name); number++) name = `${stem} ${number}`;
  taken.add(name);
  return name;
}
