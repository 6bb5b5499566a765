// Alarm bursts are grouped by channel and type within a minute, without loss or double counting.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BURST_WINDOW_MS, groupBursts } from './group-bursts.ts';

const alarm = (no: number, time: number, over: { channelNo?: number; type?: string } = {}) => ({
  alarmId: String(no).padStart(4, '0'),
  deviceSerial: 'A',
  channelNo: 1,
  type: 'MotionAlarm',
  time,
  ...over,
});

test('[FT-35] groups three alarms of one channel and type within a minute; leaves two, others and older ones apart', () => {
  const list = [
    alarm(9, 100_000),
    alarm(8, 99_000, { type: 'InputAlarm' }),
    alarm(7, 90_000),
    alarm(6, 80_000, { channelNo: 2 }),
    alarm(5, 40_000),
    alarm(4, 39_999),
  ];
  expect(groupBursts(list).map(({ newest, members }) => [newest.alarmId, members.length])).toEqual([
    ['0009', 3],
    ['0008', 1],
    ['0006', 1],
    ['0004', 1],
  ]);
});

test('[FT-35] groups ten thousand alarms of one camera in a second into one row', () => {
  const list = Array.from({ length: 10_000 }, (_none, at) => alarm(10_000 - at, 1000));
  expect(groupBursts(list)).toHaveLength(1);
});

test('[FT-35] puts every alarm in one burst, spans at most a minute, keeps the order', () => {
  const any = fc.record({
    step: fc.integer({ min: 0, max: 30_000 }),
    channelNo: fc.integer({ min: 1, max: 2 }),
    type: fc.constantFrom('MotionAlarm', 'InputAlarm'),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 60 }), (steps) => {
      let time = 10_000_000;
      const list = steps.map(({ step, ...over }, at) => {
        time -= step;
        return alarm(1000 - at, time, over);
      });
      const floods = groupBursts(list);
      const ids = floods.flatMap(({ members }) => members.map(({ alarmId }) => alarmId));
      expect(ids.toSorted()).toEqual(list.map(({ alarmId }) => alarmId).toSorted());
      for (const { newest, members } of floods) {
        expect(members.every((one) => newest.time - one.time <= BURST_WINDOW_MS && one.type === newest.type)).toBe(
          true,
        );
      }
      const heads = floods.map(({ newest }) => newest.time);
      expect(heads).toEqual(heads.toSorted((a, b) => b - a));
    }),
  );
});
