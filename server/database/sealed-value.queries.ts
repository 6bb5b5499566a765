// Reads and replaces sealed values of any table page by page, for a change of the master key.
import { sql } from 'kysely';
import type { Database } from './connection.ts';

export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  /** The primary key: its values order the pages. */
  readonly key: readonly string[];
}

export type SealedRow = Readonly<Record<string, string | Buffer>> & { readonly sealed: Buffer };

/** False before the migration that brings it: then nothing is in it. */
export async function hasColumn(database: Database, { table, column }: SealedPlace): Promise<boolean> {
  const { rows } = await sql`
    select from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name = ${column}`.execute(database);
  return rows.length > 0;
}

/** The rows after `after` in the order of their keys, without those that hold nothing. */
export async function sealedRows(
  database: Database,
  { table, column, key }: SealedPlace,
  { after, limit }: { readonly after: SealedRow | undefined; readonly limit: number },
): Promise<SealedRow[]> {
  const names = sql.join(key.map((name) => sql.ref(name)));
  const beyond = after === undefined ? sql`true` : sql`(${names}) > (${sql.join(key.map((name) => after[name]))})`;
  const { rows } = await sql<SealedRow>`
    select ${names}, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${beyond}
    order by ${names} limit ${limit} for update`.execute(database);
  return rows;
}

/** All of them in one statement. */
export async function replaceSealed(
  database: Database,
  { table, column, key }: SealedPlace,
  rows: readonly (SealedRow & { readonly resealed: Buffer })[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = key.map((name) => {
    const values = rows.map((row) => row[name]);
    return sql`${values}::${sql.raw(Buffer.isBuffer(values[0]) ? 'bytea' : 'text')}[]`;
  });
  const resealed = sql`${rows.map((row) => row.resealed)}::bytea[]`;
  const names = ['resealed', ...key].map((name) => sql.ref(name));
  const same = key.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`given.${name}`)}`);
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = given.resealed
    from unnest(${sql.join([resealed, ...columns])}) as given(${sql.join(names)})
    where ${sql.join(same, sql` and `)}`.execute(database);
}
