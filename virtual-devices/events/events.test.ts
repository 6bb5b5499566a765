// Proves the events of a virtual device: what subscribers are told and when, limits and ends, and what the scene decides.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import type { SceneRule } from '../device/scene-rules.ts';
import type { Actor, Scene } from '../scene/painting/scene.ts';
import { type EventMessage, EventSource } from './event-source.ts';
import { PullPoints } from './pull-points.ts';
import { SceneAnalytics } from './scene-analytics.ts';
import { eventTopic, eventTopics } from './topic-catalogue.ts';

const tokensOf = (channelNo: number) => ({ source: `s${channelNo}`, configuration: `c${channelNo}` });
let nowMs = 1_700_000_000_000;
const newSource = () => new EventSource({ wallMs: () => nowMs, tokensOf });
const INPUT = eventTopic('tns1:Device/Trigger/DigitalInput');
const input = { topic: INPUT, channelNo: 0, key: 'in1' };
const nobodyLeaves = () => undefined;

function newPullPoints(source = newSource(), limit = 2) {
  return { source, points: new PullPoints({ source, monotonicMs: () => nowMs, limit: () => limit }) };
}

const idOf = (id: string | null): string => {
  if (id === null) throw new Error('no subscription');
  return id;
};
const brief = (messages: readonly EventMessage[] | null) => messages?.map(({ operation, data }) => [operation, data]);

afterEach(() => vi.useRealTimers());

describe('subscriptions', () => {
  test('a new subscription gets the state of all properties, then changes, in a queue of its own', async () => {
    const { source, points } = newPullPoints();
    source.introduce(input);
    const first = idOf(points.create(60_000));
    source.raise(input);
    const second = idOf(points.create(60_000));
    expect(brief(await points.pull(first, 0, 10, nobodyLeaves))).toEqual([
      ['Initialized', { LogicalState: 'false' }],
      ['Changed', { LogicalState: 'true' }],
    ]);
    expect(brief(await points.pull(second, 0, 10, nobodyLeaves))).toEqual([['Initialized', { LogicalState: 'true' }]]);
  });

  test('a pull waits for an event; an abandoned pull consumes none', async () => {
    const { source, points } = newPullPoints();
    const id = idOf(points.create(60_000));
    const waiting = points.pull(id, 60_000, 10, nobodyLeaves);
    source.raise(input);
    expect(brief(await waiting)).toEqual([['Changed', { LogicalState: 'true' }]]);
    let leave = (): void => undefined;
    const left = points.pull(id, 60_000, 10, (run) => {
      leave = run;
    });
    leave();
    expect(await left).toEqual([]);
    source.clear(input);
    expect(brief(await points.pull(id, 60_000, 10, nobodyLeaves))).toEqual([['Changed', { LogicalState: 'false' }]]);
  });

  test('there are no more than the limit, and they end by themselves unless renewed', async () => {
    const { points } = newPullPoints();
    const [first, second] = [idOf(points.create(10_000)), idOf(points.create(10_000))];
    expect(points.create(10_000)).toBeNull();
    nowMs += 6000;
    expect(points.renew(first, 10_000)).toBe(true);
    nowMs += 6000;
    expect([points.count, points.renew(second, 10_000)]).toEqual([1, false]);
    expect(await points.pull(second, 0, 10, nobodyLeaves)).toBeNull();
    expect([points.end(first), points.end(first), points.count]).toEqual([true, false, 0]);
  });

  test('a synchronisation point sends all states again; a removed source is sent as deleted', async () => {
    const { source, points } = newPullPoints();
    const id = idOf(points.create(60_000));
    source.raise(input);
    points.synchronise(id);
    source.remove(input);
    const received = (await points.pull(id, 0, 10, nobodyLeaves)) ?? [];
    expect(received.map(({ operation }) => operation)).toEqual(['Changed', 'Initialized', 'Deleted']);
    expect(source.states).toEqual([]);
  });
});

test('every alarm type has a topic, and unknown topics can be sent too', () => {
  const topics = new Set(eventTopics.map(({ topic }) => topic));
  expect(RAISED_ALARM_TYPE_NAMES.filter((type) => !topics.has(`${VIRTUAL_ALARM_TOPIC}/${type}`))).toEqual([]);
  expect(topics.size).toBe(eventTopics.length);
  const heard: EventMessage[] = [];
  const source = newSource();
  source.listen((message) => heard.push(message));
  source.raise({ topic: eventTopic('tnsvdt:Nobody/Knows'), channelNo: 3, key: null });
  expect(heard).toMatchObject([{ topic: 'tnsvdt:Nobody/Knows', source: { Source: 's3' }, data: { State: 'true' } }]);
});

describe('rules of the scene', () => {
  /** Crosses the picture from left to right in 32 s, in its upper half. */
  const walker: Actor = { place: (timeMs) => ({ sprite: 'dot', x: (timeMs - 1_700_000_000_000) / 100, y: 40 }) };
  const scene: Scene = {
    indoor: true,
    paint: () => undefined,
    lamps: [],
    actors: [walker],
    sprites: { dot: { width: 0, height: 0, paint: () => undefined } },
  };

  function watchFor(seconds: number, cells = '1'.repeat(396)) {
    nowMs = 1_700_000_000_000;
    const source = newSource();
    const received: { topic: string; atS: number; value: string }[] = [];
    source.listen(({ topic, data, at }) =>
      received.push({
        topic: topic.split('/').at(-1) ?? '',
        atS: Math.round((at - 1_700_000_000_000) / 1000),
        value: Object.values(data)[0] ?? '',
      }),
    );
    const motion = () => ({ isOn: true, sensitivity: 60, cells });
    const watch = new SceneAnalytics({ channelNo: 1, scene, variant: 0, utcOffset: () => 0, motion, source });
    for (let tick = 0; tick <= seconds * 5; tick++) {
      watch.sample(nowMs);
      nowMs += 200;
    }
    return received;
  }

  test('a moving object raises motion, crosses the line once, and is inside the field from edge to edge', () => {
    expect(watchFor(40)).toEqual([
      { topic: 'Motion', atS: 0, value: 'true' },
      { topic: 'Crossed', atS: 16, value: '0' },
      { topic: 'ObjectsInside', atS: 19, value: 'true' },
      { topic: 'ObjectsInside', atS: 29, value: 'false' },
      { topic: 'Motion', atS: 34, value: 'false' },
    ]);
  });

  test('only watched cells count as motion', () => {
    const lowerHalf = '0'.repeat(198) + '1'.repeat(198);
    expect(watchFor(40, lowerHalf).filter(({ topic }) => topic === 'Motion')).toEqual([]);
    const rightHalf = ('0'.repeat(11) + '1'.repeat(11)).repeat(18);
    expect(watchFor(40, rightHalf).find(({ topic }) => topic === 'Motion')?.atS).toBe(16);
  });

  test('people are distinguished from vehicles, lines have a direction, and created or deleted rules are announced', () => {
    nowMs = 1_700_000_000_000;
    const source = newSource();
    const received: string[] = [];
    source.listen(({ topic, operation, source: from }) =>
      received.push(`${topic.split('/').at(-1)} ${operation ?? 'once'} ${from['Rule'] ?? ''}`),
    );
    const sprite = { width: 0, height: 0, paint: () => undefined };
    const actors = ['walker', 'red'].map(
      (name, at): Actor => ({
        place: (timeMs) => ({ sprite: name, x: 40 + (timeMs - 1_700_000_000_000) / 100, y: 40 + at * 80 }),
      }),
    );
    const street: Scene = { ...scene, actors, sprites: { walker: sprite, red: sprite } };
    const lower = [
      { x: 0, y: 0.5 },
      { x: 1, y: 0.5 },
      { x: 1, y: 1 },
      { x: 0, y: 1 },
    ];
    const line = [
      { x: 0.2, y: 0 },
      { x: 0.2, y: 1 },
    ] as const;
    let rules: SceneRule[] = [
      { name: 'anywhere', kind: 'ObjectDetection', classes: ['Human'], confidence: 0.5, field: null },
      { name: 'below', kind: 'ObjectDetection', classes: ['Human'], confidence: 0.5, field: lower },
      { name: 'left', kind: 'LineDetector', line, direction: 'Left' },
      { name: 'right', kind: 'LineDetector', line, direction: 'Right' },
    ];
    const motion = () => ({ isOn: false, sensitivity: 60, cells: '' });
    const shown = { channelNo: 1, scene: street, variant: 0, utcOffset: () => 0 };
    const watch = new SceneAnalytics({ ...shown, motion, rules: () => rules, source });
    for (let tick = 0; tick < 30; tick++) {
      watch.sample(nowMs);
      nowMs += 200;
    }
    const crossed = received.filter((one) => one.startsWith('Crossed'));
    expect(received).toContain('Object Changed anywhere');
    expect(received).not.toContain('Object Changed below');
    expect(new Set(crossed).size).toBe(1);
    expect(crossed).toHaveLength(2);
    rules = [];
    watch.sample(nowMs);
    expect(received).toContain('Object Deleted anywhere');
  });
});
