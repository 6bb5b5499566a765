// Reads and writes sessions; only the SHA-256 of a token is stored.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { SESSION_DAYS } from '@vedette/contract/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { AccountRow, SessionRow } from '../schema/schema.ts';

/** Maximum age, set by the operator: read with each session, so that a change applies to all at once. */
const longestMs = sql<number>`(
  coalesce((select (value -> 'config' ->> 'sessionDays')::bigint from setting where name = 'account'), ${SESSION_DAYS.usual}::bigint)
  * ${DAY_MS}::bigint)`;
const lastsUntil = sql<number>`(session.created_at + ${longestMs})`;

export interface SessionWithAccount {
  readonly session: SessionRow;
  /** However much it is used. */
  readonly lastsUntil: number;
  readonly account: Pick<
    AccountRow,
    'account_id' | 'user_name' | 'user_type' | 'owner_id' | 'is_enabled' | 'video_closed_until'
  >;
}

export async function insertSession(
  database: Database,
  session: Omit<SessionRow, 'end_code' | 'proved_at'>,
): Promise<void> {
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
    .select(lastsUntil.as('lasts_until'))
    .select([
      'account.user_name',
      'account.user_type',
      'account.owner_id',
      'account.is_enabled',
      'account.video_closed_until',
    ]);
}

function split(
  row: SessionRow & Omit<SessionWithAccount['account'], 'account_id'> & { lasts_until: number },
): SessionWithAccount {
  const { user_name, user_type, owner_id, is_enabled, video_closed_until, lasts_until, ...session } = row;
  const { account_id } = session;
  return {
    session,
    lastsUntil: lasts_until,
    account: { account_id, user_name, user_type, owner_id, is_enabled, video_closed_until },
  };
}

export async function touchSession(database: Database, sessionId: string, now: number, expiresAt: number) {
  await database
    .updateTable('session')
    .set({ last_used_at: now, expires_at: expiresAt })
    .where('session_id', '=', sessionId)
    .where('end_code', 'is', null)
    .execute();
}

/** Stores a step-up: password given again, with a code if required. */
export async function noteProof(database: Database, sessionId: string, now: number): Promise<void> {
  await database.updateTable('session').set({ proved_at: now }).where('session_id', '=', sessionId).execute();
}

/** Clears step-ups: they were done without the second factor. */
export async function forgetProofs(database: Database, accountId: string): Promise<void> {
  await database.updateTable('session').set({ proved_at: 0 }).where('account_id', '=', accountId).execute();
}

export function listSessions(database: Database, accountId: string, now: number): Promise<SessionRow[]> {
  return database
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('end_code', 'is', null)
    .where('expires_at', '>', now)
    .where(lastsUntil, '>', now)
    .orderBy('last_used_at', 'desc')
    .execute();
}

export async function longestSessionMs(database: Database): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select ${longestMs} as ms`.execute(database);
  return rows[0]?.ms ?? SESSION_DAYS.usual * DAY_MS;
}

/** Those that have reached the maximum age. */
export async function expiredSessions(
  database: Database,
  sessionIds: readonly string[],
  now: number,
): Promise<string[]> {
  if (sessionIds.length === 0) return [];
  const rows = await database
    .selectFrom('session')
    .select('session_id')
    .where('session_id', 'in', [...sessionIds])
    .where(lastsUntil, '<=', now)
    .execute();
  return rows.map((row) => row.session_id);
}

/** Ends sessions of one account and returns their ids; `only`, `except` and the key that opened them narrow it. */
export async function endSessions(
  database: Database,
  which: { accountId: string; only?: string; except?: string; keyId?: string },
  endCode: number,
  now: number,
): Promise<string[]> {
  let query = database
    .updateTable('session')
    .set({ end_code: endCode, expires_at: endedAt(now) })
    .where('account_id', '=', which.accountId)
    .where('end_code', 'is', null)
    .returning('session_id');
  if (which.only !== undefined) query = query.where('session_id', '=', which.only);
  if (which.except !== undefined) query = query.where('session_id', '!=', which.except);
  if (which.keyId !== undefined) query = query.where('sign_in_key_id', '=', which.keyId);
  const rows = await query.execute();
  return rows.map((row) => row.session_id);
}

/** What ends has expired: else its row would stay for as long as the session might have gone on unused. */
export function endedAt(now: number) {
  return sql<number>`least(expires_at, ${now}::bigint)`;
}

/** Ended and expired sessions are kept for a day, so that their token gets the exact error code. */
export async function dropOldSessions(database: Database, before: number): Promise<void> {
  await database.deleteFrom('session').where('expires_at', '<', before).execute();
}
