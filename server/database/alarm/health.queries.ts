// Reads for health monitoring: channels to be recorded, open health alarms, and operators.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { DETECTED } from './alarm-rows.ts';
import type { Database } from '../connection.ts';

/** Devices of a site that exist. */
export function monitoredChannels(database: Database, siteId: string) {
  return database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select([
      'device.device_serial',
      'device.status as device_status',
      'device.time_zone',
      'channel.channel_no',
      'channel.is_recording',
      'channel.record_quality',
      'channel.record_plan',
    ])
    .where('device.site_id', '=', siteId)
    .execute();
}

/** Open server-raised alarms of an earlier run; the device's serial, or empty. */
export function openDetectedProblems(database: Database) {
  return database
    .selectFrom('open_alarm')
    .leftJoin('device', 'device.device_id', 'open_alarm.device_id')
    .select(['device.device_serial', 'open_alarm.channel_no', 'open_alarm.type', 'open_alarm.source_key'])
    .where('open_alarm.source_key', 'like', `${DETECTED}%`)
    .execute();
}

export async function operatorIds(database: Database): Promise<string[]> {
  const rows = await database
    .selectFrom('account')
    .select('account_id')
    .where('user_type', '=', USER_TYPE.super)
    .execute();
  return rows.map((row) => row.account_id);
}
