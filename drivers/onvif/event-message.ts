// Parses an ONVIF notification: topic, channel, key, and the state if it has one.
import { topicNamespaces } from '@vedette/contract/device-event.ts';
import type { notification } from '@vedette/protocols/onvif/notification.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import { withoutEndSlashes } from '@vedette/protocols/text/trim-end.ts';
import type { QName } from '@vedette/protocols/xml/xml.ts';
import type { ChannelPlan } from './session/channel-plan.ts';

export type Notification = TypeOf<typeof notification>;

export interface EventMessage {
  readonly topic: string;
  /** `pulse`: no property, so nothing is known between two of them. */
  readonly operation: 'initialized' | 'changed' | 'deleted' | 'pulse';
  /** Null for data without a state (a count, an object). */
  readonly isActive: boolean | null;
  /** What it saw, of those it can tell apart: another set of them is another state. */
  readonly classes: string;
  readonly channelNo: number;
  readonly key: string;
  readonly deviceAt: number | null;
  readonly source: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
}

/** Channel numbers by tokens of video sources and of their configurations. */
export interface ChannelTokens {
  readonly numbers: ReadonlyMap<string, number>;
  readonly count: number;
}

export function channelTokens({ channels }: ChannelPlan): ChannelTokens {
  const pairs = channels.flatMap(({ channelNo, sourceToken, sourceConfigurations }) =>
    // A source takes precedence over a configuration of the same name.
    [...sourceConfigurations, sourceToken].map((token) => [token, channelNo] as const),
  );
  return { numbers: new Map(pairs), count: channels.length };
}

/** Limits, so that a hostile device fills neither memory nor disk. */
const maxItems = 32;
const maxNameLength = 64;
const maxValueLength = 512;
const maxTopicLength = 256;

/** Null for a notification without topic. */
export function readEventMessage({ Topic, Message }: Notification, channels: ChannelTokens): EventMessage | null {
  if (Topic === undefined || Topic.every(({ name }) => name === '')) return null;
  const { Source, Key, Data, PropertyOperation, UtcTime } = Message?.Message ?? {};
  const source = itemsOf([...simpleItems(Source), ...simpleItems(Key)]);
  const data = itemsOf(simpleItems(Data));
  return {
    topic: topicText(Topic),
    operation: operations.get(PropertyOperation?.toLowerCase() ?? '') ?? 'pulse',
    isActive: stateOf(data),
    classes: classesOf(data),
    channelNo: channelOf(Topic, source, channels),
    key: keyOf(source, channels),
    deviceAt: UtcTime ?? null,
    source,
    data,
  };
}

const operations: ReadonlyMap<string, EventMessage['operation']> = new Map([
  ['initialized', 'initialized'],
  ['changed', 'changed'],
  ['deleted', 'deleted'],
]);

/** As contract/device-event.ts says. */
export function topicText(steps: readonly QName[]): string {
  let before: string | null = null;
  let text = '';
  for (const { namespace, name } of steps) {
    // A device may send a million steps in namespaces of a megabyte.
    if (text.length >= maxTopicLength) break;
    text += `${before === null ? '' : '/'}${namespace === before ? '' : prefixOf(namespace)}${name}`;
    before = namespace;
  }
  return text.slice(0, maxTopicLength);
}

function prefixOf(namespace: string): string {
  if (namespace === '') return '';
  // Also avoids searching the end of an overlong text.
  const shortened = namespace.slice(0, maxTopicLength);
  const wanted = withoutEndSlashes(shortened);
  const known = Object.entries(topicNamespaces).find(([, one]) => one === wanted);
  return known === undefined ? `{${shortened}}` : `${known[0]}:`;
}

interface SimpleItem {
  readonly Name: string;
  readonly Value: string;
}

function simpleItems(list: { readonly SimpleItem: readonly SimpleItem[] } | undefined): readonly SimpleItem[] {
  return list?.SimpleItem ?? [];
}

function itemsOf(items: readonly SimpleItem[]): Record<string, string> {
  // Without a prototype, since a device may call an item `__proto__`.
  const found: Record<string, string> = Object.create(null);
  for (const { Name, Value } of items.slice(0, maxItems)) {
    found[Name.slice(0, maxNameLength)] = Value.slice(0, maxValueLength);
  }
  return found;
}

/** Item names that hold the state; lower case. */
const stateNames: ReadonlySet<string> = new Set([
  'state',
  'logicalstate',
  'ismotion',
  'motion',
  'isinside',
  'iscrossed',
  'islinecross',
  'istamper',
  'ispeople',
  'isvehicle',
  'ispet',
  'isintrusion',
  'issoundsdetected',
  'active',
  'failed',
  'value',
  'link',
  'triggered',
  'alert',
  'disruption',
]);
/** Of several classes that one event can name. */
const classNames: ReadonlySet<string> = new Set(['ispeople', 'isvehicle', 'ispet']);
const trueWords: ReadonlySet<string> = new Set(['true', '1', 'active', 'on']);
const falseWords: ReadonlySet<string> = new Set(['false', '0', 'inactive', 'off']);
/** Idle values of `State` in door and recording events; any other is active. */
const restWords: ReadonlySet<string> = new Set([
  'normal',
  'closed',
  'idle',
  'ok',
  'notintamper',
  'notinfault',
  'unknown',
]);

function stateOf(data: Readonly<Record<string, string>>): boolean | null {
  const items = lowered(data);
  const states = items.flatMap(([name, value]) => stateOfItem(name, value) ?? []);
  // One event may say of several classes whether they are there.
  if (states.length > 0) return states.includes(true);
  // The object classifier lists what it sees; an empty list is the end of it.
  const classes = items.find(([name]) => name === 'classtypes');
  if (classes !== undefined) return classes[1] !== '';
  // Vendors choose item names: a single boolean item is the state.
  const [only, more] = items;
  if (only === undefined || more !== undefined || !isStateLike(only[0])) return null;
  return booleanOf(only[1]);
}

type Item = readonly [name: string, value: string];

function lowered(data: Readonly<Record<string, string>>): Item[] {
  return Object.entries(data).map(([name, value]) => [name.toLowerCase(), value.trim().toLowerCase()]);
}

function stateOfItem(name: string, value: string): boolean | null {
  // `IsNotPerson`: true says that it is none.
  if (name.startsWith('isnot')) {
    const negated = booleanOf(value);
    return negated === null ? null : !negated;
  }
  if (!stateNames.has(name)) return null;
  const state = booleanOf(value);
  return state === null && name === 'state' ? !restWords.has(value) : state;
}

function classesOf(data: Readonly<Record<string, string>>): string {
  return lowered(data)
    .flatMap(([name, value]) => {
      if (name === 'classtypes') return value.split(/[\s,;]+/u);
      return classNames.has(name) && booleanOf(value) === true ? [name] : [];
    })
    .sort()
    .join(' ');
}

function isStateLike(name: string): boolean {
  return !/(?:id|count|level|number|token|time|speed)$/u.test(name);
}

function booleanOf(value: string): boolean | null {
  return trueWords.has(value) ? true : falseWords.has(value) ? false : null;
}

/** Items that identify the channel, not the source on it. */
const channelItems: ReadonlySet<string> = new Set([
  'videosourcetoken',
  'videosource',
  'videosourceconfigurationtoken',
  'videoanalyticsconfigurationtoken',
  'videoanalyticsconfiguration',
  'videoencoderconfigurationtoken',
  'profiletoken',
  'profile',
  'channel',
  'videochannel',
]);
/** First steps of topics about video or audio, not about the device. */
const channelTopics: ReadonlySet<string> = new Set([
  'VideoSource',
  'VideoAnalytics',
  'VideoEncoder',
  'RuleEngine',
  'AudioAnalytics',
  'AudioSource',
  'PTZController',
  'Media',
  'CameraApplicationPlatform',
]);

function channelOf(
  topic: readonly QName[],
  source: Readonly<Record<string, string>>,
  { numbers, count }: ChannelTokens,
): number {
  const named = channelByToken(source, numbers);
  if (named !== undefined) return named;
  if (!channelTopics.has(topic[0]?.name ?? '')) return 0;
  if (count === 1) return 1;
  const numbered = statedNumber(topic, source);
  return numbered >= 1 && numbered <= count ? numbered : 0;
}

function channelByToken(
  source: Readonly<Record<string, string>>,
  numbers: ChannelTokens['numbers'],
): number | undefined {
  for (const [name, value] of Object.entries(source)) {
    const isNaming = channelItems.has(name.toLowerCase()) || name.toLowerCase() === 'source';
    const named = isNaming ? numbers.get(value.trim()) : undefined;
    if (named !== undefined) return named;
  }
  return undefined;
}

/** Axis puts the number in the topic: `…/VMD/Camera2Profile1`, `…/Move/Channel_2`. */
function statedNumber(topic: readonly QName[], source: Readonly<Record<string, string>>): number {
  const last = /^(?:Camera|Channel_)(\d{1,3})(?!\d)/u.exec(topic.at(-1)?.name ?? '');
  return Number(last?.[1] ?? source['channel'] ?? 0);
}

function keyOf(source: Readonly<Record<string, string>>, { numbers }: ChannelTokens): string {
  const parts = Object.entries(source).filter(([name, value]) => {
    const word = name.toLowerCase();
    return !channelItems.has(word) && !(word === 'source' && numbers.has(value.trim()));
  });
  return parts
    .map(([, value]) => value.trim())
    .join('/')
    .slice(0, maxValueLength);
}
