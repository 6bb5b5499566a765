// Removes the alarms of an account: they keep their owner whatever becomes of the device, and no foreign key removes them.
import type { Database } from './connection.ts';

export async function eraseAlarms(database: Database, ownerId: string, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length > 0) {
    await database
      .deleteFrom('open_alarm')
      .where('device_id', 'in', [...deviceIds])
      .execute();
  }
  // What still waits to be told names them by numbers alone, and leaves out what is gone.
  await database
    .deleteFrom('alarm_picture')
    .using('alarm')
    .whereRef('alarm.start_time', '=', 'alarm_picture.start_time')
    .whereRef('alarm.alarm_id', '=', 'alarm_picture.alarm_id')
    .where('alarm.owner_id', '=', ownerId)
    .execute();
  await database.deleteFrom('alarm').where('owner_id', '=', ownerId).execute();
}
