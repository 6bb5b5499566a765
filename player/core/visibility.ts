// Tells whether an element can be seen: scrolled into view, and on a page that is looked at.
import { playerClock, type PlayerClock } from './player-clock.ts';

/** A short look at another tab must not stop a wall, ms. */
const HIDDEN_PAGE_GRACE_MS = 5000;

/** Calls `onChange` on every change, beginning with the first answer of the browser; the answer stops it. */
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
