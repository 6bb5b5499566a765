// Fills past days with alarms by SQL, and times pages of the alarm list.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type pg from 'pg';
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import type { Rights } from '../../server/auth/rights.ts';
import { dayOf, makePartition } from '../../server/database/alarm/alarm-partitions.ts';
import { type AlarmFilter, alarmPage } from '../../server/database/alarm/alarm-read.queries.ts';
import type { Database } from '../../server/database/connection.ts';

export interface ManyAlarms {
  readonly ownerId: string;
  /** `storm0` and so on, as insertCameras made them. */
  readonly devices: number;
  readonly rows: number;
  readonly days: number;
  /** The newest is a moment before. */
  readonly now: number;
}

export async function fillAlarms(client: pg.Client, database: Database, many: ManyAlarms): Promise<void> {
  const { ownerId, devices, rows, days, now } = many;
  const from = now - days * DAY_MS;
  for (let day = dayOf(from); day <= dayOf(now); day += 1) await makePartition(database, day);
  await client.query(
    `insert into alarm (start_time, alarm_id, owner_id, device_id, channel_no, type, severity, topic, source, data,
       device_at, end_time, end_reason, repeat_count)
     select at, lpad(to_hex(at), 9, '0') || md5(n::text), $1, 'storm' || (n * 7919 % $2::int), 1,
       ($3::text[])[1 + n * 31 % array_length($3::text[], 1)], n % 4, 'tnsvdt:Alarm/Any', '{"Source":"s"}',
       '{"State":"true"}', at, at + 5000, 'cleared', 0
     from (select n, $4::bigint + (n * ($5::bigint / $6::bigint)) as at from generate_series(0, $6::bigint - 1) n) as one`,
    [ownerId, devices, RAISED_ALARM_TYPE_NAMES, from, days * DAY_MS - 60_000, rows],
  );
  await client.query('vacuum analyze alarm');
  // As the database does by itself within a minute.
  await client.query('analyze');
}

/** Milliseconds of each of the pages, one after the other through the days. */
export async function timePages(
  database: Database,
  rights: Rights,
  asked: { readonly filter: AlarmFilter; readonly rounds: number },
): Promise<number[]> {
  const took: number[] = [];
  let after: { startTime: number; alarmId: string } | null = null;
  for (let round = 0; round < asked.rounds; round += 1) {
    const beganAt = performance.now();
    const rows: Awaited<ReturnType<typeof alarmPage>> = await alarmPage(database, rights, {
      filter: asked.filter,
      after,
      limit: 51,
      isWeb: true,
    });
    took.push(performance.now() - beganAt);
    const last = rows.at(-2);
    if (last === undefined) throw new Error('a page is empty: nothing was measured');
    after = { startTime: last.start_time, alarmId: last.alarm_id };
  }
  return took.toSorted((a, b) => a - b);
}
