// Whether a part of the live page around the wall is shown. It is kept for the page, neither for a window of its own nor on a phone.
import { useEffect, useState } from 'react';

export interface ShownPart {
  readonly isShown: boolean;
  readonly turn: () => void;
  readonly hide: () => void;
}

/** What the browser keeps, under a key of the part. */
export interface PartMemory {
  readonly read: () => string | null;
  readonly write: (text: 'open' | 'closed') => void;
}

export interface ShownPartInput {
  /** Number of the window; null for the page. */
  readonly no: number | null;
  readonly isPhone: boolean;
  readonly memory: PartMemory;
  /** Of a page where nobody has chosen yet. */
  readonly isShownFirst: boolean;
}

/** A window of its own begins without: it is there to be looked at. On a phone the part covers the wall. */
export function useShownPart({ no, isPhone, memory, isShownFirst }: ShownPartInput): ShownPart {
  const [isKept, setKept] = useState(() => no === null && readKept(memory, isShownFirst));
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (no === null) memory.write(isKept ? 'open' : 'closed');
  }, [no, isKept, memory]);
  const set = isPhone ? setDrawn : setKept;
  return {
    isShown: isPhone ? isDrawn : isKept,
    turn: () => set((before) => !before),
    hide: () => set(false),
  };
}

function readKept(memory: PartMemory, isShownFirst: boolean): boolean {
  const kept = memory.read();
  return kept === null ? isShownFirst : kept === 'open';
}
