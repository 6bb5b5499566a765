// The one-time secret of the set-up link: read from the address once and removed from it at once.
import { create } from 'zustand';

interface SetupSecret {
  /** Empty where the page was not opened by the link. */
  readonly secret: string;
}
export const useSetupSecret = create<SetupSecret>(() => ({ secret: '' }));

function take(page: Window): void {
  const secret = new URLSearchParams(page.location.hash.slice(1)).get('secret');
  if (secret === null || secret === '') return;
  page.history.replaceState(page.history.state, '', page.location.pathname + page.location.search);
  useSetupSecret.setState({ secret });
}

/** Before the router reads the address; a link pasted into the open page changes only the hash. */
export function takeSetupSecret(page: Window): void {
  take(page);
  page.addEventListener('hashchange', () => take(page));
}
