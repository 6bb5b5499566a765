// Handlers of the sessions of the signed-in account: check, list, revoke, sign out.
import type { accountCalls } from '@vedette/contract/calls/account.ts';
import { endSessionsNow, endSignInKey } from '../../auth/ended-sessions.ts';
import { tokenHash } from '../../auth/sessions.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { deleteAccessToken } from '../../database/app/oidc-record.queries.ts';
import { findSession, listSessions } from '../../database/account/session.queries.ts';
import { listSignInKeys } from '../../database/account/sign-in-key.queries.ts';
import type { Handlers } from '../../http/handler.ts';

type SessionPath = Extract<
  keyof typeof accountCalls,
  'account/logout' | 'token/check' | 'account/session/list' | 'account/session/revoke'
>;

export function sessionHandlers(parts: { database: Database }): Handlers<SessionPath> {
  const { database } = parts;
  return {
    'token/check': async ({ principal, expireTime }) => ({
      userId: principal.userId,
      userType: principal.userType,
      expireTime,
    }),
    'account/logout': async ({ principal, token, now }) => {
      if (principal.app !== undefined) {
        // The token alone: neither the account's session nor what it allows the app ends with it (OA-03).
        await deleteAccessToken(database, tokenHash(token ?? ''));
        return {};
      }
      await endOne(database, principal.userId, principal.sessionId, now);
      return {};
    },
    'account/session/list': async ({ principal, now }) => {
      const rows = await listSessions(database, principal.userId, now);
      const sessionList = rows.map((row) => ({
        sessionId: row.session_id,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        address: row.address,
        clientType: row.client_type,
        agent: row.agent,
        isCurrent: row.session_id === principal.sessionId,
      }));
      const keys = await listSignInKeys(database, principal.userId, now);
      const signInKeyList = keys.map((key) => ({
        keyId: key.key_id,
        createdAt: key.created_at,
        lastUsedAt: key.last_used_at,
        address: key.address,
        agent: key.agent,
      }));
      return { total: sessionList.length, sessionList, signInKeyList };
    },
    'account/session/revoke': async ({ input, principal, now }) => {
      const { userId: accountId, sessionId: except } = principal;
      const keyId = (await findSession(database, input.sessionId))?.session.sign_in_key_id ?? null;
      if (!(await endOne(database, accountId, input.sessionId, now))) throw new CallError('notFound');
      // The key would open the next one.
      if (keyId !== null) await endSignInKey(database, { accountId, keyId, except }, now);
      return {};
    },
  };
}

async function endOne(database: Database, accountId: string, sessionId: string, now: number): Promise<boolean> {
  const end = (transaction: Database) => endSessionsNow(transaction, { accountId, only: sessionId }, now);
  return (await database.transaction().execute(end)) > 0;
}
