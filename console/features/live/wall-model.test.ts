// Commands of the live wall on its pure model.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EMPTY_WALL,
  fill,
  moveSelection,
  place,
  placeNext,
  remove,
  restoreWall,
  serializeWall,
  setSplit,
  shownCells,
  swap,
  toggleMaximised,
  WALL_SPLITS,
  type WallChannel,
  type WallState,
  wallChannelKey,
  windowCount,
} from './wall-model.ts';

const camera = (channelNo: number): WallChannel => ({ deviceSerial: 'A', channelNo });
const shown = (wall: WallState): (number | null)[] =>
  shownCells(wall).map((cell) => wall.cells[cell]?.channelNo ?? null);

describe('the live wall', () => {
  test('[LM-02] four windows by default', () => {
    expect(EMPTY_WALL.split).toBe(4);
    expect(shown(EMPTY_WALL)).toEqual([null, null, null, null]);
  });

  test('a channel goes to the next free place, then to the selected one', () => {
    let wall = EMPTY_WALL;
    for (const channelNo of [1, 2, 3, 4]) wall = placeNext(wall, camera(channelNo));
    expect(shown(wall)).toEqual([1, 2, 3, 4]);
    wall = placeNext({ ...wall, selected: 1 }, camera(9));
    expect(shown(wall)).toEqual([1, 9, 3, 4]);
    expect(placeNext(wall, camera(4)).selected).toBe(3);
  });

  test('dropping a channel that is on the wall changes places', () => {
    const wall = fill(EMPTY_WALL, [camera(1), camera(2)]);
    const moved = place(wall, 1, camera(1));
    expect(shown(moved)).toEqual([2, 1, null, null]);
    expect(moved.cells).toEqual(wall.cells);
  });

  test('filling leaves what is there and repeats nothing', () => {
    const wall = fill(place(EMPTY_WALL, 2, camera(2)), [1, 2, 3, 4, 5].map(camera));
    expect(shown(wall)).toEqual([1, 3, 2, 4]);
  });

  test('a smaller wall gathers its pictures at the front', () => {
    const nine = place(setSplit(EMPTY_WALL, 9), 8, camera(7));
    expect(shown(setSplit(nine, 4))).toEqual([7, null, null, null]);
  });

  test('[LM-02] a maximised picture counts as one window', () => {
    const wall = toggleMaximised(fill(setSplit(EMPTY_WALL, 16), [camera(1)]), 0);
    expect(windowCount(wall)).toBe(1);
    expect(windowCount(toggleMaximised(wall, 0))).toBe(16);
    expect(toggleMaximised(EMPTY_WALL, 0).maximised).toBeNull();
    expect(remove(wall, 0).maximised).toBeNull();
  });

  test('arrows move on the grid and stop at its edges', () => {
    const wall = setSplit(EMPTY_WALL, 9);
    expect(moveSelection(wall, 'left').selected).toBe(0);
    expect(moveSelection(moveSelection(wall, 'right'), 'down').selected).toBe(4);
    expect(moveSelection({ ...wall, selected: 8 }, 'down').selected).toBe(8);
  });

  test('[RT-14] the wall survives a reload, whatever is stored', () => {
    const wall = swap(fill(setSplit(EMPTY_WALL, 9), [camera(1), camera(2)]), 0, 1);
    expect(shown(restoreWall(9, serializeWall(wall)))).toEqual(shown(wall));
    expect(restoreWall(7, [null, 5, { deviceSerial: 3 }]).cells).toEqual(EMPTY_WALL.cells);
  });

  test('no order of commands shows a channel twice or loses a cell', () => {
    const command = fc.oneof(
      fc.record({ name: fc.constant('next' as const), no: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ name: fc.constant('place' as const), no: fc.integer({ min: 1, max: 12 }), at: fc.nat(15) }),
      fc.record({ name: fc.constant('swap' as const), at: fc.nat(15), to: fc.nat(15) }),
      fc.record({ name: fc.constant('split' as const), at: fc.nat(3) }),
      fc.record({ name: fc.constant('remove' as const), at: fc.nat(15) }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        let wall = EMPTY_WALL;
        for (const one of commands) {
          const cells = shownCells(wall);
          const at = 'at' in one ? (cells[one.at % cells.length] as number) : 0;
          if (one.name === 'next') wall = placeNext(wall, camera(one.no));
          if (one.name === 'place') wall = place(wall, at, camera(one.no));
          if (one.name === 'swap') wall = swap(wall, at, cells[one.to % cells.length] as number);
          if (one.name === 'split') wall = setSplit(wall, WALL_SPLITS[one.at] ?? 4);
          if (one.name === 'remove') wall = remove(wall, at);
          const keys = shownCells(wall).flatMap((cell) => {
            const channel = wall.cells[cell];
            return channel ? [wallChannelKey(channel)] : [];
          });
          expect(new Set(keys).size).toBe(keys.length);
          expect([...wall.order].toSorted((a, b) => a - b)).toEqual([...EMPTY_WALL.order]);
          expect(shownCells(wall)).toContain(wall.selected);
        }
      }),
    );
  });
});
