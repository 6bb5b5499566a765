// Alarm life cycle: begin, repeat and end in any order that devices and restarts can produce.
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OpenAlarm } from '../../database/alarm/alarm-rows.ts';
import { AlarmLifecycle, type RaisedEvent } from './alarm-lifecycle.ts';

const PLACE = { deviceId: 'd', channelNo: 1, sourceKey: '' };
const FACTS = { ownerId: 'u', topic: 't', source: {}, data: {}, deviceAt: null };

function foldOf(open: readonly OpenAlarm[] = []) {
  let last = 0;
  return new AlarmLifecycle({
    open,
    newId: () => {
      last += 1;
      return `a${open.length}.${last}`;
    },
  });
}

const raised = (at: number, over: Partial<RaisedEvent> = {}): RaisedEvent => ({
  ...PLACE,
  ...FACTS,
  type: 'MotionAlarm',
  isPulse: false,
  at,
  ...over,
});

test('[AL-03] ends only the alarm of its pair on the same source', () => {
  const fold = foldOf();
  fold.raise(raised(1));
  fold.raise(raised(1, { channelNo: 2 }));
  fold.raise(raised(1, { type: 'InputAlarm' }));
  fold.end(PLACE, ['MotionAlarm'], 5);
  const ended = [...fold.raised.values()].map(({ channelNo, type, endTime }) => [channelNo, type, endTime]);
  expect(ended).toEqual([
    [1, 'MotionAlarm', 5],
    [2, 'MotionAlarm', null],
    [1, 'InputAlarm', null],
  ]);
});

test('forgets what was raised for owners that are gone, and nothing else', () => {
  const fold = foldOf();
  fold.raise(raised(1, { ownerId: 'gone' }));
  fold.raise(raised(1, { ownerId: 'gone', channelNo: 2, isPulse: true }));
  fold.raise(raised(1, { channelNo: 3 }));
  fold.forgetOwners(new Set(['gone', 'unknown']));
  expect([...fold.raised.values()].map(({ channelNo }) => channelNo)).toEqual([3]);
  expect(fold.openChanges()).toMatchObject({ begun: [{ channelNo: 3 }], changed: [], gone: [] });
});

test('ends a pulse ten seconds after its last repeat', () => {
  const fold = foldOf();
  for (const at of [0, 9000, 18_000]) fold.raise(raised(at, { isPulse: true }));
  expect([...fold.raised.values()]).toMatchObject([{ endTime: 28_000, endReason: 'held', repeatCount: 2 }]);
  expect(fold.openChanges().begun).toHaveLength(1);
  fold.raise(raised(28_001, { isPulse: true }));
  expect(fold.raised.size).toBe(2);
  expect(fold.openChanges().begun).toMatchObject([{ startTime: 28_001, holdUntil: 38_001 }]);
});

test('stores a pulse with its end, changes only its repeats, and reopens it on a following state', () => {
  const first = foldOf();
  first.raise(raised(0, { isPulse: true }));
  const fold = foldOf(first.openChanges().begun);
  fold.raise(raised(5000, { isPulse: true }));
  expect([...fold.changed.values()]).toMatchObject([{ endTime: 15_000, isEndSet: true, repeats: 1 }]);
  fold.raise(raised(6000));
  expect([...fold.changed.values()]).toMatchObject([{ endTime: null, endReason: null, isEndSet: true, repeats: 2 }]);
  expect(fold.openChanges()).toMatchObject({ begun: [], changed: [{ holdUntil: null }], gone: [] });
  const over = foldOf(first.openChanges().begun);
  over.raise(raised(10_001, { isPulse: true }));
  expect([...over.changed.values()], 'news without a change').toMatchObject([{ isEndSet: false, repeats: 0 }]);
  expect(over.openChanges()).toMatchObject({ begun: [], changed: [{ startTime: 10_001 }], gone: [] });
});

test('does not end a lasting state by a pulse', () => {
  const fold = foldOf();
  fold.raise(raised(0));
  fold.raise(raised(1, { isPulse: true }));
  expect([...fold.raised.values()]).toMatchObject([{ endTime: null, repeatCount: 1 }]);
});

test('never leaves an instant alarm open, and makes one for each', () => {
  const fold = foldOf();
  fold.raise(raised(3, { type: 'IllegalLogin' }));
  fold.raise(raised(4, { type: 'IllegalLogin' }));
  expect([...fold.raised.values()].map(({ endTime }) => endTime)).toEqual([3, 4]);
  expect(fold.openChanges()).toEqual({ begun: [], changed: [], gone: [] });
});

test('a lost device ends what it reported, and stays offline', () => {
  const fold = foldOf();
  fold.raise(raised(1));
  fold.raise(raised(2, { type: 'Offline', channelNo: 0 }));
  fold.deviceLost('d', 9);
  expect([...fold.raised.values()].map(({ type, endTime, endReason }) => [type, endTime, endReason])).toEqual([
    ['MotionAlarm', 9, 'offline'],
    ['Offline', null, null],
  ]);
});

/** Folds one list of events in pieces, as batches and restarts cut it, and answers all alarms. */
function foldInPieces(events: readonly { at: number; isEnd: boolean; isPulse: boolean; key: string }[], size: number) {
  let open: OpenAlarm[] = [];
  const alarms = new Map<string, { endTime: number | null; repeatCount: number }>();
  for (let from = 0; from < events.length; from += size) {
    const fold = new AlarmLifecycle({ open, newId: (startTime) => `${startTime}.${alarms.size}.${fold.raised.size}` });
    for (const { at, isEnd, isPulse, key } of events.slice(from, from + size)) {
      const place = { ...PLACE, sourceKey: key };
      if (isEnd) fold.end(place, ['MotionAlarm'], at);
      else fold.raise(raised(at, { ...place, isPulse }));
    }
    for (const [id, { endTime, repeatCount }] of fold.raised) alarms.set(id, { endTime, repeatCount });
    for (const [id, change] of fold.changed) {
      const stored = alarms.get(id);
      if (stored === undefined) throw new Error(`${id} was never stored`);
      if (change.isEndSet) stored.endTime = change.endTime;
      stored.repeatCount += change.repeats;
    }
    const { begun, changed, gone } = fold.openChanges();
    const put = [...begun, ...changed];
    const keyOf = (one: { readonly sourceKey: string }) => one.sourceKey;
    expect(begun.filter((one) => open.some((known) => keyOf(known) === keyOf(one)))).toEqual([]);
    const replaced = new Set([...put, ...gone].map(keyOf));
    open = [...open.filter((one) => !replaced.has(keyOf(one))), ...put];
  }
  return [...alarms.values()];
}

test('[FT-36] gives the same alarms, ends and counts for one batch or many', () => {
  const event = fc.record({
    step: fc.integer({ min: 0, max: 8000 }),
    isEnd: fc.boolean(),
    isPulse: fc.boolean(),
    key: fc.constantFrom('a', 'b'),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (steps, size) => {
      let at = 0;
      const events = steps.map(({ step, ...rest }) => {
        at += step;
        return { ...rest, at };
      });
      expect(foldInPieces(events, size)).toEqual(foldInPieces(events, Math.max(1, events.length)));
    }),
  );
});

test('every type can be raised', () => {
  const fold = foldOf();
  for (const type of RAISED_ALARM_TYPE_NAMES) fold.raise(raised(1, { type }));
  expect(fold.raised.size).toBe(RAISED_ALARM_TYPE_NAMES.length);
});
