// Writes the status that sites report of devices and channels.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import { insertStatusChange } from '../statistic/hour-store.queries.ts';

const ONLINE = 1;

/** With its history. False where a newer report is stored already or nothing changed. */
export async function storeDeviceStatus(
  database: Database,
  change: { deviceId: string; status: number; reason: string | null; at: number },
): Promise<boolean> {
  const wasOnline = sql<
    number | null
  >`case when status = ${ONLINE} or ${change.status} = ${ONLINE} then ${change.at} else latest_online end`;
  const row = await database
    .updateTable('device')
    .set({ status: change.status, status_reason: change.reason, status_at: change.at, latest_online: wasOnline })
    .where('device_id', '=', change.deviceId)
    .where((where) => where.or([where('status_at', 'is', null), where('status_at', '<=', change.at)]))
    .where(
      sql<boolean>`(status, coalesce(status_reason, '')) is distinct from (${change.status}::integer, ${change.reason ?? ''}::text)`,
    )
    .returning('device_id')
    .executeTakeFirst();
  if (row !== undefined) await insertStatusChange(database, change);
  return row !== undefined;
}

export async function storeChannelStatus(
  database: Database,
  change: { deviceId: string; channelNo: number; status: number; isRecording: boolean },
): Promise<boolean> {
  const row = await database
    .updateTable('channel')
    .set({ status: change.status, is_recording: change.isRecording })
    .where('device_id', '=', change.deviceId)
    .where('channel_no', '=', change.channelNo)
    .where((where) => where.or([where('status', '!=', change.status), where('is_recording', '!=', change.isRecording)]))
    .returning('channel_id')
    .executeTakeFirst();
  return row !== undefined;
}
