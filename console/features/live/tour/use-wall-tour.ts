// Ties the tour to the wall on screen: its keys, and the pointer that holds a page while somebody looks at it.
import { type RefObject, useEffect, useState } from 'react';
import { useKeys } from '../../../keys/key-registry.ts';
import { useServices } from '../../../services/services.ts';
import { useChannelFacts } from '../channel/channel-facts.ts';
import { toggleHold } from './tour-bar.tsx';
import { useTourChoice } from './tour-choice.ts';
import { readTour, writeTour } from './tour-memory.ts';
import { type TourSources, useTourToggle } from './tour-menu.tsx';
import { guardTour, useTour, wallTour } from './tour-store.ts';
import { wallContent } from '../wall/wall-model.ts';
import { useWall } from '../wall/wall-store.ts';

const GROUP = 'tour.title';
/** A pointer that rests on the wall for so long is not looking at anything, ms. */
const POINTER_RESTS_MS = 8000;

/** `no`: of a window of its own. */
export function useWallTour(no: number | null, wall: RefObject<HTMLElement | null>, sources: TourSources): void {
  const toggle = useTourToggle(sources);
  const isOn = useTour((tour) => tour.kind !== 'off');
  usePointerHold(wall, isOn);
  useEffect(guardTour, []);
  useKeptTour(no, sources);
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

/** Goes on with the tour that a reload broke off, as soon as what it goes through is known again. */
function useKeptTour(no: number | null, sources: TourSources): void {
  const [kept, setKept] = useState(() => readTour(no));
  const facts = useChannelFacts();
  useEffect(() => {
    if (kept === null || !facts.isLoaded) return;
    const pages =
      sources()
        .find(({ value }) => value === kept.source)
        ?.pages() ?? [];
    if (pages.length === 0) return;
    setKept(null);
    if (useTour.getState().kind === 'off')
      wallTour.start(pages, kept.dwellMs, { at: kept.at, reasons: kept.isAsked ? ['asked'] : [] });
  }, [kept, sources, facts]);
  useEffect(() => {
    if (kept === null) return;
    // Whoever puts something else on the wall meanwhile wants that.
    return useWall.subscribe((wall, before) => {
      const isSame = JSON.stringify(wallContent(wall)) === JSON.stringify(wallContent(before));
      if (!isSame) setKept(null);
    });
  }, [kept]);
  useEffect(
    () =>
      useTour.subscribe((tour) => {
        const { source } = useTourChoice.getState();
        const isOn = tour.kind !== 'off' && source !== null;
        const isAsked = tour.kind === 'held' && tour.reasons.includes('asked');
        writeTour(no, isOn ? { source, dwellMs: tour.dwellMs, at: tour.at, isAsked } : null);
      }),
    [no],
  );
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
