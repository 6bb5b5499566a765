// Where on the page the tiles are whose stream the shell plays, and whether something covers them.
import type { TopicRequest } from '@vedette/bridge/topics/topic.ts';
import type { CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { useNativeTiles } from '../features/live/tile/native-tiles.ts';
import { shownCells, wallChannelKey } from '../features/live/wall/wall-model.ts';
import { useWall } from '../features/live/wall/wall-store.ts';

type TilePlace = TopicRequest<CsTopics, 'window/current'>['tileList'][number];

/** No single event tells of layout, scrolling and what opens above: it is looked ten times a second, while the shell plays anything. */
const LOOK_MS = 100;
/** Parts of width and height where a dialog or menu over the tile is found. */
const SAMPLES = [
  [0.5, 0.5],
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
] as const;

export function tilePlace(tile: Element): Omit<TilePlace, 'window'> {
  const { x, y, width, height } = tile.getBoundingClientRect();
  return { rect: { x, y, width, height }, dpr: window.devicePixelRatio, isCovered: isCovered(tile) };
}

/** Also true out of sight. */
function isCovered(tile: Element): boolean {
  const { x, y, width, height } = tile.getBoundingClientRect();
  if (width === 0 || height === 0) return true;
  return SAMPLES.some(([across, down]) => {
    const found = document.elementFromPoint(x + width * across, y + height * down);
    return found === null || !tile.contains(found);
  });
}

function tileOf(cell: number): Element | null {
  return document.querySelector(`[data-cell="${cell}"]`);
}

/** The tile of a cell once it is drawn; rejects with the signal's reason. */
export async function waitForTile({
  cell,
  clock,
  signal,
}: {
  readonly cell: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<Element> {
  for (let tile = tileOf(cell); ; tile = tileOf(cell)) {
    signal.throwIfAborted();
    if (tile !== null) return tile;
    await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
  }
}

/** By window of the wall; a tile that is not drawn is not there. */
export function nativeTileList(): TilePlace[] {
  const wall = useWall.getState();
  const native = useNativeTiles.getState();
  return shownCells(wall).flatMap((cell, at) => {
    const channel = wall.cells[cell];
    const tile = channel && native[cell]?.key === wallChannelKey(channel) ? tileOf(cell) : null;
    return tile === null ? [] : [{ window: at + 1, ...tilePlace(tile) }];
  });
}

/** Looks while the shell plays anything, and once more when it ended. */
export function watchNativeTiles(clock: Clock, onLook: () => void): void {
  let isWatching = false;
  const look = (): void => {
    onLook();
    isWatching = Object.keys(useNativeTiles.getState()).length > 0;
    if (isWatching) clock.after(LOOK_MS, look);
  };
  useNativeTiles.subscribe(() => {
    if (!isWatching) look();
  });
}
