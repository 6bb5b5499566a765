// What the operator is shown of the database and from it: connections, size, deliveries of an hour, firmware by model.
import { sql } from 'kysely';
import type { Database } from './connection.ts';

export interface DatabaseFacts {
  readonly version: string;
  readonly connections: number;
  readonly connectionsMost: number;
  readonly bytes: number;
}

export async function databaseFacts(database: Database): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`select
    current_setting('server_version') as version,
    (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
    current_setting('max_connections')::bigint as "connectionsMost",
    pg_database_size(current_database()) as bytes`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('the database says nothing of itself');
  return row;
}

/** Of rules' messages and actions that ended since. */
export async function deliveryCounts(
  database: Database,
  since: number,
): Promise<{ delivered: number; failed: number }> {
  const rows = await database
    .selectFrom('alarm_delivery')
    .select(['state', ({ fn }) => fn.countAll<number>().as('total')])
    .where('done_at', '>=', since)
    .where('state', 'in', ['done', 'failed'])
    .groupBy('state')
    .execute();
  const count = (state: 'done' | 'failed'): number => Number(rows.find((row) => row.state === state)?.total ?? 0);
  return { delivered: count('done'), failed: count('failed') };
}

const FIRMWARE_MOST = 200;

export async function firmwareByModel(database: Database) {
  const rows = await database
    .selectFrom('device')
    .select(['device_model', 'device_version', 'driver', ({ fn }) => fn.countAll<number>().as('total')])
    .groupBy(['device_model', 'device_version', 'driver'])
    .orderBy('total', 'desc')
    .orderBy('device_model')
    .orderBy('device_version')
    .limit(FIRMWARE_MOST)
    .execute();
  return rows.map(({ device_model: deviceModel, device_version: deviceVersion, driver, total }) => ({
    deviceModel,
    deviceVersion,
    driver,
    total: Number(total),
  }));
}
