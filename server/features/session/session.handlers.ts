// Handlers of the sessions of the signed-in account: check, list, revoke, sign out.
import type { accountCalls } from '@vedette/contract/calls/account.ts';
import { tokenHash } from '../../auth/sessions.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { deleteAccessToken } from '../../database/app/oidc-record.queries.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';
import { endSessions, listSessions } from '../../database/account/session.queries.ts';
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
      return { total: sessionList.length, sessionList };
    },
    'account/session/revoke': async ({ input, principal, now }) => {
      const hasEnded = await endOne(database, principal.userId, input.sessionId, now);
      if (!hasEnded) throw new CallError('notFound');
      return {};
    },
  };
}

async function endOne(database: Database, accountId: string, sessionId: string, now: number): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const ended = await endSessions(transaction, { accountId, only: sessionId }, 1001);
    const revocation = { accountId, sessionId, deviceSerial: null, reason: 'session' } as const;
    if (ended.length > 0) await insertRevocations(transaction, now, [revocation]);
    return ended.length > 0;
  });
}
