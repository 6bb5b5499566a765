// Fills every sealed column and setting of a database with rows that hold a known secret each.
import type pg from 'pg';
import { SecretBox } from '../../server/core/secret-box.ts';
import { SEALED_COLUMNS, type SealedColumn } from '../../server/master-key/sealed-columns.ts';

interface Column {
  readonly column_name: string;
  readonly data_type: string;
}

export class SealedRows {
  readonly #client: pg.Client;

  /** A connection of a superuser to a database of the test's own: neither constraints nor triggers hold its rows up. */
  constructor(client: pg.Client) {
    this.#client = client;
  }

  async add(masterKey: string, perColumn: number): Promise<void> {
    const box = new SecretBox({ masterKey: Buffer.from(masterKey, 'hex') });
    await this.#client.query('set session_replication_role = replica');
    await this.#dropChecks();
    for (const place of SEALED_COLUMNS) for (let at = 0; at < perColumn; at += 1) await this.#insert(place, box, at);
    await this.#client.query('set session_replication_role = origin');
    const sealed = (boundTo: string) => box.seal(`secret of ${boundTo}`, boundTo).toString('base64');
    await this.#setting('account', {
      config: {},
      secrets: { mailPassword: sealed('setting account mailPassword') },
    });
    await this.#setting('mqtt-in', { sealed: sealed('mqtt-in') });
    await this.#setting('vapid', { publicKey: 'p', sealed: sealed('vapid') });
  }

  /** How many of the values open with each key; a value that does not hold its secret counts for none. */
  async openedBy(keys: readonly string[]): Promise<{ readonly total: number; readonly opened: readonly number[] }> {
    const boxes = keys.map((key) => new SecretBox({ masterKey: Buffer.from(key, 'hex') }));
    const opened = keys.map(() => 0);
    const values = [...(await this.#columnValues()), ...(await this.#settingValues())];
    for (const { sealed, boundTo } of values)
      for (const [at, box] of boxes.entries()) if (opens(box, sealed, boundTo)) opened[at] = (opened[at] ?? 0) + 1;
    return { total: values.length, opened };
  }

  async #insert(place: SealedColumn, box: SecretBox, at: number): Promise<void> {
    const { table, column, key } = place;
    const { rows } = await this.#client.query<Column>(
      `select column_name, data_type from information_schema.columns where table_schema = 'public'
       and table_name = $1 and is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER'`,
      [table],
    );
    const values = new Map<string, unknown>(
      rows.map(({ column_name: name, data_type: type }) => [name, valueOf(type, at)]),
    );
    const [boundTo = ''] = place.boundTo(...key.map((name) => values.get(name) as string | Buffer));
    values.set(column, box.seal(`secret of ${boundTo}`, boundTo));
    const names = [...values.keys()];
    const places = names.map((_, index) => `$${index + 1}`).join();
    const text = `insert into ${table} (${names.join()}) values (${places}) on conflict do nothing`;
    await this.#client.query(text, [...values.values()]);
  }

  async #dropChecks(): Promise<void> {
    const { rows } = await this.#client.query<{ drop: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
       where contype = 'c' and conrelid::regclass::text = any($1)`,
      [SEALED_COLUMNS.map(({ table }) => table)],
    );
    for (const { drop } of rows) await this.#client.query(drop);
  }

  async #setting(name: string, value: unknown): Promise<void> {
    const text = `insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = $2`;
    await this.#client.query(text, [name, JSON.stringify(value)]);
  }

  async #columnValues() {
    const found: { sealed: Buffer; boundTo: string }[] = [];
    for (const { table, column, key, boundTo } of SEALED_COLUMNS) {
      const { rows } = await this.#client.query<Record<string, string | Buffer>>(
        `select ${[...key, column].join()} from ${table} where ${column} is not null`,
      );
      for (const row of rows) {
        const [first = ''] = boundTo(...key.map((name) => row[name] ?? ''));
        found.push({ sealed: row[column] as Buffer, boundTo: first });
      }
    }
    return found;
  }

  async #settingValues() {
    const { rows } = await this.#client.query<{ name: string; value: Record<string, unknown> }>(
      `select name, value from setting where name in ('account', 'mqtt-in', 'vapid')`,
    );
    return rows.map(({ name, value }) => {
      const { mailPassword } = (value['secrets'] ?? {}) as Record<string, string>;
      const boundTo = name === 'account' ? 'setting account mailPassword' : name;
      return { sealed: Buffer.from(String(mailPassword ?? value['sealed']), 'base64'), boundTo };
    });
  }
}

function opens(box: SecretBox, sealed: Buffer, boundTo: string): boolean {
  try {
    return box.open(sealed, boundTo) === `secret of ${boundTo}`;
  } catch {
    return false; // sealed with another key
  }
}

function valueOf(type: string, at: number): unknown {
  const byType: Readonly<Record<string, unknown>> = {
    bytea: Buffer.from(`row ${at}`.padEnd(32, '.')),
    boolean: false,
    jsonb: '{}',
    ARRAY: [],
    text: `row ${at}`,
  };
  return byType[type] ?? at;
}
