// The token of a guest link: read from the address once and removed from it; a reload of the tab still has it.
import { create } from 'zustand';
import { PATHS } from '../navigation/paths.ts';

const KEPT_AS = 'vedette.guest';
const FORM = /^[A-Za-z0-9_-]{1,64}$/;

/** Empty where the page was opened without one. */
export const useGuestToken = create<{ readonly token: string }>(() => ({ token: '' }));

function take(page: Window): void {
  if (page.location.pathname !== PATHS.guest) return;
  const word = page.location.hash.slice(1);
  if (FORM.test(word)) {
    page.sessionStorage.setItem(KEPT_AS, word);
    page.history.replaceState(page.history.state, '', page.location.pathname);
  }
  useGuestToken.setState({ token: page.sessionStorage.getItem(KEPT_AS) ?? '' });
}

let isListening = false;

/** A link pasted into the open page changes only the hash. */
export function takeGuestToken(page: Window): void {
  take(page);
  if (isListening) return;
  isListening = true;
  page.addEventListener('hashchange', () => take(page));
}
