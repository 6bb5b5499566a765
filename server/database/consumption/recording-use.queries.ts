// What the recordings of an account's own devices take, as it was measured last.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import { hourOf } from '../statistic/statistic-due.queries.ts';

/** A site is measured several times an hour; one that is away counts with what it said in the last day. */
const MEASURED_WITHIN_MS = 24 * HOUR_MS;

/** Bytes. */
export async function recordingBytes(database: Database, ownerId: string, now: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(used_bytes), 0)::bigint as bytes from (
      select distinct on (channel_id) used_bytes
      from storage_statistic join channel using (channel_id) join device using (device_id)
      where device.owner_id = ${ownerId} and grain = 'hour' and start_time >= ${hourOf(now - MEASURED_WITHIN_MS)}
      order by channel_id, start_time desc) as newest`.execute(database);
  return rows[0]?.bytes ?? 0;
}
