// Reads and writes the sealed keys that sign identity tokens.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

/** Arbitrary constant: servers that start at once make one key. */
const KEY_LOCK = 7_183_231;

export interface StoredKey {
  readonly key_id: string;
  readonly private_key: Buffer;
  readonly created_at: number;
}

/** The newest first. */
export async function listOidcKeys(database: Database): Promise<StoredKey[]> {
  return await database.selectFrom('oidc_key').selectAll().orderBy('created_at', 'desc').execute();
}

/** Within a transaction; other servers wait until its end. */
export async function lockOidcKeys(database: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${KEY_LOCK})`.execute(database);
}

export async function insertOidcKey(database: Database, key: StoredKey): Promise<void> {
  await database.insertInto('oidc_key').values(key).execute();
}

export async function dropOldOidcKeys(database: Database, before: number): Promise<void> {
  await database.deleteFrom('oidc_key').where('created_at', '<', before).execute();
}
