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

/**
 * First line of a migration that an older server works with: new tables, new columns that may be null or have a default, indexes. Such
 * a server accepts the database that a newer one has brought up, so that an upgrade can be taken back.
 */
const ADDITIVE = '-- additive';

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
    await client.query('ALTER TABLE migration ADD COLUMN IF NOT EXISTS is_additive boolean NOT NULL DEFAULT false');
    const files = listMigrations();
    // Done by a version that did not write it down yet.
    await client.query('UPDATE migration SET is_additive = true WHERE NOT is_additive AND name = ANY($1)', [
      files.filter((name) => isAdditive(read(name))),
    ]);
    const { rows } = await client.query<MigrationRow>('SELECT name, is_additive FROM migration ORDER BY name');
    const pending = pendingMigrations(files, rows);
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

interface MigrationRow {
  readonly name: string;
  readonly is_additive: boolean;
}

/** Refuses a database that a newer version has changed in a way that this one does not know. */
function pendingMigrations(files: readonly string[], done: readonly MigrationRow[]): string[] {
  const unknown = done.filter((row) => !files.includes(row.name) && !row.is_additive).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new MigrationError(`the database was used by a newer version (it knows ${unknown.join(', ')})`);
  }
  const names = done.map(({ name }) => name);
  return files.filter((name) => !names.includes(name));
}

async function runOne(client: pg.PoolClient, name: string): Promise<void> {
  const text = read(name);
  await client.query('BEGIN');
  try {
    await client.query(text);
    await client.query('INSERT INTO migration (name, is_additive) VALUES ($1, $2)', [name, isAdditive(text)]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

function read(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

export function isAdditive(text: string): boolean {
  return text.startsWith(`${ADDITIVE}\n`);
}
