// Reads and writes client versions.
import { type ExpressionBuilder, sql } from 'kysely';
import type { Database } from './connection.ts';
import type { ClientVersionRow } from './schema/client-version-schema.ts';
import type { DatabaseSchema } from './schema/schema.ts';

/** What an editor sets. */
export type ClientVersionTexts = Pick<
  ClientVersionRow,
  | 'platform'
  | 'version_name'
  | 'external_version'
  | 'must_upgrade_version'
  | 'content_en'
  | 'content_zh'
  | 'redirect_url'
  | 'rollout_percent'
  | 'is_published'
>;

export type StoredPackage = Pick<ClientVersionRow, 'file_name' | 'size_bytes' | 'sha256' | 'signature' | 'public_key'>;

/** The newest of each platform first. */
export async function listClientVersions(
  database: Database,
  platform: ClientVersionRow['platform'] | undefined,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly rows: ClientVersionRow[] }> {
  const query = database
    .selectFrom('client_version')
    .$if(platform !== undefined, (select) => select.where('platform', '=', platform ?? 'all'));
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy('platform')
    .orderBy('version_order', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return { total, rows };
}

/** Those that a client can get: published, with a package or an address. */
export async function publishedClientVersions(database: Database): Promise<ClientVersionRow[]> {
  return await database
    .selectFrom('client_version')
    .selectAll()
    .where('is_published', '=', true)
    .where(({ eb, or }: ExpressionBuilder<DatabaseSchema, 'client_version'>) =>
      or([eb('sha256', '<>', ''), eb('redirect_url', '<>', '')]),
    )
    .execute();
}

export async function findClientVersion(database: Database, versionId: string): Promise<ClientVersionRow | undefined> {
  return await database.selectFrom('client_version').selectAll().where('version_id', '=', versionId).executeTakeFirst();
}

export async function clientVersionIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('client_version').select('version_id').execute();
  return rows.map((row) => row.version_id);
}

/** Rejects with a unique violation where the platform has that number. Undefined: there are `most` already. */
export async function insertClientVersion(
  database: Database,
  { versionId, texts, now, most }: { versionId: string; texts: ClientVersionTexts; now: number; most: number },
): Promise<ClientVersionRow | undefined> {
  const count = await database
    .selectFrom('client_version')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count.count >= most) return undefined;
  return await database
    .insertInto('client_version')
    .values({ ...columns(texts), version_id: versionId, created_at: now, changed_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Undefined where it has another version by now, or is gone. */
export async function updateClientVersion(
  database: Database,
  which: { readonly versionId: string; readonly version: number },
  { texts, now }: { readonly texts: ClientVersionTexts; readonly now: number },
): Promise<ClientVersionRow | undefined> {
  return await database
    .updateTable('client_version')
    .set({ ...columns(texts), version: sql`version + 1`, changed_at: now })
    .where('version_id', '=', which.versionId)
    .where('version', '=', which.version)
    .returningAll()
    .executeTakeFirst();
}

/** Undefined where the version is gone, or was published meanwhile. */
export async function storePackage(
  database: Database,
  versionId: string,
  { stored, now }: { readonly stored: StoredPackage; readonly now: number },
): Promise<ClientVersionRow | undefined> {
  return await database
    .updateTable('client_version')
    .set({ ...stored, version: sql`version + 1`, changed_at: now })
    .where('version_id', '=', versionId)
    .where((where) => where.or([where('is_published', '=', false), where('sha256', '=', '')]))
    .returningAll()
    .executeTakeFirst();
}

export async function deleteClientVersion(database: Database, versionId: string): Promise<void> {
  await database.deleteFrom('client_version').where('version_id', '=', versionId).execute();
}

function columns(texts: ClientVersionTexts) {
  return { ...texts, version_order: texts.external_version.split('.').map(Number) };
}
