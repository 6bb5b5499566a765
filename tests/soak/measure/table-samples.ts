// Rows of every table, and which of them may grow with use.
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import pg from 'pg';
import type { SampleBook } from './sample-book.ts';

/** What is done is written down here, and kept for as long as an operator wants it, or for good. */
export const GROWING_TABLES: ReadonlySet<string> = new Set([
  'alarm',
  'audit_log',
  'audit_chain',
  'device_statistic',
  'alarm_statistic',
  'storage_statistic',
  'traffic_statistic',
  'device_status_change',
  'consumption_day',
  'consumption_entry',
  'migration',
]);

/** Rows that are removed after a time do not level off before it; jobs look for them once in an hour. */
const KEPT_MS: ReadonlyMap<string, number> = new Map([
  // A minute each to be used first, to be idle, and until the server compares.
  ['media_ticket', 4 * MINUTE_MS],
  ['session', DAY_MS + HOUR_MS],
  ['attempt', DAY_MS + 2 * HOUR_MS],
  ['alarm_outbox', 7 * DAY_MS + HOUR_MS],
  ['taken_event', 7 * DAY_MS + HOUR_MS],
  ['revocation', DAY_MS + HOUR_MS],
]);

export function keptHours(table: string): number {
  return (KEPT_MS.get(table) ?? 0) / HOUR_MS;
}

/** The database of a product that started its own. */
export function openDatabase(data: string): pg.Pool {
  const pool = new pg.Pool({ host: join(data, 'run'), user: 'vedette', database: 'vedette', max: 1 });
  // It ends with the product.
  pool.on('error', () => undefined);
  return pool;
}

export async function sampleTables(pool: pg.Pool, book: SampleBook): Promise<void> {
  const tables = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  for (const { name } of tables.rows) book.note(`rows/${name}`, await rowsOf(pool, name));
  const { rows } = await pool.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  book.note('storage/databaseMb', Number(rows[0]?.bytes) / 1_000_000);
}

export async function rowsOf(pool: pg.Pool, table: string, where = 'true'): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from ${pg.escapeIdentifier(table)} where ${where}`,
  );
  return rows[0]?.count ?? 0;
}
