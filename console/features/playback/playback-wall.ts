// Which channels play in which window of playback, and which one is selected. Pure.
import { readChannelPlace } from '../../navigation/paths.ts';
import { type PlaybackChannel, playbackChannelKey } from './playback-channel.ts';

export const PLAYBACK_SPLITS = [1, 4, 9, 16] as const;
export type PlaybackSplit = (typeof PLAYBACK_SPLITS)[number];

export interface PlaybackWall {
  readonly split: PlaybackSplit;
  /** As many as windows. */
  readonly cells: readonly (PlaybackChannel | null)[];
  readonly selected: number;
}

export const EMPTY_WALL: PlaybackWall = { split: 1, cells: [null], selected: 0 };

export function selectedChannel({ cells, selected }: PlaybackWall): PlaybackChannel | null {
  return cells[selected] ?? null;
}

export function channelsOf({ cells }: PlaybackWall): readonly PlaybackChannel[] {
  return cells.filter((channel) => channel !== null);
}

/** Puts a channel where it was dropped, else into the first free window, else in place of the selected one. It stands once. */
export function place(wall: PlaybackWall, channel: PlaybackChannel, cell?: number): PlaybackWall {
  const { cells, selected } = wall;
  const key = playbackChannelKey(channel);
  const old = cells.findIndex((one) => one !== null && playbackChannelKey(one) === key);
  if (old >= 0 && (cell === undefined || cell === old)) return { ...wall, selected: old };
  const free = cells.indexOf(null);
  const to = cell ?? (free >= 0 ? free : selected);
  // Dragged from another window: the two change places.
  const swapped = cells.map((one, at) => (at === to ? channel : at === old ? (cells[to] ?? null) : one));
  return { ...wall, cells: swapped, selected: to };
}

export function select(wall: PlaybackWall, cell: number): PlaybackWall {
  return cell < wall.cells.length ? { ...wall, selected: cell } : wall;
}

export function remove(wall: PlaybackWall, cell: number): PlaybackWall {
  const cells = wall.cells.map((one, at) => (at === cell ? null : one));
  const next = cells[wall.selected] ? wall.selected : cells.findIndex((one) => one !== null);
  return { ...wall, cells, selected: Math.max(0, next) };
}

/** At a window that counts from 1; a wall that has too few grows to the next size. Null where none is so large. */
export function showInWindow(wall: PlaybackWall, window: number, channel: PlaybackChannel): PlaybackWall | null {
  const split = PLAYBACK_SPLITS.find((one) => one >= Math.max(window, wall.split));
  return split === undefined ? null : place(resize(wall, split), channel, window - 1);
}

export function emptyWindow(wall: PlaybackWall, window: number): PlaybackWall {
  return remove(wall, window - 1);
}

/** Fewer windows keep the selected channel and those before it. */
export function resize(wall: PlaybackWall, split: PlaybackSplit): PlaybackWall {
  const chosen = selectedChannel(wall);
  const others = channelsOf(wall).filter((one) => one !== chosen);
  const kept = split >= wall.split ? wall.cells : chosen ? [chosen, ...others] : others;
  const cells = Array.from({ length: split }, (_, at) => kept[at] ?? null);
  const selected = chosen ? cells.indexOf(chosen) : 0;
  return { split, cells, selected: Math.max(0, selected) };
}

/** The wall as it was before a channel was maximised, while that channel still stands alone; else null. */
export function beforeMaximised(before: PlaybackWall | null, { cells: [alone] }: PlaybackWall): PlaybackWall | null {
  if (!before || !alone) return null;
  const cell = before.cells.findIndex((one) => one && playbackChannelKey(one) === playbackChannelKey(alone));
  return cell < 0 ? null : { ...before, selected: cell };
}

const CELL = /^([\w.-]{1,64}):(\d{1,5})$/;

/** `SERIAL:1,,SERIAL:2`: an empty place is an empty window. */
export function writeCells({ cells }: PlaybackWall): string {
  return cells.map((channel) => (channel ? playbackChannelKey(channel) : '')).join(',');
}

/** Whatever stands in an address makes a wall. */
export function readWall(
  cellsText: string | null,
  splitText: string | null,
  chosen: PlaybackChannel | null,
): PlaybackWall {
  const split = PLAYBACK_SPLITS.find((one) => String(one) === splitText) ?? 1;
  const seen = new Set<string>();
  const listed = (cellsText ?? '').split(',').map((text) => {
    const match = CELL.exec(text);
    if (!match || seen.has(text)) return null;
    seen.add(text);
    return { deviceSerial: match[1] as string, channelNo: Number(match[2]) };
  });
  const cells = Array.from({ length: split }, (_, at) => listed[at] ?? null);
  const wall = { split, cells, selected: 0 };
  return chosen ? place(wall, chosen, split === 1 ? 0 : undefined) : wall;
}

export function readPlayback(address: URLSearchParams): PlaybackWall {
  return readWall(address.get('cells'), address.get('split'), readChannelPlace(address));
}

/** The rest of the address stays, the time included. */
export function writePlayback(before: URLSearchParams, wall: PlaybackWall): URLSearchParams {
  const after = new URLSearchParams(before);
  const channel = selectedChannel(wall);
  for (const name of ['device', 'channel', 'split', 'cells']) after.delete(name);
  if (channel) {
    after.set('device', channel.deviceSerial);
    after.set('channel', String(channel.channelNo));
  }
  if (wall.split > 1) {
    after.set('split', String(wall.split));
    after.set('cells', writeCells(wall));
  }
  return after;
}
