// Commands of the live wall on its pure model.
import { WALL_SPLITS } from '@vedette/contract/limits.ts';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { wallGrid } from './wall-grid.ts';
import {
  EMPTY_WALL,
  emptyWindow,
  fill,
  moveSelected,
  moveSelection,
  place,
  placeNext,
  remove,
  restoreWall,
  serializeWall,
  setSplit,
  showInSelected,
  showInWindow,
  shownCells,
  swap,
  showContent,
  toggleMaximised,
  type WallContent,
  type WallChannel,
  type WallState,
  wallChannelKey,
  wallContent,
  warmContent,
  windowCount,
} from './wall-model.ts';

const camera = (channelNo: number): WallChannel => ({ deviceSerial: 'A', channelNo });
const content = (split: WallContent['split'], channels: (number | null)[]): WallContent => ({
  split,
  tiles: channels.flatMap((channelNo, position) => (channelNo === null ? [] : [{ position, ...camera(channelNo) }])),
});
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

  test('a channel is shown in the selected place, or selected where it is on the wall', () => {
    const wall = { ...fill(EMPTY_WALL, [1, 2].map(camera)), selected: 1 };
    expect(shown(showInSelected(wall, camera(3)))).toEqual([1, 3, null, null]);
    const selected = showInSelected(wall, camera(1));
    expect([shown(selected), selected.selected]).toEqual([[1, 2, null, null], 0]);
    expect(showInSelected(toggleMaximised(wall, 1), camera(1)).maximised).toBe(0);
  });

  test('filling keeps channels that are on the wall and adds none twice', () => {
    const wall = fill(place(EMPTY_WALL, 2, camera(2)), [1, 2, 3, 4, 5].map(camera));
    expect(shown(wall)).toEqual([1, 3, 2, 4]);
  });

  test('a smaller wall moves its channels to the front', () => {
    const nine = place(setSplit(EMPTY_WALL, 9), 8, camera(7));
    expect(shown(setSplit(nine, 4))).toEqual([7, null, null, null]);
  });

  test('[LM-02] a maximised tile counts as one window', () => {
    const wall = toggleMaximised(fill(setSplit(EMPTY_WALL, 16), [camera(1)]), 0);
    expect(windowCount(wall, 0)).toBe(1);
    expect(windowCount(toggleMaximised(wall, 0), 0)).toBe(16);
    expect(toggleMaximised(EMPTY_WALL, 0).maximised).toBeNull();
    expect(remove(wall, 0).maximised).toBeNull();
  });

  test('arrows move on the grid and stop at its edges', () => {
    const wall = setSplit(EMPTY_WALL, 9);
    expect(moveSelection(wall, 'left').selected).toBe(0);
    expect(moveSelection(moveSelection(wall, 'right'), 'down').selected).toBe(4);
    expect(moveSelection({ ...wall, selected: 8 }, 'down').selected).toBe(8);
  });

  test('one large window has its small ones beside and below it', () => {
    const wall = { ...setSplit(EMPTY_WALL, 6), selected: 0 };
    expect(moveSelection(wall, 'right').selected).toBe(1);
    expect(moveSelection(wall, 'down').selected).toBe(3);
    expect(moveSelection({ ...wall, selected: 2 }, 'left').selected).toBe(0);
    expect(moveSelection({ ...wall, selected: 5 }, 'up').selected).toBe(2);
    for (const split of WALL_SPLITS) expect(wallGrid(split).places, `${split}`).toHaveLength(split);
  });

  test('a tile moves by key to the cell beside it', () => {
    const wall = { ...fill(EMPTY_WALL, [camera(1), camera(2)]), selected: 0 };
    expect(shown(moveSelected(wall, 'down'))).toEqual([null, 2, 1, null]);
    expect(moveSelected(wall, 'left').order).toEqual(wall.order);
  });

  test('a channel that is shown again keeps its cell, so that its video goes on', () => {
    const wall = fill(setSplit(EMPTY_WALL, 9), [1, 2, 3].map(camera));
    const next = showContent(wall, content(4, [3, null, 7, 1]));
    expect(shown(next)).toEqual([3, null, 7, 1]);
    for (const channelNo of [3, 1]) {
      expect(next.cells.findIndex((one) => one?.channelNo === channelNo)).toBe(channelNo - 1);
    }
    expect(next.cells.some((one) => one?.channelNo === 2)).toBe(false);
    expect(wallContent(next)).toEqual(content(4, [3, null, 7, 1]));
  });

  test('the next page warms up out of sight, on the stream quality of its own wall', () => {
    const wall = fill(EMPTY_WALL, [1, 2].map(camera));
    const page = content(9, [2, 5, 6]);
    const warm = warmContent(wall, page);
    expect(shown(warm)).toEqual(shown(wall));
    const ready = warm.warm?.cells ?? [];
    expect(ready.map((cell) => warm.cells[cell]?.channelNo)).toEqual([5, 6]);
    expect([windowCount(warm, ready[0] as number), windowCount(warm, 0)]).toEqual([9, 4]);
    const turned = showContent(warm, page);
    expect(shownCells(turned).slice(1, 3)).toEqual(ready);
    expect(turned.cells[ready[0] as number]).toBe(warm.cells[ready[0] as number]);
    expect(serializeWall(warm).filter(Boolean)).toHaveLength(2);
    expect(shown(setSplit(warm, 9)).filter(Boolean)).toHaveLength(2);
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
      fc.record({ name: fc.constant('split' as const), at: fc.nat(WALL_SPLITS.length - 1) }),
      fc.record({ name: fc.constant('remove' as const), at: fc.nat(15) }),
      fc.record({
        name: fc.constantFrom('show' as const, 'warm' as const),
        split: fc.constantFrom(...WALL_SPLITS),
        channels: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 9 }),
      }),
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
          if (one.name === 'show') wall = showContent(wall, content(one.split, one.channels.slice(0, one.split)));
          if (one.name === 'warm') wall = warmContent(wall, content(one.split, one.channels.slice(0, one.split)));
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

describe('windows by number', () => {
  const roof = { deviceSerial: 'ROOF', channelNo: 1 };

  it('shows a channel in a window; a wall that has too few grows to the next size', () => {
    const four = showInWindow(EMPTY_WALL, 3, roof);
    expect([four.split, wallContent(four).tiles]).toEqual([4, [{ position: 2, ...roof }]]);
    const nine = showInWindow(four, 9, { ...roof, channelNo: 2 });
    expect([nine.split, wallContent(nine).tiles.map(({ position }) => position)]).toEqual([9, [2, 8]]);
    expect(wallContent(showInWindow(nine, 1, roof)).tiles.map(({ position }) => position)).toEqual([0, 8]);
  });

  it('empties one, whatever it shows', () => {
    const shown = showInWindow(EMPTY_WALL, 3, roof);
    expect(wallContent(emptyWindow(shown, 3)).tiles).toEqual([]);
    expect(wallContent(emptyWindow(shown, 1)).tiles).toHaveLength(1);
  });
});
