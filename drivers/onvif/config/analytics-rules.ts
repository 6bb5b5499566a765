// Shared by sections made of analytics rules: the configuration of a channel, and the items of a rule (ONVIF Analytics 5).
import type { Point } from '@vedette/contract/config/fields.ts';
import {
  type analyticsItem,
  getAnalyticsProfiles,
  getAnalyticsProfiles2,
  getSupportedRules,
} from '@vedette/protocols/onvif/analytics-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { fromShares, toShares } from './geometry.ts';
import type { SectionSource } from './section-source.ts';

export type Item = TypeOf<typeof analyticsItem>;
export type RuleKind = TypeOf<typeof getSupportedRules.response>['SupportedRules']['RuleDescription'][number];

/** Token of the analytics of a channel. */
export async function analyticsOf({ session, plan }: SectionSource, signal?: AbortSignal): Promise<string> {
  const pairs =
    plan.streams[0]?.profile.service === 'media2'
      ? (await session.call(getAnalyticsProfiles2, { Type: ['VideoSource', 'Analytics'] }, signal)).Profiles.map(
          ({ Configurations }) => [Configurations?.VideoSource, Configurations?.Analytics] as const,
        )
      : (await session.call(getAnalyticsProfiles, {}, signal)).Profiles.map(
          (profile) => [profile.VideoSourceConfiguration, profile.VideoAnalyticsConfiguration] as const,
        );
  const own = pairs.find(([video, analytics]) => {
    return analytics !== undefined && (video?.SourceToken ?? video?.token) === plan.sourceToken;
  });
  if (own?.[1] === undefined) throw new DeviceFault('not-supported', 'the channel has no analytics');
  return own[1].token;
}

/** Throws `not-supported` if the device lists no rule of that name; prefixes vary. */
export async function announcedRule(
  { session }: SectionSource,
  ConfigurationToken: string,
  name: string,
  signal?: AbortSignal,
): Promise<RuleKind> {
  const { SupportedRules } = await session.call(getSupportedRules, { ConfigurationToken }, signal);
  const kind = SupportedRules.RuleDescription.find((rule) => isType(rule.Name, name));
  if (kind === undefined) throw new DeviceFault('not-supported', `the device has no rule ${name}`);
  return kind;
}

export function isType(type: string, name: string): boolean {
  return type === name || type.endsWith(`:${name}`);
}

export function itemOf(item: Item | undefined, name: string): string | undefined {
  return item?.Parameters.SimpleItem.find(({ Name }) => Name === name)?.Value;
}

/** Undefined values leave the item unchanged. */
export function withItems(item: Item, values: Readonly<Record<string, string | undefined>>): Item {
  const given = Object.entries(values).flatMap(([Name, Value]) => (Value === undefined ? [] : [{ Name, Value }]));
  const names = new Set(given.map(({ Name }) => Name));
  const SimpleItem = [...item.Parameters.SimpleItem.filter(({ Name }) => !names.has(Name)), ...given];
  return { ...item, Parameters: { ...item.Parameters, SimpleItem } };
}

export function regionOf(item: Item, name: string): Point[] | undefined {
  const element = item.Parameters.ElementItem.find(({ Name }) => Name === name);
  const corners = (element?.PolygonConfiguration?.Polygon ?? element?.Polygon)?.Point;
  return corners?.map(({ x = 0, y = 0 }) => toShares({ x, y }));
}

export function withRegion(item: Item, Name: string, region: readonly Point[] | undefined): Item {
  if (region === undefined) return item;
  const others = item.Parameters.ElementItem.filter((element) => element.Name !== Name);
  const PolygonConfiguration = { Polygon: { Point: region.map(fromShares) } };
  return { ...item, Parameters: { ...item.Parameters, ElementItem: [...others, { Name, PolygonConfiguration }] } };
}
