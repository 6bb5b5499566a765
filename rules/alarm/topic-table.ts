// Topic table: the alarm type that a device event raises, and the types that it ends on its source.
import { type TopicRule, TOPIC_RULES, VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import { RAISED_ALARM_TYPES, type RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { DeviceEvent } from '@vedette/contract/device-event.ts';

/** What an installation says of one topic, whatever the table says; null: no alarm. */
export interface TopicOverride {
  readonly topic: string;
  readonly type: RaisedAlarmType | null;
}

export interface EventMeaning {
  /** Several where the device names several classes at once. */
  readonly raises: readonly RaisedAlarmType[];
  /** Raised without an end that the device will tell. */
  readonly isPulse: boolean;
  /** Types whose open alarm on the same source is over. */
  readonly ends: readonly RaisedAlarmType[];
}

type EventState = Pick<DeviceEvent, 'topic' | 'phase' | 'source' | 'data'>;
const NOTHING: EventMeaning = { raises: [], isPulse: false, ends: [] };

type Rules = readonly TopicRule[];

/** Rules by topic: whole topics, and those that end with `*`. */
class TopicIndex {
  readonly #whole: ReadonlyMap<string, Rules>;
  /** The longest first. */
  readonly #open: readonly (readonly [prefix: string, rules: Rules])[];

  constructor(byTopic: ReadonlyMap<string, Rules>) {
    this.#whole = byTopic;
    this.#open = [...byTopic]
      .filter(([topic]) => topic.endsWith('*'))
      .map(([topic, list]) => [topic.slice(0, -1), list] as const)
      .sort(([one], [other]) => other.length - one.length);
  }

  find(topic: string): Rules | undefined {
    return this.#whole.get(topic) ?? this.#open.find(([prefix]) => topic.startsWith(prefix))?.[1];
  }
}

export class TopicTable {
  readonly #byTopic: TopicIndex;
  readonly #byPath: TopicIndex;

  constructor(overrides: readonly TopicOverride[] = [], rules: Rules = TOPIC_RULES) {
    const byTopic = Map.groupBy(rules, (rule) => rule.topic);
    for (const { topic, type } of overrides) byTopic.set(topic, [{ topic, type }]);
    this.#byTopic = new TopicIndex(byTopic);
    const ofDevices = rules.filter(({ topic }) => !topic.startsWith(VIRTUAL_ALARM_TOPIC));
    this.#byPath = new TopicIndex(Map.groupBy(ofDevices, ({ topic }) => pathOf(topic)));
  }

  /** A topic that the table does not know raises `Unknown`. */
  meaningOf(event: EventState): EventMeaning {
    const rules = this.#rulesOf(event.topic) ?? [{ topic: event.topic, type: 'Unknown' }];
    const types = new Set(rules.flatMap(({ type }) => (type === null ? [] : [type])));
    const holding = rulesThatHold(rules, event);
    const [rule] = holding;
    const phase = rule === undefined ? 'end' : phaseOf(rule, event);
    if (phase === 'end') return { ...NOTHING, ends: [...types] };
    const raises = holding.flatMap(({ type }) => type ?? []);
    if (raises.length === 0) return NOTHING;
    for (const type of raises) types.delete(type);
    return { raises, isPulse: phase === 'pulse', ends: [...types] };
  }

  #rulesOf(topic: string): Rules | undefined {
    return this.#byTopic.find(topic) ?? this.#byPath.find(pathOf(topic));
  }
}

/** Without the namespaces of its steps, in small letters. */
function pathOf(topic: string): string {
  return topic
    .replace(/\{[^{}]*\}/gu, '')
    .split('/')
    .map((step) => step.slice(step.indexOf(':') + 1))
    .join('/')
    .toLowerCase();
}

/** The first whose condition holds; with it those that hold beside it. */
function rulesThatHold(rules: Rules, event: EventState): Rules {
  const holding = rules.filter((one) => conditionHolds(one, event));
  return holding[0]?.isOneOfMany ? holding.filter(({ isOneOfMany }) => isOneOfMany) : holding.slice(0, 1);
}

/** The end of a state may leave out what it was: then it ends whatever the topic can raise. */
function conditionHolds({ when }: TopicRule, { data, source }: EventState): boolean {
  if (when === undefined) return true;
  const text = itemOf({ ...source, ...data }, when.item);
  if (text === undefined) return false;
  if (when.atLeast !== undefined && Number(text) >= when.atLeast) return true;
  return hasWord(text, when.words ?? []);
}

function phaseOf({ raisedBy, when }: TopicRule, { data, phase }: EventState): DeviceEvent['phase'] {
  if (raisedBy !== undefined) {
    const text = itemOf(data, raisedBy.item);
    if (text !== undefined) return hasWord(text, raisedBy.words) ? 'start' : 'end';
  }
  // A level or a word that raises is a state, however the device sends it.
  return when?.atLeast !== undefined && phase === 'pulse' ? 'start' : phase;
}

function itemOf(items: Readonly<Record<string, string>>, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(items).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

function hasWord(text: string, words: readonly string[]): boolean {
  const said = text.toLowerCase().split(/[\s,;]+/);
  return words.some((word) => said.includes(word.toLowerCase()));
}

/** Something instant is over when it begins. */
export function isInstant(type: RaisedAlarmType): boolean {
  return type !== 'Offline' && !RAISED_ALARM_TYPES[type].hasCleared;
}
