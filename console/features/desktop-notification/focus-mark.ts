// Whether any window of the console is being used: each holds a lock of the browser while it has the focus, which ends with the window even if that crashes.
import { useEffect } from 'react';

const FOCUSED = 'vedette.focused';

export function useFocusMark(): void {
  useEffect(() => holdWhileFocused(), []);
}

/** The browser has locks in secure contexts alone, as it has notifications. */
function holdWhileFocused(): () => void {
  if (!('locks' in navigator)) return () => undefined;
  let release: (() => void) | null = null;
  const hold = (): void => {
    if (release !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    // It waits for nobody: all locks of this name are shared.
    void navigator.locks.request(FOCUSED, { mode: 'shared' }, () => promise);
  };
  const letGo = (): void => {
    release?.();
    release = null;
  };
  if (document.hasFocus()) hold();
  window.addEventListener('focus', hold);
  window.addEventListener('blur', letGo);
  return () => {
    window.removeEventListener('focus', hold);
    window.removeEventListener('blur', letGo);
    letGo();
  };
}

export async function isAnyFocused(): Promise<boolean> {
  if (document.hasFocus()) return true;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === FOCUSED);
}
