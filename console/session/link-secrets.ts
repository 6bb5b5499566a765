// The one-time secrets of links, of set-up, of invitations, of resets and of mails that ask: read from the address once and removed from it at once.
import { create } from 'zustand';

interface LinkSecrets {
  /** Of the set-up link; empty where the page was not opened by it. */
  readonly setup: string;
  /** Of an invitation. */
  readonly invitation: string;
  /** Of the reset of a password. */
  readonly reset: string;
  /** Of a mail that asks whether alarms are wanted, or of an alarm. */
  readonly mail: string;
}

export const useLinkSecrets = create<LinkSecrets>(() => ({ setup: '', invitation: '', reset: '', mail: '' }));

const NAMES = [
  ['secret', 'setup'],
  ['invitation', 'invitation'],
  ['reset', 'reset'],
  ['mail', 'mail'],
] as const;

function take(page: Window): void {
  const parameters = new URLSearchParams(page.location.hash.slice(1));
  for (const [parameter, name] of NAMES) {
    const secret = parameters.get(parameter);
    if (secret === null || secret === '') continue;
    page.history.replaceState(page.history.state, '', page.location.pathname + page.location.search);
    useLinkSecrets.setState({ [name]: secret });
  }
}

/** Before the router reads the address; a link pasted into the open page changes only the hash. */
export function takeLinkSecrets(page: Window): void {
  take(page);
  page.addEventListener('hashchange', () => take(page));
}
