// Reads and writes arming plans for motion and people, for cameras without a plan of their own.
import type { WeekTimes } from '@vedette/contract/config/fields.ts';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';

export interface ArmingRow {
  readonly deviceId: string;
  readonly channelNo: number;
  readonly section: string;
  readonly plan: WeekTimes;
  /** Null: the zone of this installation. */
  readonly timeZone: string | null;
}

export async function armingPlansOf(database: Database, deviceIds: readonly string[]): Promise<ArmingRow[]> {
  if (deviceIds.length === 0) return [];
  const rows = await database
    .selectFrom('arming_plan')
    .innerJoin('channel', 'channel.channel_id', 'arming_plan.channel_id')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select(['device.device_id', 'device.time_zone', 'channel.channel_no', 'arming_plan.section', 'arming_plan.plan'])
    .where(sql<SqlBool>`device.device_id = any(${[...deviceIds]}::text[])`)
    .execute();
  return rows.map((row) => ({
    deviceId: row.device_id,
    channelNo: row.channel_no,
    section: row.section,
    plan: row.plan,
    timeZone: row.time_zone,
  }));
}

export async function storeArmingPlan(
  database: Database,
  place: { readonly deviceId: string; readonly channelNo: number; readonly section: string },
  plan: WeekTimes,
): Promise<void> {
  const channel = await database
    .selectFrom('channel')
    .select('channel_id')
    .where('device_id', '=', place.deviceId)
    .where('channel_no', '=', place.channelNo)
    .executeTakeFirst();
  if (channel === undefined) return;
  const row = { channel_id: channel.channel_id, section: place.section, plan: JSON.stringify(plan) };
  await database
    .insertInto('arming_plan')
    .values(row)
    .onConflict((conflict) => conflict.columns(['channel_id', 'section']).doUpdateSet({ plan: row.plan }))
    .execute();
}
