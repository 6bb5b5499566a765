// Reads and writes which snapshots of alarms lie in object stores, and finds those that wait to be copied.
import { CLOUD_COMBO } from '@vedette/contract/enumerations.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { AlarmPictureCopyRow } from '../schema/cloud-schema.ts';

export type SnapshotCopy = AlarmPictureCopyRow;
type Key = Pick<SnapshotCopy, 'start_time' | 'alarm_id'>;

/** How far back snapshots are looked for: of a new plan, and while a store is away. */
const LOOKED_BACK_MS = 30 * DAY_MS;

/** Of plans of pictures: kept here, and without a copy. */
function waiting(database: Database, now: number) {
  return database
    .selectFrom('cloud_plan')
    .innerJoin('channel', 'channel.channel_id', 'cloud_plan.channel_id')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .innerJoin('alarm', (join) =>
      join.onRef('alarm.device_id', '=', 'channel.device_id').onRef('alarm.channel_no', '=', 'channel.channel_no'),
    )
    .innerJoin('alarm_picture', (join) =>
      join
        .onRef('alarm_picture.start_time', '=', 'alarm.start_time')
        .onRef('alarm_picture.alarm_id', '=', 'alarm.alarm_id'),
    )
    .where('cloud_plan.combo_type', '=', CLOUD_COMBO.picture)
    .where('alarm.start_time', '>', now - LOOKED_BACK_MS)
    .where('alarm.start_time', '>', sql<number>`${now}::bigint - cloud_plan.days * ${DAY_MS}::bigint`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alarm_picture_copy')
            .whereRef('alarm_picture_copy.start_time', '=', 'alarm.start_time')
            .whereRef('alarm_picture_copy.alarm_id', '=', 'alarm.alarm_id'),
        ),
      ),
    );
}

/** A store as one site reaches it. */
export type StoreAtSite = Pick<SnapshotCopy, 'site_id' | 'store_id'>;

/** Oldest first; `without`: those that wait for these stores. */
export async function waitingSnapshots(
  database: Database,
  { now, limit, without }: { readonly now: number; readonly limit: number; readonly without: readonly StoreAtSite[] },
) {
  const siteIds = without.map((one) => one.site_id);
  const storeIds = without.map((one) => one.store_id);
  return await waiting(database, now)
    .where(
      sql<SqlBool>`(device.site_id, cloud_plan.store_id) not in (select * from unnest(${siteIds}::text[], ${storeIds}::text[]))`,
    )
    .select([
      'alarm.start_time',
      'alarm.alarm_id',
      'cloud_plan.channel_id',
      'device.owner_id',
      'device.site_id',
      'cloud_plan.store_id',
      'cloud_plan.days',
      'alarm_picture.content_type',
      'alarm_picture.data',
    ])
    .orderBy('alarm.start_time')
    .limit(limit)
    .execute();
}

export interface SnapshotBacklog {
  readonly waitingFiles: number;
  readonly waitingBytes: number;
  readonly waitingSince: number | null;
}

/** By channel; channels without waiting snapshots are absent. */
export async function snapshotBacklogs(database: Database, now: number): Promise<ReadonlyMap<string, SnapshotBacklog>> {
  const rows = await waiting(database, now)
    .select('cloud_plan.channel_id')
    .select(({ fn }) => [
      fn.countAll<number>().as('files'),
      sql<number>`sum(length(alarm_picture.data))`.as('bytes'),
      fn.min('alarm.start_time').as('since'),
    ])
    .groupBy('cloud_plan.channel_id')
    .execute();
  return new Map(
    rows.map(({ channel_id: channelId, files, bytes, since }) => [
      channelId,
      { waitingFiles: Number(files), waitingBytes: Number(bytes), waitingSince: since },
    ]),
  );
}

/** Objects by channel. */
export async function storedSnapshots(
  database: Database,
): Promise<ReadonlyMap<string, { readonly files: number; readonly bytes: number }>> {
  const rows = await database
    .selectFrom('alarm_picture_copy')
    .select('channel_id')
    .select(({ fn }) => [fn.countAll<number>().as('files'), fn.sum<number>('bytes').as('bytes')])
    .groupBy('channel_id')
    .execute();
  return new Map(rows.map((row) => [row.channel_id, { files: Number(row.files), bytes: Number(row.bytes) }]));
}

/** Of one channel; null: no alarm had a snapshot since then. */
export async function snapshotBytesSince(
  database: Database,
  channel: { readonly deviceId: string; readonly channelNo: number },
  since: number,
): Promise<number | null> {
  const row = await database
    .selectFrom('alarm')
    .innerJoin('alarm_picture', (join) =>
      join
        .onRef('alarm_picture.start_time', '=', 'alarm.start_time')
        .onRef('alarm_picture.alarm_id', '=', 'alarm.alarm_id'),
    )
    .select(sql<number | null>`sum(length(alarm_picture.data))`.as('bytes'))
    .where('alarm.device_id', '=', channel.deviceId)
    .where('alarm.channel_no', '=', channel.channelNo)
    .where('alarm.start_time', '>=', since)
    .executeTakeFirst();
  const bytes = row?.bytes ?? null;
  return bytes === null ? null : Number(bytes);
}

/** Nothing where it has gone meanwhile. */
export async function insertSnapshotCopy(database: Database, copy: SnapshotCopy): Promise<void> {
  await database
    .insertInto('alarm_picture_copy')
    .values(copy)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findSnapshotCopy(database: Database, key: Key): Promise<SnapshotCopy | undefined> {
  return await database.selectFrom('alarm_picture_copy').selectAll().where(isKey(key)).executeTakeFirst();
}

export async function deleteSnapshotCopy(database: Database, key: Key): Promise<void> {
  await database.deleteFrom('alarm_picture_copy').where(isKey(key)).execute();
}

/** Whose days are over, the newest first: those of a store that never comes back hold up no others. */
export async function endedSnapshotCopies(database: Database, now: number, limit: number): Promise<SnapshotCopy[]> {
  return await database
    .selectFrom('alarm_picture_copy')
    .selectAll()
    .where('kept_until', '<=', now)
    .orderBy('kept_until', 'desc')
    .limit(limit)
    .execute();
}

/** Of alarms that are removed: all of an owner, or those before a time. */
export async function endSnapshotCopies(
  database: Database,
  which: { readonly ownerId: string } | { readonly before: number },
): Promise<void> {
  const query = database
    .updateTable('alarm_picture_copy')
    .set({ kept_until: sql<number>`least(kept_until, extract(epoch from now()) * 1000)` });
  if ('ownerId' in which) await query.where('owner_id', '=', which.ownerId).execute();
  else await query.where('start_time', '<', which.before).execute();
}

/** Removes what lies here and in a store, of alarms before the time. */
export async function freeCopiedSnapshots(database: Database, before: number): Promise<void> {
  await database
    .deleteFrom('alarm_picture')
    .using('alarm_picture_copy')
    .whereRef('alarm_picture_copy.start_time', '=', 'alarm_picture.start_time')
    .whereRef('alarm_picture_copy.alarm_id', '=', 'alarm_picture.alarm_id')
    .where('alarm_picture.start_time', '<', before)
    .execute();
}

function isKey({ start_time: startTime, alarm_id: alarmId }: Key): RawBuilder<SqlBool> {
  return sql<SqlBool>`start_time = ${startTime}::bigint and alarm_id = ${alarmId}`;
}
