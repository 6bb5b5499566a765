// Keeps the chosen one of a row that scrolls in sight: when the page opens, and whenever another one is chosen.
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** For the element that scrolls; `selector` names the chosen one in it. */
export function useChosenInView<Row extends HTMLElement>(selector: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useLayoutEffect(() => {
    row.current?.querySelector(selector)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selector]);
  return row;
}
