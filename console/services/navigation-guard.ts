// The navigation guard as a pure decision: where an address leads, with or without a token (RT-08, RT-09).
import type { ConsoleMode } from './services.ts';
import { PATHS } from '../navigation/paths.ts';

export interface GuardQuestion {
  readonly mode: ConsoleMode;
  readonly hasToken: boolean;
  readonly isOpenInWeb: boolean;
  /** Path with its query, as asked for. */
  readonly target: string;
}

const BACK_PARAMETER = 'from';

/** The address to go to instead, or null where the target may open. */
export function guardRedirect({ mode, hasToken, isOpenInWeb, target }: GuardQuestion): string | null {
  if (hasToken || (mode === 'web' && isOpenInWeb)) return null;
  return `${PATHS.login}?${new URLSearchParams({ [BACK_PARAMETER]: target })}`;
}

/** Where to go after sign-in: where one was going, else what the account wants first, but never to another site or back to sign-in. */
export function afterSignIn(search: string): string {
  const from = new URLSearchParams(search).get(BACK_PARAMETER) ?? '';
  return ownAddress(from) ?? PATHS.homepage;
}

/** Any will do: an address of another one would not keep to it. */
const HERE = 'https://console.invalid';

/** As the browser reads it, which forgives much: dots, backslashes and control characters are gone before it is judged. */
function ownAddress(from: string): string | null {
  if (!URL.canParse(from, HERE)) return null;
  const { origin, pathname, search, hash } = new URL(from, HERE);
  // `/homepage/` inside another's address, or behind an encoded slash, is not ours.
  const isOurs = origin === HERE && from.startsWith('/') && pathname.startsWith(`${PATHS.homepage}/`);
  return isOurs && !/%2f|%5c|\/\//i.test(pathname) ? pathname + search + hash : null;
}
