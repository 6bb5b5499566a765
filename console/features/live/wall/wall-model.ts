// The live wall: which channel is in which cell, and what each command does to it. Pure.
import { WALL_SPLITS, WALL_WINDOWS_MAX, type WallSplit } from '@vedette/contract/limits.ts';
import { neighbour, type WallDirection } from './wall-grid.ts';

/** One channel on the wall, by its address alone: the name comes with the resources. */
export interface WallChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** As many cells out of sight as can be in sight: the next page of a tour gets ready there. */
const CELLS = 2 * WALL_WINDOWS_MAX;

/** A wall as it is saved and toured: channels by position, each at most once. */
export interface WallContent {
  readonly split: WallSplit;
  readonly tiles: readonly (WallChannel & { readonly position: number })[];
}

/** A window that shows the camera of an alarm for a time, over what is arranged there. */
export interface AlarmWindow {
  readonly cell: number;
  readonly channel: WallChannel;
  readonly alarmId: string;
  readonly type: string;
  /** ms */
  readonly until: number;
}

export interface WallState {
  readonly split: WallSplit;
  /** What was put in each cell, each channel once: it is what is stored, saved as a layout and undone. */
  readonly arranged: readonly (WallChannel | null)[];
  /** What each cell shows: `arranged` under `alarms`. A cell keeps its video element while it moves about. */
  readonly cells: readonly (WallChannel | null)[];
  /** Cell at each position, in reading order. */
  readonly order: readonly number[];
  readonly selected: number;
  /** Cell that fills the wall, or null. */
  readonly maximised: number | null;
  /** Cell that is heard, or null. */
  readonly audible: number | null;
  /** Cells out of sight that play already, and for a wall of how many windows. */
  readonly warm: { readonly cells: readonly number[]; readonly split: WallSplit } | null;
  /** The latest last. */
  readonly alarms: readonly AlarmWindow[];
}

const EMPTY_CELLS: readonly null[] = Array.from({ length: CELLS }, () => null);

export const EMPTY_WALL: WallState = {
  split: 4,
  arranged: EMPTY_CELLS,
  cells: EMPTY_CELLS,
  order: Array.from({ length: CELLS }, (_, at) => at),
  selected: 0,
  maximised: null,
  audible: null,
  warm: null,
  alarms: [],
};

export function wallChannelKey({ deviceSerial, channelNo }: WallChannel): string {
  return `${deviceSerial}:${channelNo}`;
}

/** Cells in sight, in reading order. */
export function shownCells(wall: WallState): readonly number[] {
  return wall.order.slice(0, wall.split);
}

/** How many windows there are for the choice of a cell's stream: a maximised one stands alone, a warm one is not there yet. */
export function windowCount(wall: WallState, cell: number): number {
  if (wall.warm?.cells.includes(cell)) return wall.warm.split;
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
  if (present !== null && present !== cell)
    return { ...swap(keepAlarmWindow(wall, present), present, cell), selected: present };
  if (present === cell) return { ...keepAlarmWindow(wall, cell), selected: cell };
  return { ...setCell(wall, cell, channel), selected: cell };
}

/** Into the next free place, else the selected one. A channel on the wall is selected only. */
export function placeNext(wall: WallState, channel: WallChannel): WallState {
  const present = cellOf(wall, channel);
  if (present !== null) return { ...keepAlarmWindow(wall, present), selected: present, maximised: null };
  const cells = shownCells(wall);
  const from = Math.max(0, cells.indexOf(wall.selected));
  const free = [...cells.slice(from), ...cells.slice(0, from)].find((cell) => !wall.cells[cell]);
  const target = free ?? (cells.includes(wall.selected) ? wall.selected : (cells[0] as number));
  return { ...setCell(wall, target, channel), selected: target, maximised: null };
}

/** In the selected place. A channel on the wall is selected only, and maximised in place of another. */
export function showInSelected(wall: WallState, channel: WallChannel): WallState {
  const present = cellOf(wall, channel);
  if (present === null) return place(wall, wall.selected, channel);
  return { ...wall, selected: present, maximised: wall.maximised === null ? null : present };
}

/** At a window that counts from 1; a wall that has too few grows to the next size. */
export function showInWindow(wall: WallState, window: number, channel: WallChannel): WallState {
  const split = WALL_SPLITS.find((one) => one >= Math.max(window, wall.split)) ?? wall.split;
  const grown = split === wall.split ? wall : setSplit(wall, split);
  return place(grown, grown.order[window - 1] as number, channel);
}

export function emptyWindow(wall: WallState, window: number): WallState {
  return remove(wall, wall.order[window - 1] as number);
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
  if (alarmWindowAt(wall, cell) !== null) return endAlarmWindow(wall, cell);
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
export function setSplit(present: WallState, split: WallSplit): WallState {
  const wall = coolWall(present);
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

/** Moves the selection on the grid; at an edge it stays. While maximised, to the next picture. */
export function moveSelection(wall: WallState, direction: WallDirection): WallState {
  const cells = shownCells(wall);
  const at = Math.max(0, cells.indexOf(wall.selected));
  if (wall.maximised !== null) return moveMaximised(wall, cells, at, direction);
  return { ...wall, selected: cells[neighbour(wall.split, at, direction)] as number };
}

/** The selected picture changes places with its neighbour. */
export function moveSelected(wall: WallState, direction: WallDirection): WallState {
  const cells = shownCells(wall);
  const at = cells.indexOf(wall.selected);
  if (at < 0 || wall.maximised !== null) return wall;
  return swap(wall, wall.selected, cells[neighbour(wall.split, at, direction)] as number);
}

function moveMaximised(wall: WallState, cells: readonly number[], at: number, direction: WallDirection): WallState {
  const step = direction === 'left' || direction === 'up' ? -1 : 1;
  for (let next = at + step; next >= 0 && next < cells.length; next += step) {
    const cell = cells[next] as number;
    if (wall.cells[cell]) return { ...wall, selected: cell, maximised: cell };
  }
  return wall;
}

/** A channel stands on the wall once, places out of sight included. No alarm covers what is put there. */
function setCell(wall: WallState, cell: number, channel: WallChannel | null): WallState {
  const arranged = wall.arranged.map((other, at) => (at === cell ? channel : isSame(other, channel) ? null : other));
  const alarms = wall.alarms.filter((window) => window.cell !== cell && !isSame(window.channel, channel));
  return showArranged({ ...wall, arranged, alarms });
}

export function alarmWindowAt(wall: WallState, cell: number): AlarmWindow | null {
  return wall.alarms.find((window) => window.cell === cell) ?? null;
}

/** Opens an alarm window, in place of one that is there. */
export function openAlarmWindow(wall: WallState, window: AlarmWindow): WallState {
  return showArranged({ ...wall, alarms: [...wall.alarms.filter(({ cell }) => cell !== window.cell), window] });
}

/** What is arranged there comes back; where another alarm shows that camera, it stands in sight in its own place now. */
export function endAlarmWindow(wall: WallState, cell: number): WallState {
  if (alarmWindowAt(wall, cell) === null) return wall;
  const ended = showArranged({
    ...wall,
    alarms: wall.alarms.filter((window) => window.cell !== cell),
    maximised: wall.maximised === cell ? null : wall.maximised,
    audible: wall.audible === cell ? null : wall.audible,
  });
  const arranged = wall.arranged[cell] ?? null;
  const elsewhere = ended.alarms.find(({ channel }) => isSame(channel, arranged));
  return elsewhere ? endAlarmWindow(ended, elsewhere.cell) : ended;
}

/** The camera stays where it is shown. */
export function keepAlarmWindow(wall: WallState, cell: number): WallState {
  const window = alarmWindowAt(wall, cell);
  return window === null ? wall : setCell(wall, cell, window.channel);
}

/** A camera that an alarm shows is not shown a second time where it is arranged. */
function showArranged(wall: WallState): WallState {
  const cells = wall.arranged.map((channel, cell) => {
    const isShownByAlarm = wall.alarms.some((window) => isSame(window.channel, channel));
    return alarmWindowAt(wall, cell)?.channel ?? (isShownByAlarm ? null : channel);
  });
  return { ...wall, cells: keepSame(wall.cells, cells) };
}

function isSame(one: WallChannel | null, other: WallChannel | null): boolean {
  return one !== null && other !== null && wallChannelKey(one) === wallChannelKey(other);
}

export function wallContent(wall: WallState): WallContent {
  const tiles = shownCells(wall).flatMap((cell, position) => {
    const channel = wall.arranged[cell];
    return channel ? [{ position, deviceSerial: channel.deviceSerial, channelNo: channel.channelNo }] : [];
  });
  return { split: wall.split, tiles };
}

/** Shows exactly this. A channel that plays already, in sight or not, keeps its cell and so its picture. */
export function showContent(wall: WallState, content: WallContent): WallState {
  const found = cellsFor(wall, content);
  const taken = new Set(found.values());
  const spare = wall.order.filter((cell) => !taken.has(cell));
  const shown = Array.from({ length: content.split }, (_, at) => found.get(at) ?? (spare.shift() as number));
  const arranged = wall.arranged.map(() => null as WallChannel | null);
  for (const { position, deviceSerial, channelNo } of content.tiles) {
    arranged[shown[position] as number] = { deviceSerial, channelNo };
  }
  const [first] = shown as [number, ...number[]];
  return showArranged({
    ...wall,
    split: content.split,
    arranged,
    order: [...shown, ...spare],
    selected: shown.includes(wall.selected) ? wall.selected : first,
    maximised: null,
    audible: wall.audible !== null && taken.has(wall.audible) ? wall.audible : null,
    warm: null,
    alarms: [],
  });
}

/** Lets what will be shown next play out of sight, so that it is there at once. */
export function warmContent(wall: WallState, content: WallContent): WallState {
  const shown = new Set(shownCells(wall));
  const found = cellsFor(wall, content);
  const taken = new Set([...shown, ...found.values()]);
  const spare = wall.order.filter((cell) => !taken.has(cell));
  const arranged = [...wall.arranged];
  const warm: number[] = [];
  for (const { position, deviceSerial, channelNo } of content.tiles) {
    const cell = found.get(position) ?? (spare.shift() as number);
    if (shown.has(cell)) continue;
    arranged[cell] = { deviceSerial, channelNo };
    warm.push(cell);
  }
  return showArranged({ ...wall, arranged, warm: { cells: warm, split: content.split } });
}

export function coolWall(wall: WallState): WallState {
  if (wall.warm === null) return wall;
  const { cells: warm } = wall.warm;
  const arranged = wall.arranged.map((channel, cell) => (warm.includes(cell) ? null : channel));
  return showArranged({ ...wall, arranged, warm: null });
}

/** Cells that hold the channels of the content already, by its positions. */
function cellsFor(wall: WallState, content: WallContent): Map<number, number> {
  const byKey = new Map(wall.cells.flatMap((channel, cell) => (channel ? [[wallChannelKey(channel), cell]] : [])));
  return new Map(
    content.tiles.flatMap((tile) => {
      const cell = byKey.get(wallChannelKey(tile));
      return cell === undefined ? [] : [[tile.position, cell]];
    }),
  );
}

/** An equal channel stays the same object: its tile has nothing to do. */
function keepSame(
  before: readonly (WallChannel | null)[],
  after: readonly (WallChannel | null)[],
): (WallChannel | null)[] {
  return after.map((channel, cell) => {
    const old = before[cell] ?? null;
    return channel && old && wallChannelKey(channel) === wallChannelKey(old) ? old : channel;
  });
}

/** What is kept over a reload: the channels by position. */
export function serializeWall(wall: WallState): readonly (WallChannel | null)[] {
  return wall.order
    .slice(0, WALL_WINDOWS_MAX)
    .map((cell) => (isWarm(wall, cell) ? null : (wall.arranged[cell] ?? null)));
}

function isWarm(wall: WallState, cell: number): boolean {
  return wall.warm?.cells.includes(cell) ?? false;
}

/** Anything that is not a wall of channels gives an empty one. */
export function restoreWall(split: unknown, list: readonly unknown[]): WallState {
  const known = WALL_SPLITS.find((one) => one === split) ?? EMPTY_WALL.split;
  const arranged = EMPTY_CELLS.map((_empty, at) => (at < WALL_WINDOWS_MAX ? readChannel(list[at]) : null));
  return showArranged({ ...EMPTY_WALL, split: known, arranged });
}

function readChannel(value: unknown): WallChannel | null {
  if (typeof value !== 'object' || value === null) return null;
  const { deviceSerial, channelNo } = value as Partial<WallChannel>;
  return typeof deviceSerial === 'string' && typeof channelNo === 'number' ? { deviceSerial, channelNo } : null;
}
