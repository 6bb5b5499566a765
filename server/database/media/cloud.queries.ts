// Reads and writes object stores and cloud plans.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import { hasRecordingsAt } from '../device/device-stay.queries.ts';
import { channelsWhere } from '../device/channel.queries.ts';
import type { CloudPlanRow, ObjectStoreRow } from '../schema/cloud-schema.ts';

export type StoreWithTotal = ObjectStoreRow & { readonly plan_total: number };
export type StoreColumns = Omit<ObjectStoreRow, 'store_id' | 'version' | 'created_at'>;

export async function listObjectStores(database: Database): Promise<StoreWithTotal[]> {
  return await database
    .selectFrom('object_store')
    .selectAll()
    .select(sql<number>`(select count(*) from cloud_plan where store_id = object_store.store_id)`.as('plan_total'))
    .orderBy('created_at')
    .orderBy('store_id')
    .execute();
}

export async function findObjectStore(database: Database, storeId: string): Promise<ObjectStoreRow | undefined> {
  return await database.selectFrom('object_store').selectAll().where('store_id', '=', storeId).executeTakeFirst();
}

export async function insertObjectStore(
  database: Database,
  storeId: string,
  { columns, now }: { readonly columns: StoreColumns; readonly now: number },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (columns.is_default) await clearDefault(transaction);
    await transaction
      .insertInto('object_store')
      .values({ ...columns, store_id: storeId, created_at: now })
      .execute();
  });
}

/** False where it has another version by now, or is gone. */
export async function updateObjectStore(
  database: Database,
  which: { readonly storeId: string; readonly version: number },
  columns: StoreColumns,
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    if (columns.is_default) await clearDefault(transaction);
    const row = await transaction
      .updateTable('object_store')
      .set({ ...columns, version: sql`version + 1` })
      .where('store_id', '=', which.storeId)
      .where('version', '=', which.version)
      .returning('store_id')
      .executeTakeFirst();
    return row !== undefined;
  });
}

async function clearDefault(database: Database): Promise<void> {
  await database.updateTable('object_store').set({ is_default: false }).where('is_default', '=', true).execute();
}

/** Rejects with a foreign key violation while a plan names it. */
export async function deleteObjectStore(database: Database, storeId: string): Promise<void> {
  await database.deleteFrom('object_store').where('store_id', '=', storeId).execute();
}

export async function replaceCloudPlan(database: Database, plan: CloudPlanRow): Promise<void> {
  const { channel_id: _id, ...changed } = plan;
  await database
    .insertInto('cloud_plan')
    .values(plan)
    .onConflict((conflict) => conflict.column('channel_id').doUpdateSet(changed))
    .execute();
}

/** False: there was none. */
export async function deleteCloudPlan(database: Database, channelId: string): Promise<boolean> {
  const gone = await database
    .deleteFrom('cloud_plan')
    .where('channel_id', '=', channelId)
    .returning('channel_id')
    .executeTakeFirst();
  return gone !== undefined;
}

/** By channel. */
export async function cloudPlans(database: Database): Promise<ReadonlyMap<string, CloudPlanRow>> {
  const rows = await database.selectFrom('cloud_plan').selectAll().execute();
  return new Map(rows.map((row) => [row.channel_id, row]));
}

/** Of channels that fulfil a condition of auth/visibility-conditions.ts. */
export async function listCloudPlans(database: Database, visible: RawBuilder<SqlBool>) {
  return await channelsWhere(database, visible)
    .innerJoin('cloud_plan', 'cloud_plan.channel_id', 'channel.channel_id')
    .innerJoin('object_store', 'object_store.store_id', 'cloud_plan.store_id')
    .select([
      'channel.channel_id',
      'channel.channel_no',
      'channel.channel_name',
      'device.device_serial',
      'device.device_name',
      'device.site_id',
      'cloud_plan.combo_type',
      'cloud_plan.days',
      'cloud_plan.created_at',
      'object_store.store_id',
      'object_store.store_name',
    ])
    .orderBy('device.device_name')
    .orderBy('channel.channel_no')
    .execute();
}

/** Ids of the stores that plans of its cameras name, or that hold snapshots of their alarms. */
export async function storesOfSite(database: Database, siteId: string): Promise<readonly string[]> {
  const holding = database.selectFrom('alarm_picture_copy').select('store_id').where('site_id', '=', siteId);
  const rows = await database
    .selectFrom('cloud_plan')
    .innerJoin('channel', 'channel.channel_id', 'cloud_plan.channel_id')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select('cloud_plan.store_id')
    .where(hasRecordingsAt(siteId))
    .union(holding)
    .execute();
  return rows.map((row) => row.store_id);
}
