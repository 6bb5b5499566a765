// Reads and writes second factors and recovery codes.
import type { SecondFactorRow } from './account-schema.ts';
import type { Database } from './connection.ts';

export function findFactor(database: Database, accountId: string): Promise<SecondFactorRow | undefined> {
  return database.selectFrom('second_factor').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

/** Prepared, not switched on; in place of one that was prepared before. False where one is switched on. */
export async function prepareFactor(
  database: Database,
  accountId: string,
  factor: { method: 'totp' | 'message'; secret: Buffer },
): Promise<boolean> {
  const row = await database
    .insertInto('second_factor')
    .values({ account_id: accountId, ...factor })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ ...factor, last_step: 0 })
        .where('second_factor.is_enabled', '=', false),
    )
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Switches on and gives the account new recovery codes; false where nothing was prepared. */
export async function enableFactor(
  database: Database,
  accountId: string,
  codeHashes: readonly Buffer[],
): Promise<boolean> {
  const row = await database
    .updateTable('second_factor')
    .set({ is_enabled: true })
    .where('account_id', '=', accountId)
    .where('is_enabled', '=', false)
    .returning('account_id')
    .executeTakeFirst();
  if (row === undefined) return false;
  await database.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  await database
    .insertInto('recovery_code')
    .values(codeHashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute();
  return true;
}

export async function removeFactor(database: Database, accountId: string): Promise<void> {
  await database.deleteFrom('second_factor').where('account_id', '=', accountId).execute();
  await database.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
}

/** False where this step or a later one was taken already: a code works once, however many ask at the same time. */
export async function takeStep(database: Database, accountId: string, step: number): Promise<boolean> {
  const row = await database
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function takeRecoveryCode(database: Database, accountId: string, codeHash: Buffer): Promise<boolean> {
  const row = await database
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}
