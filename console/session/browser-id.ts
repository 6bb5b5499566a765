// The id by which the server knows this browser (trusted devices): made once, kept in local storage.
import { randomId } from '../browser/random.ts';

const STORAGE_KEY = 'vedette.browserId';

export function browserId(): string {
  const stored = localStorage.getItem(STORAGE_KEY);
  if (stored !== null && /^[0-9a-f]{32}$/.test(stored)) return stored;
  const made = randomId();
  localStorage.setItem(STORAGE_KEY, made);
  return made;
}
