// Keys of the wall: layouts, selection, maximise, still, sound, full screen, remove.
import { type KeyBinding, useKeys } from '../../keys/key-registry.ts';
import { saveStill } from './tile-stills.ts';
import {
  moveSelection,
  remove,
  setSplit,
  toggleAudible,
  toggleMaximised,
  WALL_SPLITS,
  type WallDirection,
  type WallState,
} from './wall-model.ts';
import { changeWall, useWall } from './wall-store.ts';

const GROUP = 'live.wall';
const ARROWS: readonly (readonly [string, WallDirection])[] = [
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
];

/** Arrows, Enter and Delete belong to the tree, a menu or a button while those have the focus. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || target.matches('[data-cell] > [data-handle]')) return false;
  return target.closest('[role="tree"],[role="menu"],[role="radiogroup"],button,a') !== null;
}

export function useWallKeys(onFullScreen: () => void): void {
  const change = (step: (wall: WallState) => WallState) => (event: KeyboardEvent) => {
    if (!isElsewhere(event)) changeWall(step);
  };
  const move = (direction: WallDirection) => (event: KeyboardEvent) => {
    if (isElsewhere(event)) return;
    changeWall((wall) => moveSelection(wall, direction));
    focusSelected();
  };
  const bindings: KeyBinding[] = [
    ...WALL_SPLITS.map(
      (split, at) =>
        ({
          keys: String(at + 1),
          label: `live.split${split}` as const,
          group: GROUP,
          run: () => changeWall((wall) => setSplit(wall, split)),
        }) satisfies KeyBinding,
    ),
    ...ARROWS.map(
      ([keys, direction]) =>
        ({ keys, label: `live.${direction}` as const, group: GROUP, run: move(direction) }) satisfies KeyBinding,
    ),
    {
      keys: 'Enter',
      label: 'live.maximise',
      group: GROUP,
      run: change((wall) => toggleMaximised(wall, wall.selected)),
    },
    {
      keys: 'Escape',
      label: 'live.restore',
      group: GROUP,
      run: () => changeWall((wall) => ({ ...wall, maximised: null })),
    },
    { keys: 's', label: 'live.still', group: GROUP, run: () => void saveStill(useWall.getState().selected) },
    {
      keys: 'm',
      label: 'live.unmute',
      group: GROUP,
      run: () => changeWall((wall) => toggleAudible(wall, wall.selected)),
    },
    { keys: 'f', label: 'live.fullScreen', group: GROUP, run: onFullScreen },
    { keys: 'Delete', label: 'live.remove', group: GROUP, run: change((wall) => remove(wall, wall.selected)) },
  ];
  useKeys(bindings);
}

function focusSelected(): void {
  const { selected } = useWall.getState();
  if (document.activeElement?.closest('[data-cell]')) {
    document.querySelector<HTMLElement>(`[data-cell="${selected}"] > [data-handle]`)?.focus();
  }
}
