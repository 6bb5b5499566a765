// Reads and writes the session table. A session's token is never stored, only its SHA-256.
import type { Database } from './connection.ts';
import type { AccountRow, SessionRow } from './schema.ts';

export interface SessionWithAccount {
  readonly session: SessionRow;
  readonly account: Pick<AccountRow, 'account_id' | 'user_name' | 'user_type' | 'owner_id' | 'is_enabled'>;
}

export async function insertSession(database: Database, session: Omit<SessionRow, 'end_code'>): Promise<void> {
  await database.insertInto('session').values(session).execute();
}

export async function findSessionByToken(
  database: Database,
  tokenHash: Buffer,
): Promise<SessionWithAccount | undefined> {
  const row = await withAccount(database).where('session.token_hash', '=', tokenHash).executeTakeFirst();
  return row === undefined ? undefined : split(row);
}

export async function findSession(database: Database, sessionId: string): Promise<SessionWithAccount | undefined> {
  const row = await withAccount(database).where('session.session_id', '=', sessionId).executeTakeFirst();
  return row === undefined ? undefined : split(row);
}

function withAccount(database: Database) {
  return database
    .selectFrom('session')
    .innerJoin('account', 'account.account_id', 'session.account_id')
    .selectAll('session')
    .select(['account.user_name', 'account.user_type', 'account.owner_id', 'account.is_enabled']);
}

function split(row: SessionRow & Omit<SessionWithAccount['account'], 'account_id'>): SessionWithAccount {
  const { user_name, user_type, owner_id, is_enabled, ...session } = row;
  return { session, account: { account_id: session.account_id, user_name, user_type, owner_id, is_enabled } };
}

export async function touchSession(database: Database, sessionId: string, now: number, expiresAt: number) {
  await database
    .updateTable('session')
    .set({ last_used_at: now, expires_at: expiresAt })
    .where('session_id', '=', sessionId)
    .where('end_code', 'is', null)
    .execute();
}

export function listSessions(database: Database, accountId: string, now: number): Promise<SessionRow[]> {
  return database
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('end_code', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .execute();
}

/** Ends sessions of one account and answers their ids; `only` and `except` narrow it. */
export async function endSessions(
  database: Database,
  which: { accountId: string; only?: string; except?: string },
  endCode: number,
): Promise<string[]> {
  let query = database
    .updateTable('session')
    .set({ end_code: endCode })
    .where('account_id', '=', which.accountId)
    .where('end_code', 'is', null)
    .returning('session_id');
  if (which.only !== undefined) query = query.where('session_id', '=', which.only);
  if (which.except !== undefined) query = query.where('session_id', '!=', which.except);
  const rows = await query.execute();
  return rows.map((row) => row.session_id);
}

/** Ended and expired sessions are kept for a day so that their token gets the exact code. */
export async function dropOldSessions(database: Database, before: number): Promise<void> {
  await database.deleteFrom('session').where('expires_at', '<', before).execute();
}
