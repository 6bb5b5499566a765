// The rail's width: labels where there is room, unless the user chose otherwise for that kind of window.
import { useState, useSyncExternalStore } from 'react';

const STORAGE_KEY = 'vedette.rail';
const roomy = window.matchMedia('(min-width: 1200px)');

function watch(onChange: () => void): () => void {
  roomy.addEventListener('change', onChange);
  return () => roomy.removeEventListener('change', onChange);
}

export function useRailWidth() {
  const hasRoom = useSyncExternalStore(watch, () => roomy.matches);
  const [chosen, setChosen] = useState(() => localStorage.getItem(STORAGE_KEY));
  // In a small window labels are only lent: the choice for large ones stays.
  const [isLent, setLent] = useState(false);
  const isNarrow = hasRoom ? chosen === 'narrow' : !isLent;
  const toggle = (): void => {
    if (!hasRoom) return setLent(!isLent);
    const next = isNarrow ? 'wide' : 'narrow';
    localStorage.setItem(STORAGE_KEY, next);
    setChosen(next);
  };
  return { isNarrow, toggle };
}
