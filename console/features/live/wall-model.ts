// What stands where on the live wall, and what each command makes of it. Pure.

/** One channel on the wall, by its address alone: the name comes with the resources. */
export interface WallChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export const WALL_SPLITS = [1, 4, 9, 16] as const;
export type WallSplit = (typeof WALL_SPLITS)[number];
const CELLS = 16;

export interface WallState {
  readonly split: WallSplit;
  /** What each cell shows. A cell keeps its video element while it moves about. */
  readonly cells: readonly (WallChannel | null)[];
  /** Cell at each position, in reading order. */
  readonly order: readonly number[];
  readonly selected: number;
  /** Cell that fills the wall, or null. */
  readonly maximised: number | null;
  /** Cell that is heard, or null. */
  readonly audible: number | null;
}

export const EMPTY_WALL: WallState = {
  split: 4,
  cells: Array.from({ length: CELLS }, () => null),
  order: Array.from({ length: CELLS }, (_, at) => at),
  selected: 0,
  maximised: null,
  audible: null,
};

export function wallChannelKey({ deviceSerial, channelNo }: WallChannel): string {
  return `${deviceSerial}:${channelNo}`;
}

/** Cells in sight, in reading order. */
export function shownCells(wall: WallState): readonly number[] {
  return wall.order.slice(0, wall.split);
}

/** How many windows there are for the choice of stream: a maximised one stands alone. */
export function windowCount(wall: WallState): number {
  return wall.maximised === null ? wall.split : 1;
}

export function cellOf(wall: WallState, channel: WallChannel): number | null {
  const key = wallChannelKey(channel);
  const cell = shownCells(wall).find((at) => {
    const shown = wall.cells[at];
    return shown && wallChannelKey(shown) === key;
  });
  return cell ?? null;
}

/** Shows a channel in a cell; one that is on the wall already changes places instead. */
export function place(wall: WallState, cell: number, channel: WallChannel): WallState {
  const present = cellOf(wall, channel);
  if (present !== null && present !== cell) return { ...swap(wall, present, cell), selected: present };
  if (present === cell) return { ...wall, selected: cell };
  return { ...setCell(wall, cell, channel), selected: cell };
}

/** Into the next free place, else the selected one. A channel on the wall is selected only. */
export function placeNext(wall: WallState, channel: WallChannel): WallState {
  const present = cellOf(wall, channel);
  if (present !== null) return { ...wall, selected: present, maximised: null };
  const cells = shownCells(wall);
  const from = Math.max(0, cells.indexOf(wall.selected));
  const free = [...cells.slice(from), ...cells.slice(0, from)].find((cell) => !wall.cells[cell]);
  const target = free ?? (cells.includes(wall.selected) ? wall.selected : (cells[0] as number));
  return { ...setCell(wall, target, channel), selected: target, maximised: null };
}

/** Fills the free places of the wall in order with channels that are not on it yet. */
export function fill(wall: WallState, channels: readonly WallChannel[]): WallState {
  let next = wall;
  const waiting = channels.filter((channel) => cellOf(wall, channel) === null);
  for (const cell of shownCells(wall)) {
    if (next.cells[cell]) continue;
    const channel = waiting.shift();
    if (!channel) break;
    next = setCell(next, cell, channel);
  }
  return next;
}

export function remove(wall: WallState, cell: number): WallState {
  const emptied = setCell(wall, cell, null);
  return {
    ...emptied,
    maximised: wall.maximised === cell ? null : wall.maximised,
    audible: wall.audible === cell ? null : wall.audible,
  };
}

export function clearWall(wall: WallState): WallState {
  return { ...EMPTY_WALL, split: wall.split };
}

/** Two cells change places; their pictures go on. */
export function swap(wall: WallState, first: number, second: number): WallState {
  const order = wall.order.map((cell) => (cell === first ? second : cell === second ? first : cell));
  return { ...wall, order };
}

/** A smaller wall gathers its pictures at the front, so that none is lost from sight without need. */
export function setSplit(wall: WallState, split: WallSplit): WallState {
  const filled = wall.order.filter((cell) => wall.cells[cell]);
  const order =
    split < wall.split && wall.order.slice(split).some((cell) => wall.cells[cell])
      ? [...filled, ...wall.order.filter((cell) => !wall.cells[cell])]
      : wall.order;
  const selected = order.slice(0, split).includes(wall.selected) ? wall.selected : (order[0] as number);
  return { ...wall, split, order, selected, maximised: null };
}

export function toggleMaximised(wall: WallState, cell: number): WallState {
  if (wall.maximised !== null) return { ...wall, maximised: null };
  return wall.cells[cell] ? { ...wall, selected: cell, maximised: cell } : wall;
}

export function toggleAudible(wall: WallState, cell: number): WallState {
  return { ...wall, audible: wall.audible === cell || !wall.cells[cell] ? null : cell };
}

export type WallDirection = 'left' | 'right' | 'up' | 'down';

/** Moves the selection on the grid; at an edge it stays. While maximised, to the next picture. */
export function moveSelection(wall: WallState, direction: WallDirection): WallState {
  const cells = shownCells(wall);
  const at = Math.max(0, cells.indexOf(wall.selected));
  if (wall.maximised !== null) return moveMaximised(wall, cells, at, direction);
  const columns = Math.sqrt(wall.split);
  const [column, row] = [at % columns, Math.floor(at / columns)];
  const next = {
    left: column > 0 ? at - 1 : at,
    right: column < columns - 1 ? at + 1 : at,
    up: row > 0 ? at - columns : at,
    down: row < columns - 1 ? at + columns : at,
  }[direction];
  return { ...wall, selected: cells[next] as number };
}

function moveMaximised(wall: WallState, cells: readonly number[], at: number, direction: WallDirection): WallState {
  const step = direction === 'left' || direction === 'up' ? -1 : 1;
  for (let next = at + step; next >= 0 && next < cells.length; next += step) {
    const cell = cells[next] as number;
    if (wall.cells[cell]) return { ...wall, selected: cell, maximised: cell };
  }
  return wall;
}

/** A channel stands on the wall once, places out of sight included. */
function setCell(wall: WallState, cell: number, channel: WallChannel | null): WallState {
  const key = channel && wallChannelKey(channel);
  const cells = wall.cells.map((present, at) => {
    if (at === cell) return channel;
    return present && wallChannelKey(present) === key ? null : present;
  });
  return { ...wall, cells };
}

/** What is kept over a reload: the channels by position. */
export function serializeWall(wall: WallState): readonly (WallChannel | null)[] {
  return wall.order.map((cell) => wall.cells[cell] ?? null);
}

/** Anything that is not a wall of channels gives an empty one. */
export function restoreWall(split: unknown, list: readonly unknown[]): WallState {
  const known = WALL_SPLITS.find((one) => one === split) ?? EMPTY_WALL.split;
  const cells = EMPTY_WALL.cells.map((_empty, at) => readChannel(list[at]));
  return { ...EMPTY_WALL, split: known, cells };
}

function readChannel(value: unknown): WallChannel | null {
  if (typeof value !== 'object' || value === null) return null;
  const { deviceSerial, channelNo } = value as Partial<WallChannel>;
  return typeof deviceSerial === 'string' && typeof channelNo === 'number' ? { deviceSerial, channelNo } : null;
}
