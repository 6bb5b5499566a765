// Reads and writes the recording plan of a channel.
import type { Database } from '../connection.ts';
import type { StoredRecordPlan } from '../schema/schema.ts';

export interface RecordPlanRow {
  readonly record_quality: number | null;
  readonly record_plan: StoredRecordPlan | null;
  readonly record_version: number;
  readonly time_zone: string | null;
}

export function findRecordPlan(
  database: Database,
  deviceId: string,
  channelNo: number,
): Promise<RecordPlanRow | undefined> {
  return database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select(['channel.record_quality', 'channel.record_plan', 'channel.record_version', 'device.time_zone'])
    .where('channel.device_id', '=', deviceId)
    .where('channel.channel_no', '=', channelNo)
    .executeTakeFirst();
}

export interface RecordPlanChange {
  readonly deviceId: string;
  readonly channelNo: number;
  readonly quality: number;
  readonly plan: StoredRecordPlan;
  /** Undefined keeps the device's. */
  readonly timeZone: string | undefined;
  readonly version: number;
}

/** False if `version` is outdated; then nothing changed. */
export async function replaceRecordPlan(database: Database, change: RecordPlanChange): Promise<boolean> {
  const { deviceId, channelNo, quality, plan, timeZone, version } = change;
  return await database.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('channel')
      .set((expression) => ({
        record_quality: quality,
        record_plan: JSON.stringify(plan),
        record_version: expression('record_version', '+', 1),
      }))
      .where('device_id', '=', deviceId)
      .where('channel_no', '=', channelNo)
      .where('record_version', '=', version)
      .returning('channel_id')
      .executeTakeFirst();
    if (row === undefined) return false;
    if (timeZone !== undefined) {
      await transaction.updateTable('device').set({ time_zone: timeZone }).where('device_id', '=', deviceId).execute();
    }
    return true;
  });
}
