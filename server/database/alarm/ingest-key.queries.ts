// Reads and writes the API keys by which other programs send events.
import type { IngestKeyRow } from '../schema/alarm-schema.ts';
import type { Database } from '../connection.ts';

export function ingestKeysOf(database: Database, accountId: string): Promise<IngestKeyRow[]> {
  return database
    .selectFrom('ingest_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();
}

/** Only if its creator is still enabled. */
export async function findIngestKey(database: Database, hash: Buffer, now: number): Promise<IngestKeyRow | undefined> {
  return await database
    .updateTable('ingest_key')
    .from('account')
    .set({ last_at: now })
    .whereRef('account.account_id', '=', 'ingest_key.account_id')
    .where('ingest_key.token_hash', '=', hash)
    .where('account.is_enabled', '=', true)
    .returningAll('ingest_key')
    .executeTakeFirst();
}

export async function insertIngestKey(database: Database, row: IngestKeyRow): Promise<void> {
  await database.insertInto('ingest_key').values(row).execute();
}

export async function deleteIngestKey(database: Database, accountId: string, keyId: string): Promise<boolean> {
  const result = await database
    .deleteFrom('ingest_key')
    .where('key_id', '=', keyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
