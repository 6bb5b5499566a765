// Topic table: the alarm type that a device event raises, and the types that it ends on its source.
import { type TopicRule, TOPIC_RULES } from '@vedette/contract/alarm-topics.ts';
import { RAISED_ALARM_TYPES, type RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { DeviceEvent } from '@vedette/contract/device-event.ts';

/** What an installation says of one topic, whatever the table says; null: no alarm. */
export interface TopicOverride {
  readonly topic: string;
  readonly type: RaisedAlarmType | null;
}

export interface EventMeaning {
  /** Null: nothing is raised. */
  readonly raises: RaisedAlarmType | null;
  /** Raised without an end that the device will tell. */
  readonly isPulse: boolean;
  /** Types whose open alarm on the same source is over. */
  readonly ends: readonly RaisedAlarmType[];
}

type EventState = Pick<DeviceEvent, 'topic' | 'phase' | 'source' | 'data'>;
const NOTHING: EventMeaning = { raises: null, isPulse: false, ends: [] };

export class TopicTable {
  readonly #whole: ReadonlyMap<string, readonly TopicRule[]>;
  /** Those that end with `*`, the longest first. */
  readonly #open: readonly (readonly [prefix: string, rules: readonly TopicRule[]])[];

  constructor(overrides: readonly TopicOverride[] = [], rules: readonly TopicRule[] = TOPIC_RULES) {
    const byTopic = Map.groupBy(rules, (rule) => rule.topic);
    for (const { topic, type } of overrides) byTopic.set(topic, [{ topic, type }]);
    this.#whole = byTopic;
    this.#open = [...byTopic]
      .filter(([topic]) => topic.endsWith('*'))
      .map(([topic, list]) => [topic.slice(0, -1), list] as const)
      .sort(([one], [other]) => other.length - one.length);
  }

  /** A topic that the table does not know raises `Unknown`. */
  meaningOf(event: EventState): EventMeaning {
    const rules = this.#rulesOf(event.topic) ?? [{ topic: event.topic, type: 'Unknown' }];
    const types = new Set(rules.flatMap(({ type }) => (type === null ? [] : [type])));
    const rule = rules.find((one) => conditionHolds(one, event));
    const phase = rule === undefined ? 'end' : phaseOf(rule, event);
    if (phase === 'end') return { ...NOTHING, ends: [...types] };
    const raises = rule?.type ?? null;
    if (raises === null) return NOTHING;
    types.delete(raises);
    return { raises, isPulse: phase === 'pulse', ends: [...types] };
  }

  #rulesOf(topic: string): readonly TopicRule[] | undefined {
    return this.#whole.get(topic) ?? this.#open.find(([prefix]) => topic.startsWith(prefix))?.[1];
  }
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
