// Reads and writes CSV imports of devices.
import type { ImportRow } from '@vedette/contract/calls/onboarding.ts';
import type { Database } from '../connection.ts';
import type { DeviceImportRow } from '../schema/schema.ts';

export async function insertImport(
  database: Database,
  row: Omit<DeviceImportRow, 'results'> & { readonly results: readonly ImportRow[] },
): Promise<void> {
  await database
    .insertInto('device_import')
    .values({ ...row, results: JSON.stringify(row.results) })
    .execute();
}

/** Without a task id: the account's newest. */
export function findImport(
  database: Database,
  accountId: string,
  taskId: string | undefined,
): Promise<DeviceImportRow | undefined> {
  let query = database.selectFrom('device_import').selectAll().where('account_id', '=', accountId);
  if (taskId !== undefined) query = query.where('task_id', '=', taskId);
  return query.orderBy('created_at', 'desc').limit(1).executeTakeFirst();
}

export function runningImports(database: Database): Promise<DeviceImportRow[]> {
  return database.selectFrom('device_import').selectAll().where('state', '=', 'running').execute();
}

export async function storeImport(
  database: Database,
  taskId: string,
  now: { readonly state: string; readonly results: readonly ImportRow[] },
): Promise<void> {
  await database
    .updateTable('device_import')
    .set({ state: now.state, results: JSON.stringify(now.results) })
    // Nothing is left to do: the passwords go.
    .$if(now.state !== 'running', (query) => query.set({ sealed: null }))
    .where('task_id', '=', taskId)
    .execute();
}

export async function dropExpiredImports(database: Database, now: number): Promise<void> {
  await database.deleteFrom('device_import').where('expires_at', '<=', now).execute();
}
