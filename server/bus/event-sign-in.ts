// Who speaks on an event socket: a session of the console, or an app, whose pages may stand on origins that it lists.
import { embedOriginsOf } from '../auth/embed-origins.ts';
import type { ActingAppPrincipal, Principal } from '../auth/principal.ts';
import type { Sessions } from '../auth/sessions.ts';
import { CallError } from '../core/call-error.ts';
import type { Database } from '../database/connection.ts';

export interface EventListener {
  readonly principal: Principal;
  /** Signed in from a browser. */
  readonly isWeb: boolean;
  /** When the token of an app ends, or what was allowed to it, ms; null for sessions, which go on while they are used. */
  readonly tokenEndsAt: number | null;
}

interface Hello {
  readonly accessToken: string;
  /** Origin of the page where that is not ours. */
  readonly foreignPage: string | null;
}

/** Throws 1001, 1002 or 2031, and 1004 for a page that the app does not list. A token bound to a key answers 1001: a socket carries no proof of it. */
export async function signInToEvents(
  { sessions, database }: { readonly sessions: Sessions; readonly database: Database },
  { accessToken, foreignPage }: Hello,
): Promise<EventListener> {
  const { principal, isWeb, expireTime } = await sessions.authenticateAny({ token: accessToken, proof: null });
  const { app } = principal;
  if (foreignPage !== null) {
    const isListed = app !== undefined && (await embedOriginsOf(database, app.appId)).includes(foreignPage);
    if (!isListed) throw new CallError('permissionDenied');
  }
  const tokenEndsAt = app === undefined ? null : Math.min(expireTime, app.endTime ?? Number.POSITIVE_INFINITY);
  return { principal, isWeb, tokenEndsAt };
}

/** What a grant allows now, as far as the token asked for it. */
export function limitedToToken(now: Principal, { app: asked }: Principal): Principal {
  const { app } = now;
  if (app === undefined || asked === undefined) return now;
  const scopes = app.scopes.filter((scope) => asked.scopes.includes(scope));
  return { ...now, app: { ...app, scopes } satisfies ActingAppPrincipal };
}
