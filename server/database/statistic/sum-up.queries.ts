// Sums hours of statistics into days, and days into months.
import type { Grain, Unit } from '@vedette/rules/statistics/period.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { StatisticTopic } from '../schema/statistic-schema.ts';

interface Summed {
  readonly table: 'device_statistic' | 'alarm_statistic' | 'storage_statistic' | 'traffic_statistic';
  /** What rows are apart by, beside grain and time. */
  readonly keys: readonly string[];
  /** Column and how its parts become the whole. */
  readonly sums: Readonly<Record<string, RawBuilder<unknown>>>;
}

const plus = (column: string): RawBuilder<unknown> => sql`sum(part.${sql.ref(column)})`;
/** Of a stock, not a flow: what it was at the end. */
const last = (column: string): RawBuilder<unknown> =>
  sql`(array_agg(part.${sql.ref(column)} order by part.start_time desc))[1]`;

const SUMMED: Record<StatisticTopic, Summed> = {
  device: {
    table: 'device_statistic',
    keys: ['device_id', 'state'],
    sums: { lasted_ms: plus('lasted_ms'), begun: plus('begun') },
  },
  alarm: {
    table: 'alarm_statistic',
    keys: ['device_id', 'channel_no', 'type', 'owner_id'],
    sums: { raised: plus('raised'), acknowledged: plus('acknowledged'), acknowledge_ms: plus('acknowledge_ms') },
  },
  storage: {
    table: 'storage_statistic',
    keys: ['channel_id'],
    sums: { used_bytes: last('used_bytes'), oldest_at: last('oldest_at') },
  },
  traffic: {
    table: 'traffic_statistic',
    keys: ['device_id', 'channel_no', 'direction', 'account_id'],
    sums: { bytes: plus('bytes') },
  },
};

/** Replaces the given days or months by the sums of their hours or days. A part counts where it begins. */
export async function sumUp(
  database: Database,
  topic: StatisticTopic,
  { grain, units }: { readonly grain: 'day' | 'month'; readonly units: readonly Unit[] },
): Promise<void> {
  const { table, keys, sums } = SUMMED[topic];
  const columns = [...keys, ...Object.keys(sums)].map((name) => sql.ref(name));
  const keyColumns = keys.map((name) => sql`part.${sql.ref(name)}`);
  const starts = units.map((unit) => unit.startTime);
  const ends = units.map((unit) => unit.endTime);
  await sql`
    delete from ${sql.table(table)} where grain = ${grain} and start_time = any(${starts}::bigint[])`.execute(database);
  await sql`
    insert into ${sql.table(table)} (grain, start_time, ${sql.join(columns)})
    select ${grain}::text, unit.start_time, ${sql.join(keyColumns)}, ${sql.join(Object.values(sums))}
    from unnest(${starts}::bigint[], ${ends}::bigint[]) as unit (start_time, end_time)
      join ${sql.table(table)} as part on part.grain = ${grain === 'day' ? 'hour' : 'day'}
        and part.start_time >= unit.start_time and part.start_time < unit.end_time
    group by unit.start_time, ${sql.join(keyColumns)}`.execute(database);
}

/** Months are kept for as long as one may ask for. */
export async function deleteStatisticsBefore(database: Database, grain: Grain, before: number): Promise<void> {
  for (const { table } of Object.values(SUMMED))
    await database.deleteFrom(table).where('grain', '=', grain).where('start_time', '<', before).execute();
}
