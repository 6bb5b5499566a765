// Reads and writes tasks of edge intelligence.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import { channelsWhere } from '../device/channel.queries.ts';
import type { AnalysisTaskRow } from '../schema/analysis-schema.ts';

export type AnalysisTaskColumns = Omit<AnalysisTaskRow, 'task_id' | 'channel_id' | 'version' | 'created_at'>;

/** A task with its place, and whether the asker may change it. */
export type PlacedAnalysisTask = Awaited<ReturnType<typeof listAnalysisTasks>>[number];

export interface TaskConditions {
  /** On `channel` with its device and organisation (auth/visibility-conditions.ts). */
  readonly visible: RawBuilder<SqlBool>;
  readonly editable: RawBuilder<SqlBool>;
}

export async function listAnalysisTasks(database: Database, { visible, editable }: TaskConditions) {
  return await channelsWhere(database, visible)
    .innerJoin('analysis_task', 'analysis_task.channel_id', 'channel.channel_id')
    .innerJoin('site', 'site.site_id', 'device.site_id')
    .selectAll('analysis_task')
    .select(['channel.channel_no', 'channel.channel_name'])
    .select(['device.device_serial', 'device.device_name', 'device.site_id', 'site.site_name'])
    .select(sql<boolean>`${editable}`.as('is_editable'))
    .orderBy('device.device_name')
    .orderBy('channel.channel_no')
    .orderBy('analysis_task.created_at')
    .orderBy('analysis_task.task_id')
    .execute();
}

export async function countTasksOfChannel(database: Database, channelId: string): Promise<number> {
  const { total } = await database
    .selectFrom('analysis_task')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  return total;
}

export interface NewAnalysisTask {
  readonly taskId: string;
  readonly channelId: string;
  readonly columns: AnalysisTaskColumns;
  readonly now: number;
}

export async function insertAnalysisTask(database: Database, task: NewAnalysisTask): Promise<void> {
  const { taskId, channelId, columns, now } = task;
  await database
    .insertInto('analysis_task')
    .values({ ...written(columns), task_id: taskId, channel_id: channelId, created_at: now })
    .execute();
}

export interface NamedTask {
  readonly taskId: string;
  readonly channelId: string;
}

/** False where the channel has no such task. */
export async function hasAnalysisTask(database: Database, { taskId, channelId }: NamedTask): Promise<boolean> {
  const row = await database
    .selectFrom('analysis_task')
    .select('task_id')
    .where('task_id', '=', taskId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return row !== undefined;
}

/** False where it has another version by now, or is gone. */
export async function updateAnalysisTask(
  database: Database,
  { taskId, channelId, version }: NamedTask & { readonly version: number },
  columns: AnalysisTaskColumns,
): Promise<boolean> {
  const row = await database
    .updateTable('analysis_task')
    .set({ ...written(columns), version: sql`version + 1` })
    .where('task_id', '=', taskId)
    .where('channel_id', '=', channelId)
    .where('version', '=', version)
    .returning('task_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A channel is looked at by one model, whichever of its tasks was saved last. */
export async function shareModel(database: Database, channelId: string, model: string | null): Promise<void> {
  await database
    .updateTable('analysis_task')
    .set({ model })
    .where('channel_id', '=', channelId)
    .where('model', 'is distinct from', model)
    .execute();
}

/** False: there was none. */
export async function deleteAnalysisTask(database: Database, { taskId, channelId }: NamedTask): Promise<boolean> {
  const gone = await database
    .deleteFrom('analysis_task')
    .where('task_id', '=', taskId)
    .where('channel_id', '=', channelId)
    .returning('task_id')
    .executeTakeFirst();
  return gone !== undefined;
}

/** Those that run, by channel; of one device, or of all. */
export async function enabledTasks(
  database: Database,
  deviceId?: string,
): Promise<ReadonlyMap<string, readonly AnalysisTaskRow[]>> {
  const rows = await database
    .selectFrom('analysis_task')
    .innerJoin('channel', 'channel.channel_id', 'analysis_task.channel_id')
    .selectAll('analysis_task')
    .where('is_enabled', '=', true)
    .$if(deviceId !== undefined, (query) => query.where('channel.device_id', '=', deviceId ?? ''))
    .orderBy('analysis_task.created_at')
    .orderBy('analysis_task.task_id')
    .execute();
  return Map.groupBy(rows, (row) => row.channel_id);
}

function written(columns: AnalysisTaskColumns) {
  const { regions, plan, ...plain } = columns;
  return { ...plain, regions: JSON.stringify(regions), plan: plan && JSON.stringify(plan) };
}
