// Ties the tour to the wall on screen: its keys, and the pointer that holds a page while somebody looks at it.
import { type RefObject, useEffect } from 'react';
import { useKeys } from '../../keys/key-registry.ts';
import { useServices } from '../../services/services.ts';
import { toggleHold } from './tour-bar.tsx';
import { type TourSources, useTourToggle } from './tour-menu.tsx';
import { guardTour, useTour, wallTour } from './tour-store.ts';

const GROUP = 'tour.title';
/** A pointer that rests on the wall for so long is not looking at anything, ms. */
const POINTER_RESTS_MS = 8000;

export function useWallTour(wall: RefObject<HTMLElement | null>, sources: TourSources): void {
  const toggle = useTourToggle(sources);
  const isOn = useTour((tour) => tour.kind !== 'off');
  usePointerHold(wall, isOn);
  useEffect(guardTour, []);
  useKeys([
    { keys: 'Shift+t', label: 'tour.toggle', group: GROUP, run: toggle },
    ...(isOn
      ? ([
          { keys: 'Space', label: 'tour.pause', group: GROUP, when: isFreeSpace, run: toggleHold },
          { keys: 'PageDown', label: 'tour.next', group: GROUP, run: () => wallTour.step(1) },
          { keys: 'PageUp', label: 'tour.previous', group: GROUP, run: () => wallTour.step(-1) },
        ] as const)
      : []),
  ]);
}

/** A focused button takes the space bar for itself. */
function isFreeSpace({ target }: KeyboardEvent): boolean {
  return !(target instanceof Element) || target.closest('button:not([data-handle]),a,[role="tree"]') === null;
}

function usePointerHold(wall: RefObject<HTMLElement | null>, isOn: boolean): void {
  const { clock } = useServices();
  useEffect(() => {
    const element = wall.current;
    if (!element || !isOn) return;
    const listening = new AbortController();
    const { signal } = listening;
    let cancelRest: (() => void) | null = null;
    const leave = (): void => {
      cancelRest?.();
      cancelRest = null;
      wallTour.release('pointer');
    };
    element.addEventListener(
      'pointermove',
      () => {
        cancelRest?.();
        cancelRest = clock.after(POINTER_RESTS_MS, leave);
        wallTour.hold('pointer');
      },
      { signal },
    );
    element.addEventListener('pointerleave', leave, { signal });
    element.addEventListener('pointerdown', () => wallTour.hold('asked'), { signal });
    return () => {
      listening.abort();
      cancelRest?.();
    };
  }, [wall, isOn, clock]);
}
