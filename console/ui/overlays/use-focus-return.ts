// Gives the focus back to what had it before something opened over it, once that is gone: who came by key goes on from there.
import { useEffect, useState } from 'react';

/** `isOpen`: whether it stands open from the moment it is drawn first; what opens later does so by itself. */
export function useFocusReturn(isOpen = true): void {
  // Before anything inside takes it.
  const [before] = useState(() => (isOpen ? document.activeElement : null));
  useEffect(
    () => () => {
      if (document.activeElement !== document.body || !(before instanceof HTMLElement)) return;
      if (before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}
