// Keys of the wall: layouts, selection, moving, maximise, zoom, still, sound, recording, details, full screen, remove.
import type { WallSplit } from '@vedette/contract/limits.ts';
import { type KeyBinding, useKeys } from '../../keys/key-registry.ts';
import { useCaller } from '../../services/services.ts';
import { toggleBoxes } from '../object-boxes/box-choice.ts';
import { recordNow } from './channel/manual-recording.ts';
import { toggleTileInfo } from './tile/tile-info.tsx';
import { saveSnapshot } from './tile/tile-snapshots.ts';
import type { WallDirection } from './wall/wall-grid.ts';
import {
  moveSelected,
  moveSelection,
  remove,
  setSplit,
  toggleAudible,
  toggleMaximised,
  type WallState,
} from './wall/wall-model.ts';
import { changeWall, redoWall, undoWall, useWall } from './wall/wall-store.ts';
import { changeZoom, resetZoom, zoomOf } from './zoom/zoom-store.ts';
import { isZoomed, panBy, zoomAt } from './zoom/zoom-view.ts';

const GROUP = 'live.wall';
/** Even walls first, by the keys that people know; then those with one large window. */
const SPLIT_KEYS: readonly WallSplit[] = [1, 4, 9, 16, 25, 36, 64, 6, 8];
const ARROWS = [
  ['ArrowLeft', 'left', 'live.moveLeft'],
  ['ArrowRight', 'right', 'live.moveRight'],
  ['ArrowUp', 'up', 'live.moveUp'],
  ['ArrowDown', 'down', 'live.moveDown'],
] as const;
const ZOOM_STEP = 1.25;
/** Part of the window by which an arrow moves a zoomed picture. */
const PAN_STEP = 0.15;
const PAN: Readonly<Record<WallDirection, readonly [x: number, y: number]>> = {
  left: [-PAN_STEP, 0],
  right: [PAN_STEP, 0],
  up: [0, -PAN_STEP],
  down: [0, PAN_STEP],
};

/** Arrows, Enter and Delete belong to the tree, a menu or a button while those have the focus. */
function isOnWall({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || target.matches('[data-cell] > [data-handle]')) return true;
  return target.closest('[role="tree"],[role="menu"],[role="radiogroup"],button,a') === null;
}

/** A field undoes its own text. */
function isNotTyping({ target }: KeyboardEvent): boolean {
  return !(target instanceof Element) || target.closest('input,textarea,[contenteditable]') === null;
}

/** What is open over the wall closes first. */
function isNothingOpen({ target }: KeyboardEvent): boolean {
  return !(target instanceof Element) || target.closest('[role="dialog"],[role="menu"]') === null;
}

function change(step: (wall: WallState) => WallState): () => void {
  return () => changeWall(step);
}

function selected(): number {
  return useWall.getState().selected;
}

function arrow(direction: WallDirection): () => void {
  return () => {
    const cell = selected();
    if (isZoomed(zoomOf(cell))) return changeZoom(cell, (view) => panBy(view, ...PAN[direction]));
    changeWall((wall) => moveSelection(wall, direction));
    focusSelected();
  };
}

/** First a zoomed picture becomes whole, then a maximised one goes back to its place. */
function stepBack(): void {
  const cell = selected();
  if (isZoomed(zoomOf(cell))) resetZoom(cell);
  else changeWall((wall) => ({ ...wall, maximised: null }));
}

function zoomBy(factor: number): () => void {
  return () => {
    const { cells } = useWall.getState();
    if (cells[selected()]) changeZoom(selected(), (view) => zoomAt(view, factor));
  };
}

const SPLITS: readonly KeyBinding[] = SPLIT_KEYS.map((split, at) => ({
  keys: String(at + 1),
  label: `live.split${split}`,
  group: GROUP,
  run: () => changeWall((wall) => setSplit(wall, split)),
}));

const MOVES: readonly KeyBinding[] = ARROWS.flatMap(([keys, direction, moveLabel]) => [
  { keys, label: `live.${direction}` as const, group: GROUP, when: isOnWall, run: arrow(direction) },
  {
    keys: `Shift+${keys}`,
    label: moveLabel,
    group: GROUP,
    when: isOnWall,
    run: change((wall) => moveSelected(wall, direction)),
  },
]);

const ZOOMS: readonly KeyBinding[] = [
  { keys: '+', also: ['Shift++', '='], label: 'live.zoomIn', group: GROUP, run: zoomBy(ZOOM_STEP) },
  { keys: '-', label: 'live.zoomOut', group: GROUP, run: zoomBy(1 / ZOOM_STEP) },
];

export function useWallKeys(onFullScreen: () => void): void {
  const caller = useCaller();
  const record = (): void => {
    const { cells } = useWall.getState();
    const channel = cells[selected()];
    if (channel) void recordNow(caller, channel);
  };
  useKeys([
    ...SPLITS,
    ...MOVES,
    {
      keys: 'Enter',
      label: 'live.maximise',
      group: GROUP,
      when: isOnWall,
      run: change((wall) => toggleMaximised(wall, wall.selected)),
    },
    { keys: 'Escape', label: 'live.restore', group: GROUP, when: isNothingOpen, run: stepBack },
    ...ZOOMS,
    { keys: 's', label: 'live.still', group: GROUP, run: () => void saveSnapshot(selected()) },
    {
      keys: 'm',
      label: 'live.unmute',
      group: GROUP,
      run: () => changeWall((wall) => toggleAudible(wall, wall.selected)),
    },
    { keys: 'r', label: 'live.record', group: GROUP, run: record },
    { keys: 'i', label: 'live.showInfo', group: GROUP, run: toggleTileInfo },
    { keys: 'd', label: 'boxes.show', group: GROUP, run: toggleBoxes },
    { keys: '$mod+z', label: 'live.undo', group: GROUP, when: isNotTyping, run: undoWall },
    { keys: '$mod+Shift+z', also: ['$mod+y'], label: 'live.redo', group: GROUP, when: isNotTyping, run: redoWall },
    { keys: 'f', label: 'live.fullScreen', group: GROUP, run: onFullScreen },
    {
      keys: 'Delete',
      label: 'live.remove',
      group: GROUP,
      when: isOnWall,
      run: change((wall) => remove(wall, wall.selected)),
    },
  ]);
}

function focusSelected(): void {
  if (document.activeElement?.closest('[data-cell]')) {
    document.querySelector<HTMLElement>(`[data-cell="${selected()}"] > [data-handle]`)?.focus();
  }
}
