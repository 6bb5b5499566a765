// Whether the pointer or the focus has been on a tile: only then are its controls seen, and its device asked for them.
import { type RefObject, useEffect, useState } from 'react';

export function useTileEngaged(frame: RefObject<HTMLElement | null>, isSelected: boolean): boolean {
  const [isEngaged, setEngaged] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element || isEngaged) return;
    const listening = new AbortController();
    const engage = (): void => setEngaged(true);
    for (const event of ['pointerenter', 'focusin']) element.addEventListener(event, engage, listening);
    return () => listening.abort();
  }, [frame, isEngaged]);
  return isEngaged || isSelected;
}
