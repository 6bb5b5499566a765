// Fills a database with cameras and their statistics by SQL, and asks for them as the calls do.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { periodBefore, periodOf, unitsHolding } from '@vedette/rules/statistics/period.ts';
import type pg from 'pg';
import type { Rights } from '../../server/auth/rights.ts';
import type { Database } from '../../server/database/connection.ts';
import type { StatisticQuestion } from '../../server/features/statistic/statistic-parts.ts';

const TIME_ZONE = 'Europe/Berlin';
export const STATISTIC_OWNER = 'owner';

export interface ManyStatistics {
  readonly cameras: number;
  /** Of each day there is one row for each camera and kind; of each month too. */
  readonly days: number;
  readonly months: number;
  readonly now: number;
}

export async function fillStatistics(client: pg.Client, { cameras, days, months, now }: ManyStatistics): Promise<void> {
  await client.query(
    `insert into account (account_id, user_name, user_name_key, password_hash, user_type, created_at)
     values ($1, $1, $1, '', 2, 0)`,
    [STATISTIC_OWNER],
  );
  await client.query(
    `insert into device (device_id, owner_id, device_serial, device_name, device_type, device_model, device_version,
       manufacturer, driver, address, device_user_name, credentials, is_operator_address, created_at)
     select 'd' || n, $1, 'SN' || n, 'Camera ' || n, 1, '', '', '', 'rtsp', '192.0.2.1', '', '', false, 0
     from generate_series(1, $2::int) as n`,
    [STATISTIC_OWNER, cameras],
  );
  await client.query(
    `insert into channel (channel_id, device_id, channel_no, channel_name)
     select 'c' || device_id, device_id, 1, device_name from device`,
  );
  const instants = (count: number, stepMs: number) =>
    Array.from({ length: count }, (_none, back) => now - back * stepMs).reverse();
  const units = {
    day: unitsHolding('day', instants(days, DAY_MS), TIME_ZONE),
    month: unitsHolding('month', instants(months * 2, 15 * DAY_MS), TIME_ZONE).slice(-months),
  };
  for (const grain of ['day', 'month'] as const) {
    const starts = units[grain].map(({ startTime }) => startTime);
    const each = `device, unnest($2::bigint[]) as start_time`;
    const parameters = [grain, starts];
    await client.query(
      `insert into device_statistic (grain, start_time, device_id, state, lasted_ms, begun)
       select $1, start_time, device_id, state, 40000000, 1 from ${each}, unnest(array['online', 'timeout']) as state`,
      parameters,
    );
    await client.query(
      `insert into alarm_statistic
         (grain, start_time, device_id, channel_no, type, owner_id, raised, acknowledged, acknowledge_ms)
       select $1, start_time, device_id, 1, type, owner_id, 5, 2, 60000
       from ${each}, unnest(array['MotionAlarm', 'HumanShapeDetect', 'VehicleDetect']) as type`,
      parameters,
    );
    await client.query(
      `insert into storage_statistic (grain, start_time, channel_id, used_bytes, oldest_at)
       select $1, start_time, 'c' || device_id, 1000000000, start_time - 86400000 from ${each}`,
      parameters,
    );
    await client.query(
      `insert into traffic_statistic (grain, start_time, device_id, channel_no, direction, account_id, bytes)
       select $1, start_time, device_id, 1, direction, case direction when 'out' then owner_id else '' end, 1000
       from ${each}, unnest(array['in', 'out']) as direction`,
      parameters,
    );
  }
  // As the database does by itself within a minute.
  await client.query('vacuum analyze');
}

/** The last `days` days of everything that the owner has. */
export function statisticQuestion(database: Database, { days, now }: { days: number; now: number }): StatisticQuestion {
  const period = periodOf({ range: 'custom', startTime: now - days * DAY_MS, endTime: now }, now, TIME_ZONE);
  const before = periodBefore(period, TIME_ZONE);
  const subject = { userId: STATISTIC_OWNER, userType: 2 };
  const rights = { subject, grants: [], now } as unknown as Rights;
  const { grain, endTime } = period;
  const window = { grain, startTime: before.endTime, endTime, beforeStart: before.starts[0] ?? 0 };
  return { database, rights, isWeb: true, window, period, before, now, timeZone: TIME_ZONE };
}
