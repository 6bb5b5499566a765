// Removes the alarms of an account: they keep their owner whatever becomes of the device, and no foreign key removes them.
import { sql } from 'kysely';
import type { Database } from './connection.ts';

export async function eraseAlarms(database: Database, ownerId: string, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length > 0) {
    await database
      .deleteFrom('open_alarm')
      .where('device_id', 'in', [...deviceIds])
      .execute();
  }
  // What still waits to be told names them.
  await sql`
    delete from alarm_outbox using alarm
    where alarm.owner_id = ${ownerId} and alarm.start_time = alarm_outbox.start_time
      and alarm.alarm_id = alarm_outbox.alarm_id`.execute(database);
  await database
    .deleteFrom('alarm_picture')
    .using('alarm')
    .whereRef('alarm.start_time', '=', 'alarm_picture.start_time')
    .whereRef('alarm.alarm_id', '=', 'alarm_picture.alarm_id')
    .where('alarm.owner_id', '=', ownerId)
    .execute();
  await database.deleteFrom('alarm').where('owner_id', '=', ownerId).execute();
}
