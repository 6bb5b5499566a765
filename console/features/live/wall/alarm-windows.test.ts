// Alarm windows on the pure model of the wall.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endAlarmsUntil, type ShownAlarm, showAlarm, type WallUse } from './alarm-windows.ts';
import { EMPTY_HISTORY, recordChange } from './wall-history.ts';
import {
  EMPTY_WALL,
  endAlarmWindow,
  fill,
  keepAlarmWindow,
  place,
  placeNext,
  remove,
  restoreWall,
  serializeWall,
  setSplit,
  shownCells,
  swap,
  toggleMaximised,
  type WallChannel,
  type WallState,
  wallContent,
} from './wall-model.ts';

const camera = (channelNo: number): WallChannel => ({ deviceSerial: 'A', channelNo });
const alarm = (channelNo: number, until = 1000): ShownAlarm => ({
  ...camera(channelNo),
  alarmId: `alarm ${channelNo}`,
  type: 'MotionAlarm',
  until,
});
const shown = (wall: WallState): (number | null)[] =>
  shownCells(wall).map((cell) => wall.cells[cell]?.channelNo ?? null);
const UNUSED: WallUse = { isUsed: () => false, touched: [] };
const FULL = fill(EMPTY_WALL, [camera(1), camera(2), camera(3), camera(4)]);

describe('an alarm on the wall', () => {
  test('takes the first free window, else the one untouched longest', () => {
    const some = fill(EMPTY_WALL, [camera(1), camera(2)]);
    expect(shown(showAlarm(some, alarm(9), UNUSED))).toEqual([1, 2, 9, null]);
    expect(shown(showAlarm(FULL, alarm(9), { ...UNUSED, touched: [1, 0, 3] }))).toEqual([1, 2, 9, 4]);
    expect(shown(showAlarm(FULL, alarm(9), { ...UNUSED, touched: [1, 0, 3, 2] }))).toEqual([1, 9, 3, 4]);
  });

  test('takes no window that is used, heard or maximised', () => {
    const used: WallUse = { isUsed: (cell) => cell === 0, touched: [] };
    const wall = { ...toggleMaximised(FULL, 1), audible: 2 };
    const after = showAlarm(wall, alarm(9), used);
    expect(shown(after)).toEqual([1, 2, 3, 9]);
    expect(after).toMatchObject({ maximised: 1, audible: 2, selected: 1 });
    expect(showAlarm(wall, alarm(9), { isUsed: () => true, touched: [] })).toBe(wall);
  });

  test('that is in sight changes nothing, and a second one of the camera goes on for longer', () => {
    expect(showAlarm(FULL, alarm(3), UNUSED)).toBe(FULL);
    const once = showAlarm(FULL, alarm(9, 1000), UNUSED);
    const twice = showAlarm(once, alarm(9, 3000), UNUSED);
    expect(shown(twice)).toEqual(shown(once));
    expect(twice.alarms).toMatchObject([{ until: 3000, channel: camera(9) }]);
    expect(shown(endAlarmsUntil(twice, 1000, UNUSED.isUsed))).toEqual(shown(once));
  });

  test('of more cameras than windows replaces the oldest, and the first camera comes back', () => {
    let wall = setSplit(FULL, 1);
    wall = showAlarm(wall, alarm(8), UNUSED);
    wall = showAlarm(wall, alarm(9), UNUSED);
    expect(shown(wall)).toEqual([9]);
    expect(shown(endAlarmsUntil(wall, 1000, UNUSED.isUsed))).toEqual([1]);
  });

  test('ends at its time, but later where somebody works with it', () => {
    const wall = showAlarm(FULL, alarm(9, 1000), UNUSED);
    expect(endAlarmsUntil(wall, 999, UNUSED.isUsed)).toBe(wall);
    expect(shown(endAlarmsUntil(wall, 1000, UNUSED.isUsed))).toEqual([1, 2, 3, 4]);
    const kept = endAlarmsUntil(wall, 1000, (cell) => cell === 0);
    expect(shown(kept)).toEqual([9, 2, 3, 4]);
    expect(kept.alarms[0]?.until).toBeGreaterThan(1000);
    expect(shown(endAlarmsUntil(toggleMaximised(wall, 0), 1000, UNUSED.isUsed))).toEqual([9, 2, 3, 4]);
  });

  test('is kept by hand or by choosing its camera, dismissed by taking it away', () => {
    const wall = showAlarm(FULL, alarm(9), UNUSED);
    for (const kept of [keepAlarmWindow(wall, 0), placeNext(wall, camera(9)), place(wall, 0, camera(9))]) {
      expect(shown(endAlarmsUntil(kept, 1000, UNUSED.isUsed))).toEqual([9, 2, 3, 4]);
      expect(recordChange(EMPTY_HISTORY, wall, kept).past).toEqual([wallContent(FULL)]);
    }
    expect(shown(remove(wall, 0))).toEqual([1, 2, 3, 4]);
  });

  test('is no part of what is stored, saved and undone', () => {
    const wall = showAlarm(FULL, alarm(9), UNUSED);
    expect(wallContent(wall)).toEqual(wallContent(FULL));
    expect(serializeWall(wall)).toEqual(serializeWall(FULL));
    expect(recordChange(EMPTY_HISTORY, FULL, wall)).toBe(EMPTY_HISTORY);
  });

  test('follows its window about, and ends where another camera is put', () => {
    const wall = showAlarm(FULL, alarm(9), UNUSED);
    expect(shown(endAlarmWindow(swap(wall, 0, 3), 0))).toEqual([4, 2, 3, 1]);
    const replaced = place(wall, 0, camera(5));
    expect(replaced.alarms).toEqual([]);
    expect(shown(replaced)).toEqual([5, 2, 3, 4]);
  });

  test('does not bring back a camera that was put elsewhere meanwhile', () => {
    const wall = place(showAlarm(FULL, alarm(9), UNUSED), 2, camera(1));
    expect(shown(endAlarmWindow(wall, 0))).toEqual([null, 2, 1, 4]);
  });

  test('of a camera that another alarm covers is shown elsewhere, and comes back to its own place once', () => {
    const wall = showAlarm(showAlarm(FULL, alarm(5, 1000), UNUSED), alarm(1, 3000), UNUSED);
    expect(shown(wall)).toEqual([5, 1, 3, 4]);
    expect(shown(endAlarmsUntil(wall, 1000, UNUSED.isUsed))).toEqual([1, 2, 3, 4]);
    expect(shown(endAlarmsUntil(wall, 1000, (cell) => cell === 1))).toEqual([5, 1, 3, 4]);
    expect(shown(keepAlarmWindow(wall, 0))).toEqual([5, 1, 3, 4]);
    expect(shown(keepAlarmWindow(wall, 1))).toEqual([5, 1, 3, 4]);
  });

  test('of a camera out of sight puts it back there', () => {
    const wall = setSplit(FULL, 1);
    const after = showAlarm(wall, alarm(3), UNUSED);
    expect(shown(after)).toEqual([3]);
    expect(serializeWall(after)).toEqual(serializeWall(wall));
    expect(shown(setSplit(endAlarmWindow(after, 0), 4))).toEqual([1, 2, 3, 4]);
  });

  test('whatever happens, each camera stands once on the wall and once in what is stored', () => {
    const step = fc.tuple(
      fc.constantFrom('alarm', 'place', 'next', 'remove', 'swap', 'split', 'end', 'keep'),
      fc.nat({ max: 5 }),
      fc.integer({ min: 1, max: 8 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let wall = FULL;
        for (const [kind, cell, channelNo] of steps) wall = changed(wall, kind, cell, channelNo);
        for (const list of [
          wall.cells,
          serializeWall(wall),
          serializeWall(restoreWall(wall.split, serializeWall(wall))),
        ]) {
          const numbers = list.flatMap((channel) => (channel ? [channel.channelNo] : []));
          expect(new Set(numbers).size).toBe(numbers.length);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

function changed(wall: WallState, kind: string, at: number, channelNo: number): WallState {
  const cell = shownCells(wall)[at % wall.split] ?? 0;
  if (kind === 'alarm') return showAlarm(wall, alarm(channelNo), UNUSED);
  if (kind === 'place') return place(wall, cell, camera(channelNo));
  if (kind === 'next') return placeNext(wall, camera(channelNo));
  if (kind === 'remove') return remove(wall, cell);
  if (kind === 'swap') return swap(wall, cell, shownCells(wall)[0] ?? 0);
  if (kind === 'split') return setSplit(wall, at % 2 === 0 ? 4 : 1);
  return kind === 'end' ? endAlarmWindow(wall, cell) : keepAlarmWindow(wall, cell);
}
