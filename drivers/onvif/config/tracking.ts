// Section `tracking`: a rule that makes the camera follow moving objects, if the device lists one.
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import {
  createRules,
  deleteRules,
  getRuleOptions,
  getRules,
  modifyRules,
} from '@vedette/protocols/onvif/analytics-operations.ts';
import { getPresets } from '@vedette/protocols/onvif/ptz-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { readDurationMs, writeDuration } from '../session/duration.ts';
import { analyticsOf, announcedRule, isType, type Item, itemOf, type RuleKind, withItems } from './analytics-rules.ts';
import { changedOnly, orAbsent, type SectionSource } from './section-source.ts';

type Value = SectionValue<'tracking'>;
type Options = TypeOf<typeof getRuleOptions.response>['RuleOptions'];

const RULE = 'ObjectTrack';
const NEW_NAME = 'ObjectTrack';
const targets = { human: 'Human', vehicle: 'Vehicle', any: '' } as const;
const UNTOLD_HOLD = { min: 1, max: 300 } as const;

export function trackingSection(source: SectionSource): ConfigSection<'tracking'> {
  const { session, plan } = source;
  const read = async (signal?: AbortSignal) => {
    const ConfigurationToken = await analyticsOf(source, signal);
    const kind = await announcedRule(source, ConfigurationToken, RULE, signal);
    const ProfileToken = plan.ptzProfile?.token;
    const [{ Rule }, options, presets] = await Promise.all([
      session.call(getRules, { ConfigurationToken }, signal),
      orAbsent(session.call(getRuleOptions, { ConfigurationToken, RuleType: kind.Name }, signal)),
      ProfileToken === undefined ? null : orAbsent(session.call(getPresets, { ProfileToken }, signal)),
    ]);
    const rule = Rule.find(({ Type }) => isType(Type, RULE));
    const tokens = presets?.Preset.flatMap(({ token }) => token ?? []) ?? [];
    return { ConfigurationToken, kind, rule, options: options?.RuleOptions ?? [], tokens };
  };
  return {
    read: async (signal) => {
      const { rule, options, tokens } = await read(signal);
      return readingOf(rule, options, tokens);
    },
    write: async (next, before, signal) => {
      const change = changedOnly(next, before.value);
      if (Object.keys(change).length === 0) return;
      const { ConfigurationToken, kind, rule } = await read(signal);
      const whole = { ...before.value, ...next };
      if (whole.on !== true) {
        if (rule !== undefined) await session.call(deleteRules, { ConfigurationToken, RuleName: [rule.Name] }, signal);
        return;
      }
      const Rule = [itemFrom(whole, rule ?? newItem(kind))];
      await session.call(rule === undefined ? createRules : modifyRules, { ConfigurationToken, Rule }, signal);
    },
  };
}

export function readingOf(
  rule: Item | undefined,
  options: Options,
  presets: readonly string[],
): SectionReading<'tracking'> {
  const offered = options.find(({ Name }) => Name === 'ClassFilter')?.StringItems?.Item ?? Object.values(targets);
  const words = Object.entries(targets).flatMap(([word, theirs]) =>
    theirs === '' || offered.includes(theirs) ? [word] : [],
  );
  const range = options.find(({ Name }) => Name === 'HoldTime')?.IntRange;
  const hold = range === undefined ? UNTOLD_HOLD : { min: range.Min, max: range.Max };
  const holdMs = readDurationMs(itemOf(rule, 'HoldTime'));
  const theirs = itemOf(rule, 'ClassFilter') ?? '';
  const home = itemOf(rule, 'HomePreset') ?? '';
  return {
    value: {
      on: rule !== undefined,
      target: Object.entries(targets).find(([, word]) => word === theirs)?.[0] ?? 'any',
      hold: holdMs === null ? hold.min : holdMs / 1000,
      home,
    },
    capabilities: {
      on: {},
      target: { options: words },
      hold,
      home: { options: [...new Set(['', ...presets, home])] },
    },
  };
}

function itemFrom({ target, hold, home }: Value, before: Item): Item {
  return withItems(before, {
    ClassFilter: targets[(target ?? 'any') as keyof typeof targets],
    HoldTime: hold === undefined ? undefined : writeDuration(hold * 1000),
    HomePreset: home,
  });
}

function newItem({ Name: Type }: RuleKind): Item {
  return { Name: NEW_NAME, Type, Parameters: { SimpleItem: [], ElementItem: [] } };
}
