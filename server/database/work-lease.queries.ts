// Reads, takes, renews and gives up work leases over a connection of their own, by the clock of the database.
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from './connection.ts';
import type { WorkLeaseRow } from './schema/work-lease-schema.ts';
import { withRequestDeadline } from './request-deadline.ts';

/** First of the two numbers of the lock that says that a server with an identity is connected. */
export const NODE_LOCKS = 7_183_241;
const LOCK_TIMEOUT = '55P03';
export const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

export interface LeaseLook {
  /** Clock of the database, ms. */
  readonly now: number;
  readonly rows: readonly WorkLeaseRow[];
}

/** A hanging database is given up as in a call, so that the leases can be renewed over a new connection. */
export async function ask<Row extends object>(client: pg.Client, text: string, values: readonly unknown[] = []) {
  return (await withRequestDeadline(() => client.query<Row & pg.QueryResultRow>(text, [...values]))).rows;
}

/** A server whose machine vanished is noticed in 11 s. A lock of a holder that stands still is not waited for longer than a turn. */
export async function prepareLeaseSession(client: pg.Client): Promise<void> {
  await ask(client, 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3');
  await ask(client, `set lock_timeout = '2s'`);
}

/** Whether no other connected server has this identity; from then on, none can get it until the connection ends. */
export async function lockIdentity(client: pg.Client, nodeId: string): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1, hashtext($2)) as locked';
  const [row] = await ask<{ locked: boolean }>(client, text, [NODE_LOCKS, nodeId]);
  return row?.locked === true;
}

/** Whether servers with other identities are connected to the same database. */
export async function hasOtherServers(database: Database, nodeId: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks
    where locktype = 'advisory' and classid = ${NODE_LOCKS}::oid and objsubid = 2 and granted
      and objid::bigint <> (hashtext(${nodeId}::text)::bigint & 4294967295)
      and database = (select oid from pg_database where datname = current_database())`.execute(database);
  return rows.length > 0;
}

export async function addLeases(client: pg.Client, names: readonly string[]): Promise<void> {
  await ask(client, 'insert into work_lease (name) select unnest($1::text[]) on conflict do nothing', [names]);
}

export async function lookAtLeases(client: pg.Client, names: readonly string[]): Promise<LeaseLook> {
  const text = `select name, holder, epoch, until, ${NOW} as now from work_lease where name = any($1::text[])`;
  const rows = await ask<WorkLeaseRow & { now: number }>(client, text, [names]);
  return { now: rows[0]?.now ?? 0, rows };
}

/** The new epoch; null where the lease is not as it was seen any more, or its holder is storing something for long. */
export async function takeLease(
  client: pg.Client,
  { name, epoch, until }: WorkLeaseRow,
  { nodeId, forMs }: { readonly nodeId: string; readonly forMs: number },
): Promise<number | null> {
  const text = `
    with seen as (select name from work_lease where name = $1 and epoch = $2 and until = $3 for update)
    update work_lease set holder = $4, epoch = epoch + 1, until = ${NOW} + $5 from seen
    where work_lease.name = seen.name returning epoch`;
  try {
    const [row] = await ask<{ epoch: number }>(client, text, [name, epoch, until, nodeId, forMs]);
    return row?.epoch ?? null;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_TIMEOUT) return null;
    throw error;
  }
}

/** Names of those that are still held. */
export async function renewLeases(
  client: pg.Client,
  held: ReadonlyMap<string, number>,
  { nodeId, forMs }: { readonly nodeId: string; readonly forMs: number },
): Promise<ReadonlySet<string>> {
  const text = `
    update work_lease set until = ${NOW} + $4 from unnest($1::text[], $2::bigint[]) as own (name, epoch)
    where work_lease.name = own.name and work_lease.epoch = own.epoch and work_lease.holder = $3
    returning work_lease.name`;
  const rows = await ask<{ name: string }>(client, text, [[...held.keys()], [...held.values()], nodeId, forMs]);
  return new Set(rows.map(({ name }) => name));
}

/** Another server may take them at once. */
export async function giveUpLeases(
  client: pg.Client,
  held: ReadonlyMap<string, number>,
  nodeId: string,
): Promise<void> {
  const text = `
    update work_lease set holder = null, until = 0 from unnest($1::text[], $2::bigint[]) as own (name, epoch)
    where work_lease.name = own.name and work_lease.epoch = own.epoch and work_lease.holder = $3`;
  await ask(client, text, [[...held.keys()], [...held.values()], nodeId]);
}
