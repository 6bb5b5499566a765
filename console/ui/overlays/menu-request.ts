// Where somebody asks for the menu of a thing: right button, Shift+F10 or the menu key, or a long press.
import { useEffect, useRef } from 'react';

export interface MenuRequest {
  readonly target: Element;
  /** In pixels from the corner of the window. A key names no place, or one at the edge of what has the focus. */
  readonly at: { readonly x: number; readonly y: number };
}

const LONG_PRESS_MS = 500;
/** A finger that moves further drags. */
const STILL_PX = 10;
/** From the corner of a thing, for a key. */
const INSIDE_PX = 24;

/** `onRequest` answers whether it opened a menu; otherwise the browser shows its own. */
export function useMenuRequest(onRequest: (request: MenuRequest) => boolean): void {
  const newest = useRef(onRequest);
  useEffect(() => {
    newest.current = onRequest;
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const open = (target: EventTarget | null, x: number, y: number): boolean =>
      target instanceof Element && newest.current({ target, at: { x, y } });
    document.addEventListener(
      'contextmenu',
      (event) => {
        if (open(event.target, event.clientX, event.clientY)) event.preventDefault();
      },
      { signal },
    );
    watchLongPress(open, signal);
    return () => listening.abort();
  }, []);
}

type Open = (target: EventTarget | null, x: number, y: number) => boolean;

/** Not every browser makes a `contextmenu` of it. */
function watchLongPress(open: Open, signal: AbortSignal): void {
  let timer: number | undefined;
  let from = { x: 0, y: 0 };
  let isOpened = false;
  const cancel = (): void => clearTimeout(timer);
  signal.addEventListener('abort', cancel);
  document.addEventListener(
    'pointerdown',
    ({ pointerType, isPrimary, target, clientX: x, clientY: y }) => {
      cancel();
      isOpened = false;
      if (pointerType !== 'touch' || !isPrimary) return;
      from = { x, y };
      timer = window.setTimeout(() => {
        isOpened = open(target, x, y);
      }, LONG_PRESS_MS);
    },
    { signal },
  );
  document.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (Math.hypot(clientX - from.x, clientY - from.y) > STILL_PX) cancel();
    },
    { signal },
  );
  for (const name of ['pointerup', 'pointercancel'] as const) document.addEventListener(name, cancel, { signal });
  // The click that follows a finger would close what it opened.
  document.addEventListener(
    'touchend',
    (event) => {
      if (isOpened && event.cancelable) event.preventDefault();
      isOpened = false;
    },
    { signal, passive: false },
  );
}

/** A little inside the thing where the place is outside or at its edge. */
export function placeInside(element: Element, at: MenuRequest['at']): MenuRequest['at'] {
  const box = element.getBoundingClientRect();
  const isInside = at.x > box.left && at.x < box.right && at.y > box.top && at.y < box.bottom;
  return isInside ? at : { x: box.left + INSIDE_PX, y: box.top + Math.min(INSIDE_PX, box.height / 2) };
}
