// Forms with unsaved changes, and what waits for the answer whether to leave them.
import { create } from 'zustand';

interface UnsavedState {
  /** One for each form that is shown and was changed. */
  readonly forms: ReadonlySet<symbol>;
  readonly waiting: (() => void) | null;
}

export const useUnsavedStore = create<UnsavedState>(() => ({ forms: new Set<symbol>(), waiting: null }));

export function setUnsaved(form: symbol, hasChanges: boolean): void {
  const { forms } = useUnsavedStore.getState();
  if (forms.has(form) === hasChanges) return;
  const next = new Set(forms);
  if (hasChanges) next.add(form);
  else next.delete(form);
  useUnsavedStore.setState({ forms: next });
}

export function askToLeave(waiting: (() => void) | null): void {
  useUnsavedStore.setState({ waiting });
}
