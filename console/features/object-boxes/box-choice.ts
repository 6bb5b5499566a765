// Whether pictures show the boxes of what edge intelligence sees: off at first, kept in this browser for each account.
import { create } from 'zustand';
import { useAuth } from '../../session/auth-store.ts';

const ON = '1';

/** By account; absent: as it was kept. */
const useChoices = create<Readonly<Record<string, boolean>>>(() => ({}));

function storageKey(userId: string): string {
  return `vedette.boxes.${userId}`;
}

function isKeptOn(userId: string): boolean {
  return localStorage.getItem(storageKey(userId)) === ON;
}

export function useBoxesShown(): boolean {
  const userId = useAuth((auth) => auth.userId);
  return useChoices((choices) => choices[userId]) ?? isKeptOn(userId);
}

export function toggleBoxes(): void {
  const { userId } = useAuth.getState();
  const isShown = !(useChoices.getState()[userId] ?? isKeptOn(userId));
  useChoices.setState({ [userId]: isShown });
  if (isShown) localStorage.setItem(storageKey(userId), ON);
  else localStorage.removeItem(storageKey(userId));
}
