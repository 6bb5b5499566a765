// Reads and writes installation settings: one versioned JSON value per name.
import type { Database } from '../connection.ts';

export interface StoredSetting {
  readonly value: unknown;
  readonly version: number;
}

export function readSetting(database: Database, name: string): Promise<StoredSetting | undefined> {
  return database.selectFrom('setting').select(['value', 'version']).where('name', '=', name).executeTakeFirst();
}

/** Waits for a transaction that changes it. */
export function readSettingLocked(database: Database, name: string): Promise<StoredSetting | undefined> {
  return database
    .selectFrom('setting')
    .select(['value', 'version'])
    .where('name', '=', name)
    .forShare()
    .executeTakeFirst();
}

/** Keeps what is there. */
export async function insertSettingIfAbsent(database: Database, name: string, value: unknown): Promise<void> {
  await database
    .insertInto('setting')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

export async function writeSetting(database: Database, name: string, value: unknown): Promise<void> {
  await database
    .insertInto('setting')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((expression) => ({
        value: JSON.stringify(value),
        version: expression('setting.version', '+', 1),
      })),
    )
    .execute();
}

/** Undefined when `version` is not the stored one any more. */
export async function replaceSetting(
  database: Database,
  name: string,
  value: unknown,
  version: number,
): Promise<number | undefined> {
  const row = await database
    .updateTable('setting')
    .set((expression) => ({ value: JSON.stringify(value), version: expression('version', '+', 1) }))
    .where('name', '=', name)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst();
  return row?.version;
}
