// Reads and writes the records of the OAuth provider: tokens, codes, interactions, each found by a hash.
import type { AppScope } from '@vedette/contract/app-scopes.ts';
import { createHash } from 'node:crypto';
import type { Database } from '../connection.ts';
import type { OidcRecordRow } from '../schema/app-schema.ts';

export function oidcHash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export async function putOidcRecord(database: Database, row: OidcRecordRow): Promise<void> {
  const { model: _model, id_hash: _idHash, ...change } = row;
  await database
    .insertInto('oidc_record')
    .values(row)
    .onConflict((conflict) => conflict.columns(['model', 'id_hash']).doUpdateSet(change))
    .execute();
}

export type OidcKey = 'id_hash' | 'user_code_hash' | 'uid_hash';

export async function findOidcRecord(
  database: Database,
  model: string,
  by: OidcKey,
  hash: Buffer,
): Promise<OidcRecordRow | undefined> {
  return await database
    .selectFrom('oidc_record')
    .selectAll()
    .where('model', '=', model)
    .where(by, '=', hash)
    .executeTakeFirst();
}

/** False where it was consumed before, however close together. */
export async function consumeOidcRecord(
  database: Database,
  model: string,
  idHash: Buffer,
  now: number,
): Promise<boolean> {
  const row = await database
    .updateTable('oidc_record')
    .set({ consumed_at: now })
    .where('model', '=', model)
    .where('id_hash', '=', idHash)
    .where('consumed_at', 'is', null)
    .returning('model')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOidcRecord(database: Database, model: string, idHash: Buffer): Promise<void> {
  await database.deleteFrom('oidc_record').where('model', '=', model).where('id_hash', '=', idHash).execute();
}

export async function deleteOidcRecordsOfGrant(database: Database, model: string, grantId: string): Promise<void> {
  await database.deleteFrom('oidc_record').where('model', '=', model).where('grant_id', '=', grantId).execute();
}

/** Both kinds that open calls; their ids are drawn alike. */
const ACCESS_MODELS = ['AccessToken', 'ClientCredentials'];

export interface StoredAccessToken {
  readonly model: string;
  readonly app_id: string | null;
  readonly grant_id: string | null;
  readonly scopes: AppScope[];
  readonly key_thumbprint: string | null;
  readonly expires_at: number | null;
}

export async function findAccessToken(database: Database, tokenHash: Buffer): Promise<StoredAccessToken | undefined> {
  return await database
    .selectFrom('oidc_record')
    .select(['model', 'app_id', 'grant_id', 'scopes', 'key_thumbprint', 'expires_at'])
    .where('model', 'in', ACCESS_MODELS)
    .where('id_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** False where it was gone before. */
export async function deleteAccessToken(database: Database, tokenHash: Buffer): Promise<boolean> {
  const row = await database
    .deleteFrom('oidc_record')
    .where('model', 'in', ACCESS_MODELS)
    .where('id_hash', '=', tokenHash)
    .returning('model')
    .executeTakeFirst();
  return row !== undefined;
}

export async function dropOldOidcRecords(database: Database, before: number): Promise<void> {
  await database.deleteFrom('oidc_record').where('expires_at', '<', before).execute();
}
