// Daily partitions of the alarm table: created before the first row of a day, dropped whole after retention.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

const NAME = /^alarm_(\d{8})$/;

export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** Days since 1970 UTC that have a partition. */
export async function partitionDays(database: Database): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'alarm'::regclass order by 1`.execute(database);
  return rows.flatMap(({ name }) => {
    const [, text = ''] = NAME.exec(name) ?? [];
    const day = Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`);
    return Number.isNaN(day) ? [] : [dayOf(day)];
  });
}

const MAKE_LOCK = 7_183_230;

/** Safe to run concurrently. */
export async function makePartition(database: Database, day: number): Promise<void> {
  const name = partitionName(day);
  await database.transaction().execute(async (transaction) => {
    // Otherwise two that both found it missing would fail.
    await sql`select pg_advisory_xact_lock(${MAKE_LOCK})`.execute(transaction);
    const { rows } = await sql<{ known: boolean }>`select to_regclass(${name}) is not null as known`.execute(
      transaction,
    );
    if (rows[0]?.known === true) return;
    const [from, to] = [day * DAY_MS, (day + 1) * DAY_MS].map((bound) => sql.lit(bound));
    // Index-only scans need visible pages: vacuum early, even without updates.
    await sql`create table ${sql.table(name)} partition of alarm for values from (${from}) to (${to})
      with (autovacuum_vacuum_insert_threshold = 10000, autovacuum_vacuum_insert_scale_factor = 0)`.execute(
      transaction,
    );
    // Owner and device are correlated: without these statistics a page of one device is planned badly.
    await sql`create statistics ${sql.table(`${name}_owner`)} (dependencies, ndistinct) on owner_id, device_id from ${sql.table(name)}`.execute(
      transaction,
    );
  });
}

/** Returns the number dropped. Alarms that still last are deleted too. */
export async function dropPartitionsBefore(database: Database, firstKept: number): Promise<number> {
  const old = (await partitionDays(database)).filter((day) => day < firstKept);
  for (const day of old) await sql`drop table if exists ${sql.table(partitionName(day))}`.execute(database);
  if (old.length > 0) {
    await database
      .deleteFrom('open_alarm')
      .where('start_time', '<', firstKept * DAY_MS)
      .execute();
  }
  return old.length;
}

function partitionName(day: number): string {
  return `alarm_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
}
