// What an identity provider put behind the redirect address: read from it once and removed, before anything else looks at it.
import { create } from 'zustand';
import { PATHS } from '../navigation/paths.ts';

const TARGET_AS = 'vedette.identityTarget';

export interface IdentityAnswer {
  readonly providerId: string;
  /** The query as it came, without `?`. */
  readonly parameters: string;
  /** First letter of the state: what the sign-in was begun for. */
  readonly purpose: 'signIn' | 'link' | 'proof' | 'client';
}

export const useIdentityAnswer = create<{ readonly answer: IdentityAnswer | null }>(() => ({ answer: null }));

const PURPOSES: Readonly<Record<string, IdentityAnswer['purpose']>> = { l: 'link', p: 'proof', c: 'client' };

/** Codes work once, and yet have no business in a history. */
export function takeIdentityAnswer(page: Window): void {
  const { pathname, search } = page.location;
  const providerId = pathname.slice(PATHS.identityAnswer.length + 1);
  if (search === '') return;
  const state = new URLSearchParams(search).get('state') ?? '';
  const purpose = PURPOSES[state.charAt(0)] ?? 'signIn';
  useIdentityAnswer.setState({ answer: { providerId, parameters: search.slice(1), purpose } });
  page.history.replaceState(page.history.state, '', pathname);
}

/** Where one was going before the provider: the query of the sign-in page, judged again when it is used. */
export function rememberTarget(search: string): void {
  sessionStorage.setItem(TARGET_AS, search);
}

export function takeTarget(): string {
  const search = sessionStorage.getItem(TARGET_AS) ?? '';
  sessionStorage.removeItem(TARGET_AS);
  return search;
}
