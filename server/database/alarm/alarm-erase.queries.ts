// Deletes the alarms of an account. No foreign key does: alarms keep their owner whatever happens to the device.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import { lockAlarms } from './alarm-write.queries.ts';
import { endSnapshotCopies } from '../media/snapshot-copy.queries.ts';

/** Within the transaction that deletes the account: whoever writes alarms meanwhile has stored them, or finds no account afterwards. */
export async function eraseAlarms(database: Database, ownerId: string, deviceIds: readonly string[]): Promise<void> {
  await lockAlarms(database);
  if (deviceIds.length > 0) {
    await database
      .deleteFrom('open_alarm')
      .where('device_id', 'in', [...deviceIds])
      .execute();
  }
  // An outbox row also holds alarms of others: entries are blanked in place, since they are numbered by position.
  await sql`
    update alarm_outbox set alarm_ids = blanked.alarm_ids
    from (
      select line.seq, array_agg(case when alarm.alarm_id is null then entry.alarm_id else '' end order by entry.place) as alarm_ids
      from alarm_outbox as line
      cross join lateral unnest(line.start_times, line.alarm_ids) with ordinality as entry (start_time, alarm_id, place)
      left join alarm on alarm.start_time = entry.start_time and alarm.alarm_id = entry.alarm_id
        and alarm.owner_id = ${ownerId}
      group by line.seq having count(alarm.alarm_id) > 0
    ) as blanked
    where alarm_outbox.seq = blanked.seq`.execute(database);
  await endSnapshotCopies(database, { ownerId });
  await database
    .deleteFrom('alarm_picture')
    .using('alarm')
    .whereRef('alarm.start_time', '=', 'alarm_picture.start_time')
    .whereRef('alarm.alarm_id', '=', 'alarm_picture.alarm_id')
    .where('alarm.owner_id', '=', ownerId)
    .execute();
  await database.deleteFrom('alarm').where('owner_id', '=', ownerId).execute();
}
