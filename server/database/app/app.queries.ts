// Reads and writes apps: the OAuth clients that accounts register.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { AppRow } from '../schema/app-schema.ts';

export interface AppWithOwner extends AppRow {
  readonly owner_name: string;
  readonly owner_enabled: boolean;
  readonly allows_all: boolean;
}

/** Set by the operator; read with each app, so that a change applies to all at once. */
export const allowsAllApps = sql<boolean>`(
  coalesce((select (value -> 'config' ->> 'allowsAllApps')::boolean from setting where name = 'account'), false))`;

export function appsWithOwner(database: Database) {
  return database
    .selectFrom('app')
    .innerJoin('account', 'account.account_id', 'app.owner_id')
    .selectAll('app')
    .select(['account.user_name as owner_name', 'account.is_enabled as owner_enabled'])
    .select(allowsAllApps.as('allows_all'));
}

export async function findApp(database: Database, appId: string): Promise<AppWithOwner | undefined> {
  // Ids come from addresses and forms too, and PostgreSQL fails at NUL.
  if (appId.includes('\0')) return undefined;
  return await appsWithOwner(database).where('app.app_id', '=', appId).executeTakeFirst();
}

/** `ownerId` null: those of all accounts. */
export async function listApps(database: Database, ownerId: string | null): Promise<AppWithOwner[]> {
  const query = appsWithOwner(database).orderBy('app.created_at', 'desc').orderBy('app.app_id');
  return await (ownerId === null ? query : query.where('app.owner_id', '=', ownerId)).execute();
}

/** Within a transaction: counted under a lock, so that two calls do not both take the last place. */
export async function countAppsLocked(database: Database, ownerId: string): Promise<number> {
  await database.selectFrom('account').select('account_id').where('account_id', '=', ownerId).forUpdate().execute();
  const { total } = await database
    .selectFrom('app')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return total;
}

export type NewApp = Omit<AppRow, 'version' | 'is_approved' | 'old_secret_hash' | 'old_secret_until'>;

export async function insertApp(database: Database, app: NewApp): Promise<void> {
  await database.insertInto('app').values(app).execute();
}

export type AppChange = Partial<Omit<AppRow, 'app_id' | 'owner_id' | 'version' | 'created_at' | 'is_public'>>;

/** False if `seen` is outdated. */
export async function changeApp(database: Database, appId: string, change: AppChange, seen?: number): Promise<boolean> {
  const query = database
    .updateTable('app')
    .set((expression) => ({ ...change, version: expression('version', '+', 1) }))
    .where('app_id', '=', appId)
    .returning('app_id');
  const row = await (seen === undefined ? query : query.where('version', '=', seen)).executeTakeFirst();
  return row !== undefined;
}

export async function deleteApp(database: Database, appId: string): Promise<void> {
  await database.deleteFrom('app').where('app_id', '=', appId).execute();
}
