// Seals every secret of the database with another master key, in one transaction: each is readable by the old key or by the new one.
import { readSetting, writeSetting } from '../database/account/setting.queries.ts';
import type { Database } from '../database/connection.ts';
import { hasColumn, replaceSealed, type SealedRow, sealedRows } from '../database/sealed-value.queries.ts';
import { hasOtherServers } from '../database/work-lease.queries.ts';
import { keyIdOf } from './key-id.ts';
import { KEY_SETTING, OtherMasterKey, openEarlier, readKeyRecord, recordOf } from './key-record.ts';
import { type MasterKeys, Resealer } from './resealer.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import { SEALED_SETTINGS } from './sealed-settings.ts';

const PAGE_ROWS = 500;

/** A server is connected, which would go on sealing with the old key. */
export class ServersConnected extends Error {
  override readonly name = 'ServersConnected';
}

export interface Resealed {
  readonly count: number;
  /** Places of values that neither key opens, without the values. */
  readonly unreadable: readonly string[];
}

/** Does nothing where it was done before. Throws ServersConnected, OtherMasterKey. */
export async function resealDatabase(database: Database, keys: MasterKeys): Promise<Resealed> {
  return await database.transaction().execute((transaction) => resealAll(transaction, keys));
}

/** What a change would find: the same, taken back. */
export async function tryReseal(database: Database, keys: MasterKeys): Promise<Resealed> {
  const transaction = await database.startTransaction().execute();
  try {
    return await resealAll(transaction, keys);
  } finally {
    await transaction.rollback().execute();
  }
}

async function resealAll(database: Database, keys: MasterKeys): Promise<Resealed> {
  const resealer = new Resealer(keys);
  const record = await readKeyRecord(database);
  if (record?.keyId === keyIdOf(keys.to)) return resealer;
  if (record !== undefined && record.keyId !== keyIdOf(keys.from))
    throw new OtherMasterKey(record.keyId, keyIdOf(keys.from));
  const earlier = record === undefined ? [] : openEarlier(record, keys.from);
  // First of all: a server that starts from here on waits for the end of this transaction, and finds the next key.
  await writeSetting(database, KEY_SETTING, recordOf(keys.to, [...earlier, keys.from]));
  if (await hasOtherServers(database, '')) throw new ServersConnected();
  for (const place of SEALED_COLUMNS) await resealColumn(database, place, resealer);
  await resealSettings(database, resealer);
  return resealer;
}

async function resealColumn(database: Database, place: SealedColumn, resealer: Resealer): Promise<void> {
  if (!(await hasColumn(database, place))) return;
  let after: SealedRow | undefined;
  do {
    const rows = await sealedRows(database, place, { after, limit: PAGE_ROWS });
    const changed = rows.map((row) => ({ ...row, resealed: resealed(row, place, resealer) }));
    await replaceSealed(
      database,
      place,
      changed.filter((row) => row.resealed !== row.sealed),
    );
    after = rows.at(-1);
  } while (after !== undefined);
}

function resealed(row: SealedRow, place: SealedColumn, resealer: Resealer): Buffer {
  const key = place.key.map((name) => row[name] ?? '');
  const named = key.map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : value)).join(' ');
  return resealer.reseal(row.sealed, place.boundTo(...key), `${place.table}.${place.column} ${named}`);
}

async function resealSettings(database: Database, resealer: Resealer): Promise<void> {
  for (const [name, change] of Object.entries(SEALED_SETTINGS)) {
    const stored = await readSetting(database, name);
    if (stored === undefined) continue;
    const value = change(stored.value as Record<string, unknown>, (sealed, boundTo) =>
      resealer.resealText(sealed, boundTo, `setting ${name}`),
    );
    await writeSetting(database, name, value);
  }
}
