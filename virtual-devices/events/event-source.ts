// Property states of a virtual device, and the subscribers of their changes.

import type { EventTopic } from './topic-catalogue.ts';

export interface EventMessage {
  readonly topic: string;
  /** Null: the topic is no property. */
  readonly operation: 'Initialized' | 'Changed' | 'Deleted' | null;
  /** Milliseconds since 1970 UTC by the device's clock. */
  readonly at: number;
  readonly source: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
}

export interface SimulatedEvent {
  readonly topic: EventTopic;
  /** 0: the device itself. */
  readonly channelNo: number;
  /** Of the source; null takes the first of its kind. */
  readonly key: string | null;
  /** Besides the state. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Of a video source and of its configuration. */
export interface SourceTokens {
  readonly source: string;
  readonly configuration: string;
}

export interface EventSourceOptions {
  readonly wallMs: () => number;
  readonly tokensOf: (channelNo: number) => SourceTokens;
}

export class EventSource {
  private readonly options: EventSourceOptions;
  /** Properties by topic and source. */
  private readonly properties = new Map<string, EventMessage>();
  private readonly listeners = new Set<(message: EventMessage) => void>();

  constructor(options: EventSourceOptions) {
    this.options = options;
  }

  /** The state of all properties, as new subscribers are told. */
  get states(): EventMessage[] {
    return [...this.properties.values()].map((message) => ({ ...message, operation: 'Initialized' }));
  }

  listen(listener: (message: EventMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get hasListeners(): boolean {
    return this.listeners.size > 0;
  }

  /** What is known of a property before it changes for the first time. */
  introduce(happening: SimulatedEvent): void {
    const message = this.message(happening, false, 'Initialized');
    this.properties.set(keyOf(message), message);
  }

  /** A property is on from now on; anything else just happens. */
  raise(happening: SimulatedEvent): void {
    this.tell(this.message(happening, true, happening.topic.isProperty ? 'Changed' : null));
  }

  clear(happening: SimulatedEvent): void {
    if (happening.topic.isProperty) this.tell(this.message(happening, false, 'Changed'));
  }

  /** The source is no more, for example a rule that was deleted. */
  remove(happening: SimulatedEvent): void {
    const message = this.message(happening, false, 'Deleted');
    if (this.properties.delete(keyOf(message))) this.send(message);
  }

  private tell(message: EventMessage): void {
    if (message.operation !== null) this.properties.set(keyOf(message), message);
    this.send(message);
  }

  private send(message: EventMessage): void {
    for (const listener of this.listeners) listener(message);
  }

  private message(happening: SimulatedEvent, isOn: boolean, operation: EventMessage['operation']): EventMessage {
    const { topic, channelNo, key, data } = happening;
    const tokens = this.options.tokensOf(Math.max(1, channelNo));
    const source: Record<string, string> = {};
    if (topic.channelItem === 'Source' && channelNo > 0) source['Source'] = tokens.source;
    if (topic.channelItem === 'VideoSourceConfigurationToken') source[topic.channelItem] = tokens.configuration;
    if (topic.keyItem !== null) source[topic.keyItem] = key ?? `${topic.keyItem}_1`;
    else if (key !== null) source['Token'] = key;
    const state = { [topic.stateItem]: stateWord(topic, isOn) };
    return { topic: topic.topic, operation, at: this.options.wallMs(), source, data: { ...state, ...data } };
  }
}

function keyOf({ topic, source }: EventMessage): string {
  return JSON.stringify([topic, source]);
}

/** What the item says when it is on or off; not all items are yes or no. */
function stateWord(topic: EventTopic, isOn: boolean): string {
  const { on, off } = stateWords(topic);
  return isOn ? on : off;
}

interface StateWords {
  readonly on: string;
  readonly off: string;
}

function stateWords({ stateItem, topic }: EventTopic): StateWords {
  if (stateItem === 'ClassTypes') return { on: 'Human', off: '' };
  if (stateItem === 'Count') return { on: '12', off: '0' };
  if (topic.startsWith('tns1:Door/')) return doorWords.get(topic) ?? { on: 'Open', off: 'Closed' };
  if (topic.endsWith('/JobState')) return { on: 'Active', off: 'Idle' };
  const word = words.get(stateItem);
  return word === undefined ? { on: 'true', off: 'false' } : { on: word, off: word };
}

const words: ReadonlyMap<string, string> = new Map([
  ['ObjectId', '1'],
  ['UserName', 'guest'],
  ['PlateNumber', 'VE 1234'],
  ['Likelihood', '0.9'],
  ['Reason', 'InvalidPIN'],
  ['Value', '96'],
  ['Status', '2020-01-01T00:00:00Z'],
]);
const doorWords: ReadonlyMap<string, StateWords> = new Map([
  ['tns1:Door/State/DoorPhysicalState', { on: 'Open', off: 'Closed' }],
  ['tns1:Door/State/DoorAlarm', { on: 'DoorForcedOpen', off: 'Normal' }],
  ['tns1:Door/State/DoorTamper', { on: 'TamperDetected', off: 'NotInTamper' }],
  ['tns1:Door/State/DoorFault', { on: 'FaultDetected', off: 'NotInFault' }],
]);
