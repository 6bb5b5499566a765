// Reads and writes snapshots of alarms, which are deleted with the day of the alarm.
import type { AlarmCursor } from './alarm-read.queries.ts';
import { appendOutbox, lockAlarms } from './alarm-write.queries.ts';
import type { Database } from '../connection.ts';

export interface AlarmSnapshot {
  readonly contentType: string;
  readonly data: Buffer;
  readonly at: number;
}

/** The first one stays for all rules of the alarm. False if the alarm is deleted or has one. */
export async function storeAlarmSnapshot(
  database: Database,
  cursor: AlarmCursor,
  snapshot: AlarmSnapshot,
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    await lockAlarms(transaction);
    return await addAlarmSnapshot(transaction, cursor, snapshot, snapshot.at);
  });
}

/** The same within a transaction that holds the lock of alarms. */
export async function addAlarmSnapshot(
  transaction: Database,
  { startTime, alarmId }: AlarmCursor,
  { contentType, data, at }: AlarmSnapshot,
  now: number,
): Promise<boolean> {
  const changed = await transaction
    .updateTable('alarm')
    .set({ picture_at: at })
    .where('start_time', '=', startTime)
    .where('alarm_id', '=', alarmId)
    .where('picture_at', 'is', null)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) return false;
  const row = { start_time: startTime, alarm_id: alarmId, content_type: contentType, data };
  await transaction.insertInto('alarm_picture').values(row).execute();
  await appendOutbox(transaction, [{ startTime, alarmId, isNew: false }], now);
  return true;
}

export async function readAlarmSnapshot(
  database: Database,
  { startTime, alarmId }: AlarmCursor,
): Promise<{ readonly contentType: string; readonly data: Buffer } | null> {
  const row = await database
    .selectFrom('alarm_picture')
    .select(['content_type as contentType', 'data'])
    .where('start_time', '=', startTime)
    .where('alarm_id', '=', alarmId)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteSnapshotsBefore(database: Database, startTime: number): Promise<void> {
  await database.deleteFrom('alarm_picture').where('start_time', '<', startTime).execute();
}
