// Writes and reads the revocation table: whose right or session ended, in order.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { NewRows } from '../sequence-follower.ts';

const ORDER_LOCK = 7_183_227;

export interface Revocation {
  /** The account whose rights or sessions changed; null: every user of the device. */
  readonly accountId: string | null;
  readonly sessionId: string | null;
  readonly deviceSerial: string | null;
  readonly reason: 'session' | 'account' | 'share' | 'device' | 'organization';
}

export interface RevocationRow extends Revocation {
  readonly seq: number;
}

/**
 * Within the transaction of the change: NOTIFY is sent with the commit. The lock makes revocations commit in order of
 * their sequence, so that a follower misses none.
 */
export async function insertRevocations(
  database: Database,
  at: number,
  revocations: readonly Revocation[],
): Promise<void> {
  if (revocations.length === 0) return;
  const rows = revocations.map((one) => ({
    at,
    account_id: one.accountId,
    session_id: one.sessionId,
    device_serial: one.deviceSerial,
    reason: one.reason,
  }));
  await sql`select pg_advisory_xact_lock(${ORDER_LOCK})`.execute(database);
  await database.insertInto('revocation').values(rows).execute();
}

export async function revocationsAfter(database: Database, seq: number): Promise<NewRows<RevocationRow>> {
  const rows = await database.selectFrom('revocation').selectAll().where('seq', '>', seq).orderBy('seq').execute();
  return {
    newest: rows.at(-1)?.seq ?? seq,
    rows: rows.map((row) => ({
      seq: row.seq,
      accountId: row.account_id,
      sessionId: row.session_id,
      deviceSerial: row.device_serial,
      reason: row.reason as Revocation['reason'],
    })),
  };
}

export async function newestRevocation(database: Database): Promise<number> {
  const row = await database
    .selectFrom('revocation')
    .select((select) => select.fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

export async function dropOldRevocations(database: Database, before: number): Promise<void> {
  await database.deleteFrom('revocation').where('at', '<', before).execute();
}
