// Counts the hours of statistics from what is stored: the status of devices from its history, alarms from their rows.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import { hourOf } from './statistic-due.queries.ts';

/** The hour that was counted last; null before the first. */
export async function lastCountedHour(database: Database): Promise<number | null> {
  const row = await database
    .selectFrom('device_statistic')
    .select((select) => select.fn.max('start_time').as('hour'))
    .where('grain', '=', 'hour')
    .executeTakeFirst();
  return row?.hour ?? null;
}

/** Counts the hours from the one of `from` to the current one anew. */
export async function countDeviceHours(database: Database, from: number, now: number): Promise<void> {
  const first = hourOf(from);
  await database
    .deleteFrom('device_statistic')
    .where('grain', '=', 'hour')
    .where('start_time', '>=', first)
    .where('start_time', '<=', hourOf(now))
    .execute();
  await sql`
    with span as (
      select device_id, at as from_at, least(coalesce(lead(at) over (partition by device_id order by at), ${now}), ${now}) as to_at,
        case status when 1 then 'online' when 0 then coalesce(reason, '') else 'unknown' end as state
      from device_status_change
    ), hour as (
      select start_time, start_time + ${HOUR_MS}::bigint as end_time
      from generate_series(${first}::bigint, ${now}::bigint, ${HOUR_MS}::bigint) as start_time
    )
    insert into device_statistic (grain, start_time, device_id, state, lasted_ms, begun)
    select 'hour', hour.start_time, device_id, state,
      sum(least(to_at, end_time) - greatest(from_at, hour.start_time)), count(*) filter (where from_at >= hour.start_time)
    from span join hour on from_at < end_time and to_at > hour.start_time
    group by hour.start_time, device_id, state`.execute(database);
}

/** Of each device the newest change before stays: it says what the device was at the start of what is kept. */
export async function deleteStatusChangesBefore(database: Database, before: number): Promise<void> {
  await sql`
    delete from device_status_change as old where at < ${before} and exists (
      select from device_status_change as newer
      where newer.device_id = old.device_id and newer.at > old.at and newer.at <= ${before})`.execute(database);
}

/** Hours with alarms that changed after the number, or with any alarm where it is undefined; with the newest number. */
export async function changedAlarmHours(
  database: Database,
  after: number | undefined,
): Promise<{ readonly hours: number[]; readonly newest: number }> {
  const newest = sql<{ seq: number | null }>`select max(seq) as seq from alarm_outbox`;
  const seq = (await newest.execute(database)).rows[0]?.seq ?? 0;
  const times =
    after === undefined
      ? sql`select start_time as at from alarm`
      : sql`select unnest(start_times) as at from alarm_outbox where seq > ${after} and seq <= ${seq}`;
  const { rows } = await sql<{ hour: number }>`
    select distinct at - at % ${HOUR_MS}::bigint as hour from (${times}) as changed order by 1`.execute(database);
  return { hours: rows.map(({ hour }) => hour), newest: seq };
}

/** Counts these hours anew. Alarms of the installation, and of devices that were deleted, are left out. */
export async function countAlarmHours(database: Database, hours: readonly number[]): Promise<void> {
  if (hours.length === 0) return;
  await database.deleteFrom('alarm_statistic').where('grain', '=', 'hour').where('start_time', 'in', hours).execute();
  await sql`
    insert into alarm_statistic
      (grain, start_time, device_id, channel_no, type, owner_id, raised, acknowledged, acknowledge_ms)
    select 'hour', hour, device_id, channel_no, type, alarm.owner_id, count(*), count(acknowledged_at),
      coalesce(sum(greatest(acknowledged_at - alarm.start_time, 0)), 0)
    from unnest(${[...hours]}::bigint[]) as hour
      join alarm on alarm.start_time >= hour and alarm.start_time < hour + ${HOUR_MS}::bigint
      join device using (device_id)
    group by hour, device_id, channel_no, type, alarm.owner_id`.execute(database);
}
