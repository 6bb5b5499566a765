// Hours whose statistics changed and whose days and months must be summed again.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { StatisticTopic } from '../schema/statistic-schema.ts';

export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** In the transaction that stores what changed. */
export async function markDue(database: Database, topic: StatisticTopic, instants: Iterable<number>): Promise<void> {
  const hours = [...new Set(Array.from(instants, hourOf))].toSorted((a, b) => a - b);
  if (hours.length === 0) return;
  // The update locks an existing row: who takes it waits for this commit, and so misses nothing of it.
  await sql`
    insert into statistic_due (topic, start_time) select ${topic}::text, unnest(${hours}::bigint[])
    on conflict (topic, start_time) do update set start_time = excluded.start_time`.execute(database);
}

/** Removes and returns them, ascending; they come back if the transaction fails. */
export async function takeDue(database: Database, topic: StatisticTopic): Promise<number[]> {
  const rows = await database.deleteFrom('statistic_due').where('topic', '=', topic).returning('start_time').execute();
  return rows.map((row) => row.start_time).toSorted((a, b) => a - b);
}

const LOCK = 7_183_240;

/** One transaction counts at a time. Held until it ends. */
export async function lockStatistics(database: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(database);
}
