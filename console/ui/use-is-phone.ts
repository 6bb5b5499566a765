// Whether the page is as narrow as a phone: side panes become drawers, rows as high as a finger.
import { useSyncExternalStore } from 'react';

/** The width of the `@media` rules in the styles. */
const phone = window.matchMedia('(max-width: 600px)');

function watch(onChange: () => void): () => void {
  phone.addEventListener('change', onChange);
  return () => phone.removeEventListener('change', onChange);
}

export function useIsPhone(): boolean {
  return useSyncExternalStore(watch, () => phone.matches);
}
