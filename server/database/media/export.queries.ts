// Reads and writes export tasks with the last report of the site.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { ExportTaskRow, StoredExportItem } from '../schema/schema.ts';

export interface NewExportTask {
  readonly taskId: string;
  readonly accountId: string;
  readonly items: readonly StoredExportItem[];
  /** Where its recordings lie. */
  readonly siteId: string;
  readonly name: string;
  readonly until: number | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export async function insertExport(database: Database, task: NewExportTask): Promise<ExportTaskRow> {
  return await database
    .insertInto('export_task')
    .values({
      task_id: task.taskId,
      account_id: task.accountId,
      items: JSON.stringify(task.items),
      name: task.name,
      site_id: task.siteId,
      device_serials: [...new Set(task.items.map(({ deviceSerial }) => deviceSerial))],
      state: 'queued',
      until: task.until,
      created_at: task.createdAt,
      expires_at: task.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findExport(database: Database, accountId: string, taskId: string): Promise<ExportTaskRow | undefined> {
  return database
    .selectFrom('export_task')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Newest first. */
export async function exportsOf(
  database: Database,
  accountId: string,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ total: number; rows: ExportTaskRow[] }> {
  const own = database.selectFrom('export_task').where('account_id', '=', accountId);
  const { total } = await own.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('task_id')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return { total: Number(total), rows };
}

/** By site; recordings of deleted devices count for the local site. */
export async function exportsAt(database: Database, siteId: string): Promise<ExportTaskRow[]> {
  return await database
    .selectFrom('export_task')
    .leftJoin('device', (join) => join.on(sql<SqlBool>`device.device_serial = export_task.device_serials[1]`))
    .selectAll('export_task')
    .where(sql<SqlBool>`coalesce(export_task.site_id, device.site_id, ${LOCAL_SITE}) = ${siteId}`)
    .orderBy('export_task.created_at')
    .execute();
}

/** Exports whose right may have ended. */
export function exportsConcerning(
  database: Database,
  which: { readonly accountIds: readonly string[]; readonly deviceSerials: readonly string[] },
): Promise<ExportTaskRow[]> {
  const { accountIds, deviceSerials } = which;
  return database
    .selectFrom('export_task')
    .selectAll()
    .where((where) =>
      where.or([
        ...(accountIds.length === 0 ? [] : [where('account_id', 'in', [...accountIds])]),
        ...(deviceSerials.length === 0 ? [] : [sql<SqlBool>`device_serials && ${[...deviceSerials]}::text[]`]),
      ]),
    )
    .execute();
}

export function exportsEndingBy(database: Database, now: number): Promise<ExportTaskRow[]> {
  return database
    .selectFrom('export_task')
    .selectAll()
    .where('until', '<=', now)
    .where('state', '<>', 'failed')
    .execute();
}

export async function storeExportReport(
  database: Database,
  taskId: string,
  change: Pick<ExportTaskRow, 'state' | 'code' | 'expires_at'> & { readonly report: unknown },
): Promise<void> {
  const { state, code, expires_at, report } = change;
  await database
    .updateTable('export_task')
    .set({ state, code, expires_at, report: report === null ? null : JSON.stringify(report) })
    .where('task_id', '=', taskId)
    .execute();
}

export async function setExportUntil(database: Database, taskId: string, until: number | null): Promise<void> {
  await database.updateTable('export_task').set({ until }).where('task_id', '=', taskId).execute();
}

export async function dropExports(database: Database, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length === 0) return;
  await database
    .deleteFrom('export_task')
    .where('task_id', 'in', [...taskIds])
    .execute();
}

export async function dropExpiredExports(database: Database, now: number): Promise<void> {
  await database.deleteFrom('export_task').where('expires_at', '<=', now).execute();
}
