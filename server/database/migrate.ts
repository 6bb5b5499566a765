// Migrates the database at start: each numbered file once, in order, under one lock.
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { withoutStatementTimeout } from './request-deadline.ts';

/** Arbitrary constant: several servers that start at once wait for each other. */
const LOCK_KEY = 7_183_224;
const FOLDER = new URL('./migrations/', import.meta.url);

export class MigrationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MigrationError';
  }
}

/** Returns the names of the files that ran. A failing file is rolled back. */
export function migrate(pool: pg.Pool): Promise<string[]> {
  return withoutStatementTimeout(() => bringUp(pool));
}

async function bringUp(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    // Building an index over millions of rows takes longer than a call may.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
    );
    const done = await client.query<{ name: string }>('SELECT name FROM migration ORDER BY name');
    const files = listMigrations();
    const pending = pendingMigrations(
      files,
      done.rows.map((row) => row.name),
    );
    for (const name of pending) await runOne(client, name);
    return pending;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]);
    await client.query('RESET statement_timeout');
    client.release();
  }
}

export function listMigrations(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();
}

/** Refuses a database with files unknown to this version: it was used by a newer one. */
function pendingMigrations(files: readonly string[], done: readonly string[]): string[] {
  const unknown = done.filter((name) => !files.includes(name));
  if (unknown.length > 0) {
    throw new MigrationError(`the database was used by a newer version (it knows ${unknown.join(', ')})`);
  }
  return files.filter((name) => !done.includes(name));
}

async function runOne(client: pg.PoolClient, name: string): Promise<void> {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');
  await client.query('BEGIN');
  try {
    await client.query(text);
    await client.query('INSERT INTO migration (name) VALUES ($1)', [name]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
