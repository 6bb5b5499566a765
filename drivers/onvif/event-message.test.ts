// How notifications are read and what is told of them: captured ones of Axis, and the odd forms devices use, as hand-written XML.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { notification } from '@vedette/protocols/onvif/notification.ts';
import { parseXml } from '@vedette/protocols/xml/xml.ts';
import { describe, expect, test } from 'vitest';
import { type ChannelTokens, type EventMessage, readEventMessage, topicText } from './event-message.ts';
import { EventStates } from './event-states.ts';

const one: ChannelTokens = { numbers: new Map([['vs1', 1]]), count: 1 };
const four: ChannelTokens = {
  numbers: new Map([
    ['vs1', 1],
    ['vsc3', 3],
  ]),
  count: 4,
};

interface Parts {
  readonly topic: string;
  readonly operation?: string;
  readonly source?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, string>>;
  readonly at?: number;
  readonly namespaces?: string;
}

function xmlOf({ topic, operation, source = {}, data = {}, at = 0, namespaces = TOPICS }: Parts): string {
  const items = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([name, value]) => `<tt:SimpleItem Name="${name}" Value="${value}"/>`);
  const property = operation === undefined ? '' : ` PropertyOperation="${operation}"`;
  return `<wsnt:NotificationMessage xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2" xmlns:tt="http://www.onvif.org/ver10/schema" ${namespaces}>
    <wsnt:Topic>${topic}</wsnt:Topic><wsnt:Message><tt:Message UtcTime="${new Date(at).toISOString()}"${property}>
    <tt:Source>${items(source).join('')}</tt:Source><tt:Data>${items(data).join('')}</tt:Data></tt:Message></wsnt:Message>
  </wsnt:NotificationMessage>`;
}

const TOPICS = 'xmlns:tns1="http://www.onvif.org/ver10/topics"';

function read(parts: Parts, channels = one): EventMessage {
  const message = readEventMessage(notification.read(parseXml(xmlOf(parts))) ?? {}, channels);
  if (message === null) throw new Error('not read');
  return message;
}

const MOTION = 'tns1:RuleEngine/CellMotionDetector/Motion';

describe('topics', () => {
  test.each([
    ['as usual', MOTION, TOPICS],
    ['with another prefix', 'x:RuleEngine/CellMotionDetector/Motion', 'xmlns:x="http://www.onvif.org/ver10/topics"'],
    ['with a prefix at each step', 'x:RuleEngine/x:CellMotionDetector/x:Motion', TOPICS.replace('tns1', 'x')],
    ['with a prefix that is bound nowhere', MOTION, ''],
    ['with space around it', `\n   ${MOTION}\n`, TOPICS],
  ])('%s', (_, topic, namespaces) => {
    expect(read({ topic, namespaces }).topic).toBe(MOTION);
  });

  test('a topic of very many steps in very long namespaces costs no more than reading it', () => {
    const [long, other] = ['/'.repeat(500_000), 'x'.repeat(500_000)];
    const steps = Array.from({ length: 1000 }, (_, i) => ({ namespace: i % 2 === 0 ? long : other, name: 'a' }));
    const began = process.cpuUsage();
    expect(topicText(steps)).toHaveLength(256);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(500);
  });

  test('keep the namespaces of vendors, known by their prefix and unknown ones by their name', () => {
    const vendors = `${TOPICS} xmlns:a="http://www.axis.com/2009/event/topics" xmlns:tnsaxis="http://example.com/t"`;
    expect(read({ topic: 'tns1:Device/a:IO/Port', namespaces: vendors }).topic).toBe('tns1:Device/tnsaxis:IO/Port');
    expect(read({ topic: 'tnsaxis:Door/Open', namespaces: vendors }).topic).toBe('{http://example.com/t}Door/Open');
  });

  test('a notification without a topic is ignored', () => {
    expect(readEventMessage({}, one)).toBeNull();
    expect(readEventMessage(notification.read(parseXml(xmlOf({ topic: ' ' }))) ?? {}, one)).toBeNull();
  });
});

describe('channel and key', () => {
  test.each<[Partial<Parts>, ChannelTokens, number, string]>([
    [{ source: { VideoSourceConfigurationToken: 'vsc3', Rule: 'North' } }, four, 3, 'North'],
    [{ source: { Source: 'vs1' }, topic: 'tns1:VideoSource/SignalLoss' }, four, 1, ''],
    [{ source: { VideoSourceConfigurationToken: 'nobody knows', Rule: 'R' } }, one, 1, 'R'],
    [{ source: { VideoSourceConfigurationToken: 'nobody knows', Rule: 'R' } }, four, 0, 'R'],
    [{ source: { InputToken: '01' }, topic: 'tns1:Device/Trigger/DigitalInput' }, one, 0, '01'],
    [{ source: { Token: 'SD <1>' }, topic: 'tns1:Device/HardwareFailure/StorageFailure' }, four, 0, 'SD <1>'],
    [{ topic: 'tns1:PTZController/Move/Channel_2' }, four, 2, ''],
    [{ source: { Rule: 'a', ObjectId: '7' } }, one, 1, 'a/7'],
  ])('%j', (parts, channels, channelNo, key) => {
    const escaped = JSON.parse(JSON.stringify({ topic: MOTION, ...parts }).replaceAll('<', '&lt;'));
    expect(read(escaped, channels)).toMatchObject({ channelNo, key });
  });
});

test.each<[string, Parts['source'], Parts['data'], Partial<EventMessage>]>([
  ['tns1:Device/tnsaxis:Sensor/PIR', { sensor: '0' }, { state: '1' }, { channelNo: 0, key: '0', isActive: true }],
  ['tnsaxis:CameraApplicationPlatform/VMD/Camera1ProfileANY', {}, { active: '0' }, { channelNo: 1, isActive: false }],
  [
    'tns1:PTZController/tnsaxis:Move/Channel_1',
    { PTZConfigurationToken: '1' },
    { is_moving: '0' },
    { isActive: false },
  ],
  ['tns1:PTZController/tnsaxis:PTZPresets/Channel_1', { PresetToken: '2' }, { on_preset: '1' }, { key: '2' }],
  ['tns1:AudioSource/tnsaxis:TriggerLevel', { channel: '1' }, { triggered: '0' }, { channelNo: 1, isActive: false }],
])('%s of a vendor within a topic of ONVIF', (topic, source, data, expected) => {
  const namespaces = `${TOPICS} xmlns:tnsaxis="http://www.axis.com/2009/event/topics"`;
  const parts = { topic, namespaces, operation: 'Changed', ...(source && { source }), ...(data && { data }) };
  expect(read(parts)).toMatchObject({ topic, operation: 'changed', ...expected });
});

test.each([
  [{ IsMotion: 'true' }, true],
  [{ State: '0' }, false],
  [{ LogicalState: 'inactive' }, false],
  [{ active: '1', temperature: '40' }, true],
  [{ State: 'DoorForcedOpen' }, true],
  [{ State: 'Normal' }, false],
  [{ ClassTypes: 'Human Vehicle' }, true],
  [{ ClassTypes: '' }, false],
  [{ IsPeople: 'false', IsVehicle: 'true' }, true],
  [{ IsNotPerson: 'true' }, false],
  [{ IsNotPerson: 'true', IsPeople: 'false' }, false],
  [{ on_preset: '1' }, true],
  [{ ObjectId: '1' }, null],
  [{ Count: '1' }, null],
  [{}, null],
])('the state of %j is %s', (data, isActive) => {
  expect(read({ topic: MOTION, data }).isActive).toBe(isActive);
});

test('items are bounded, and none of their names is special', () => {
  const data = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`n${index}`, 'v'.repeat(5000)]));
  const message = read({ topic: MOTION, data: { ...data }, source: { ['__proto__']: 'x', constructor: 'y' } });
  expect(Object.keys(message.data)).toHaveLength(32);
  expect(message.data['n0']).toHaveLength(512);
  expect(JSON.parse(JSON.stringify(message.source))).toHaveProperty('constructor', 'y');
});

test('another class beside or in place of the first is reported at once, the same again is not', () => {
  const kept = new EventStates();
  const phases = ['', 'Human', 'Human Animal', 'Animal Human', 'Animal', ''].map((ClassTypes, step) => {
    const message = read({
      topic: MOTION,
      at: step,
      operation: step === 0 ? 'Initialized' : 'Changed',
      data: { ClassTypes },
    });
    return kept.take(message, step, step)?.phase ?? null;
  });
  expect(phases).toEqual([null, 'start', 'start', null, 'start', 'end']);
});

describe('reported events', () => {
  let now = 0;
  const states = () => {
    const kept = new EventStates();
    return (parts: Partial<Parts>) =>
      kept.take(read({ topic: MOTION, at: now, ...parts }), 1_700_000_000_000 + now, now)?.phase ?? null;
  };
  const phasesOf = (
    ...steps: readonly (readonly [operation: string | undefined, IsMotion: string, afterMs?: number])[]
  ) => {
    const take = states();
    return steps.map(([operation, IsMotion, afterMs = 1000]) => {
      now += afterMs;
      return take({ ...(operation === undefined ? {} : { operation }), data: { IsMotion } });
    });
  };

  test('an initial state is not reported; a change while nobody listened is', () => {
    expect(phasesOf(['Initialized', 'true'])).toEqual([null]);
    expect(phasesOf(['Initialized', 'false'], ['Initialized', 'true'])).toEqual([null, 'start']);
    expect(phasesOf(['Initialized', 'true'], ['Initialized', 'false'])).toEqual([null, 'end']);
    expect(phasesOf(['Changed', 'true'], ['Initialized', 'true'], ['Changed', 'false'])).toEqual([
      'start',
      null,
      'end',
    ]);
  });

  test('a change is detected across a restart, and an absent source counts as off', () => {
    const kept = new Map<string, boolean>();
    const memory = {
      states: kept,
      remember: (source: string, isActive: boolean | null) => {
        kept.delete(source);
        if (isActive !== null) kept.set(source, isActive);
      },
    };
    const at = (parts: Partial<Parts>) => read({ topic: MOTION, operation: 'Initialized', ...parts });
    const [on, off] = [{ IsMotion: 'true' }, { IsMotion: 'false' }];
    const first = new EventStates(memory);
    expect(first.take(at({ data: on }), 0, 0)).toBeNull();
    expect(first.take(at({ data: off, source: { Rule: 'b' } }), 0, 0)).toBeNull();
    const second = new EventStates(memory);
    expect(second.take(at({ data: on }), 0, 0)).toBeNull();
    expect(second.take(at({ data: on, source: { Rule: 'b' } }), 0, 0)?.phase).toBe('start');
    expect(second.take(at({ data: on, source: { Rule: 'new' } }), 0, 0)?.phase).toBe('start');
    expect(second.take(at({ operation: 'Deleted', data: on }), 0, 0)?.phase).toBe('end');
    expect([...kept.values()]).toEqual([true, true]);
  });

  test('a state is reported when it changes, and every ten seconds while it is repeated', () => {
    const steps = [
      ['Changed', 'true'],
      ['Changed', 'true', 9000],
      ['Changed', 'true', 2000],
      ['Changed', 'false'],
    ] as const;
    expect(phasesOf(...steps, ['Changed', 'false'])).toEqual(['start', null, 'start', 'end', null]);
  });

  test('a deleted property ends its state', () => {
    expect(phasesOf(['Changed', 'true'], ['Deleted', 'true'], ['Deleted', 'true'])).toEqual(['start', 'end', null]);
  });

  test('a notification that is no property is reported each time; an off state ends it', () => {
    expect(phasesOf([undefined, 'true'], [undefined, 'true'], [undefined, 'false'])).toEqual(['pulse', 'pulse', 'end']);
  });

  test('a duplicate is reported once', () => {
    expect(phasesOf([undefined, 'true'], [undefined, 'true', 0], ['Changed', 'true'], ['Changed', 'true', 0])).toEqual([
      'pulse',
      null,
      'start',
      null,
    ]);
  });

  test('sources are distinguished, and their number is bounded', () => {
    const take = states();
    for (let rule = 0; rule < 5000; rule++) {
      const parts = { operation: 'Changed', source: { Rule: String(rule) }, data: { IsMotion: 'true' } };
      expect(take(parts)).toBe('start');
    }
  });
});

const folder = new URL('../../../shared/fixtures/onvif-events/axis/', import.meta.url);

describe.skipIf(!existsSync(folder))('captured notifications of Axis', () => {
  const capturedIn = (name: string): EventMessage[] =>
    parseXml(readFileSync(new URL(name, folder)))
      .childrenNamed('Event')
      .flatMap(({ children }) => children)
      .flatMap((child) => readEventMessage(notification.read(child) ?? {}, one) ?? []);

  test('all are parsed, and only changes are reported', () => {
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const named = files.filter((name) => !name.startsWith('event_instance') && name !== 'first_message.xml');
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) {
      const [message, ...more] = capturedIn(name);
      expect([name, more.length, message?.operation]).toEqual([name, 0, expect.stringMatching(/^(?:init|chang)/u)]);
      expect([name, message?.isActive]).not.toEqual([name, null]);
      expect(message?.deviceAt).toBeGreaterThan(1_500_000_000_000);
      const event = new EventStates().take(message as EventMessage, 0, 0);
      expect([name, event === null]).toEqual([name, message?.operation === 'initialized']);
    }
  });

  test.each([
    [
      'vmd4_any_change.xml',
      { topic: 'tnsaxis:CameraApplicationPlatform/VMD/Camera1ProfileANY', channelNo: 1, key: '', isActive: true },
    ],
    ['pir_change.xml', { topic: 'tns1:Device/tnsaxis:Sensor/PIR', channelNo: 0, key: '0', isActive: true }],
    [
      'ptz_move_end.xml',
      { topic: 'tns1:PTZController/tnsaxis:Move/Channel_1', channelNo: 1, key: '1', isActive: false },
    ],
    [
      'ptz_preset_at_2_true.xml',
      { topic: 'tns1:PTZController/tnsaxis:PTZPresets/Channel_1', channelNo: 1, key: '2', isActive: true },
    ],
    ['audio_init.xml', { topic: 'tns1:AudioSource/tnsaxis:TriggerLevel', channelNo: 1, key: '', isActive: false }],
  ])('%s', (file, expected) => {
    expect(capturedIn(file)).toMatchObject([expected]);
  });
});
