// Windows of playback: placing, dropping, removing, resizing, and what stands in the address.
import { describe, expect, it, test } from 'vitest';
import {
  beforeMaximised,
  EMPTY_WALL,
  channelsOf,
  emptyWindow,
  type PlaybackWall,
  place,
  readWall,
  remove,
  resize,
  showInWindow,
  writeCells,
} from './playback-wall.ts';

const camera = (no: number) => ({ deviceSerial: `CAM${no}`, channelNo: 1 });
const filled = (count: number, split: 4 | 9 | 16): PlaybackWall =>
  Array.from({ length: count }, (_, at) => camera(at)).reduce(
    (wall, one) => place(wall, one),
    resize(EMPTY_WALL, split),
  );

test('one window is replaced; several are filled in order, then the selected one is replaced', () => {
  expect(channelsOf(place(place(EMPTY_WALL, camera(1)), camera(2)))).toEqual([camera(2)]);
  const four = filled(4, 4);
  expect(four.cells).toEqual([0, 1, 2, 3].map(camera));
  expect(place({ ...four, selected: 1 }, camera(9)).cells[1]).toEqual(camera(9));
});

test('a channel appears once: adding it again selects it, dropping it elsewhere swaps cells', () => {
  const four = filled(3, 4);
  expect(place(four, camera(0))).toEqual({ ...four, selected: 0 });
  expect(place(four, camera(0), 2).cells).toEqual([camera(2), camera(1), camera(0), null]);
});

test('fewer windows keep what is selected, removing selects a neighbour that is there', () => {
  const nine = { ...filled(6, 9), selected: 5 };
  expect(resize(nine, 4)).toMatchObject({ cells: [5, 0, 1, 2].map(camera), selected: 0 });
  expect(resize(nine, 16).cells.slice(0, 6)).toEqual(nine.cells.slice(0, 6));
  expect(remove(filled(2, 4), 1)).toMatchObject({ cells: [camera(0), null, null, null], selected: 0 });
});

test('a maximised channel goes back among the others, unless another one took its place', () => {
  const four = { ...filled(3, 4), selected: 1 };
  const alone = resize(four, 1);
  expect(beforeMaximised(four, alone)).toEqual(four);
  expect(beforeMaximised(four, place(alone, camera(9)))).toBeNull();
  expect(beforeMaximised(null, alone)).toBeNull();
  expect(beforeMaximised(four, EMPTY_WALL)).toBeNull();
});

test('the wall survives a round trip through the address, and no address breaks the page', () => {
  const four = { ...filled(3, 4), selected: 1 };
  expect(readWall(writeCells(four), '4', camera(1))).toEqual(four);
  expect(readWall('CAM1:1,CAM1:1,<b>,,,,,,', '7', null)).toEqual({ split: 1, cells: [{ ...camera(1) }], selected: 0 });
  expect(readWall(null, null, camera(3))).toEqual({ split: 1, cells: [camera(3)], selected: 0 });
});

describe('windows by number', () => {
  const roof = { deviceSerial: 'ROOF', channelNo: 1 };

  it('shows a channel in a window; a wall that has too few grows to the next size, and the largest has 16', () => {
    expect(showInWindow(EMPTY_WALL, 1, roof)).toEqual({ split: 1, cells: [roof], selected: 0 });
    const grown = showInWindow(EMPTY_WALL, 3, roof);
    expect([grown?.split, grown?.cells.indexOf(roof), grown?.selected]).toEqual([4, 2, 2]);
    expect(showInWindow(EMPTY_WALL, 17, roof)).toBeNull();
  });

  it('empties one', () => {
    const wall = showInWindow(EMPTY_WALL, 3, roof) ?? EMPTY_WALL;
    expect(channelsOf(emptyWindow(wall, 3))).toEqual([]);
    expect(channelsOf(emptyWindow(wall, 2))).toEqual([roof]);
  });
});
