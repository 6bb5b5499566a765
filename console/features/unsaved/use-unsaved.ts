// Guards the changes of a form: leaving the page or its device asks by itself, closing the form asks through what this returns.
import { useCallback, useEffect, useState } from 'react';
import { askToLeave, setUnsaved } from './unsaved-store.ts';

/** The answer runs what closes the form: at once without changes, else when the user has agreed to lose them. */
export function useUnsaved(hasChanges: boolean): (close: () => void) => void {
  const [form] = useState(() => Symbol('form'));
  useEffect(() => {
    setUnsaved(form, hasChanges);
    return () => setUnsaved(form, false);
  }, [form, hasChanges]);
  return useCallback((close) => (hasChanges ? askToLeave(close) : close()), [hasChanges]);
}
