// Observes whether an element is visible: scrolled into view, on a visible page.
import { playerClock, type PlayerClock } from './player-clock.ts';

/** Delay before hiding: a short switch to another tab must not stop a wall, ms. */
const HIDDEN_PAGE_GRACE_MS = 5000;

/** Calls `onChange` on every change and once initially; returns the function that stops it. */
export function watchVisibility(
  element: Element,
  onChange: (isVisible: boolean) => void,
  clock: PlayerClock = playerClock,
): () => void {
  let isInView = true;
  let isPageHidden = document.hidden;
  let cancelHiding: (() => void) | null = null;
  let last: boolean | null = null;
  const tell = (): void => {
    const isVisible = isInView && !isPageHidden;
    if (isVisible === last) return;
    last = isVisible;
    onChange(isVisible);
  };
  const observer = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting ?? isInView;
    tell();
  });
  const onPage = (): void => {
    cancelHiding?.();
    const hide = (): void => {
      isPageHidden = document.hidden;
      tell();
    };
    if (document.hidden) cancelHiding = clock.after(HIDDEN_PAGE_GRACE_MS, hide);
    else hide();
  };
  observer.observe(element);
  document.addEventListener('visibilitychange', onPage);
  return () => {
    cancelHiding?.();
    observer.disconnect();
    document.removeEventListener('visibilitychange', onPage);
  };
}
