// Reads and writes two-factor settings and recovery codes.
import type { SecondFactorRow } from '../schema/account-schema.ts';
import type { Database } from '../connection.ts';

export function findTwoFactor(database: Database, accountId: string): Promise<SecondFactorRow | undefined> {
  return database.selectFrom('second_factor').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

/** Prepares it without enabling, replacing an earlier preparation. False if already enabled. */
export async function prepareTwoFactor(
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

export interface RecoveryCodes {
  readonly salt: Buffer;
  readonly hashes: readonly Buffer[];
  readonly madeAt: number;
}

/** Enables it and stores new recovery codes; false if nothing was prepared. */
export async function enableTwoFactor(database: Database, accountId: string, codes: RecoveryCodes): Promise<boolean> {
  const row = await database
    .updateTable('second_factor')
    .set({ is_enabled: true })
    .where('account_id', '=', accountId)
    .where('is_enabled', '=', false)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined && (await replaceRecoveryCodes(database, accountId, codes));
}

/** False if it was not enabled. */
export async function replaceRecoveryCodes(
  database: Database,
  accountId: string,
  { salt, hashes, madeAt }: RecoveryCodes,
): Promise<boolean> {
  const row = await database
    .updateTable('second_factor')
    .set({ recovery_salt: salt, recovery_at: madeAt })
    .where('account_id', '=', accountId)
    .where('is_enabled', '=', true)
    .returning('account_id')
    .executeTakeFirst();
  if (row === undefined) return false;
  await database.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  await database
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute();
  return true;
}

export async function removeTwoFactor(database: Database, accountId: string): Promise<void> {
  await database.deleteFrom('second_factor').where('account_id', '=', accountId).execute();
  await database.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
}

/** False if this or a later step was used: a code works once, also with concurrent requests. */
export async function consumeTotpStep(database: Database, accountId: string, step: number): Promise<boolean> {
  const row = await database
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function consumeRecoveryCode(database: Database, accountId: string, codeHash: Buffer): Promise<boolean> {
  const row = await database
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Accounts whose recovery codes are stored as plain SHA-256. */
export async function accountsWithPlainCodes(database: Database): Promise<string[]> {
  const rows = await database
    .selectFrom('second_factor')
    .select('account_id')
    .where('recovery_salt', 'is', null)
    .execute();
  return rows.map((row) => row.account_id);
}

/** Null if another server was faster. Within a transaction. */
export async function lockPlainCodes(database: Database, accountId: string): Promise<Buffer[] | null> {
  const factor = await database
    .selectFrom('second_factor')
    .select('recovery_salt')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (factor === undefined || factor.recovery_salt !== null) return null;
  const rows = await database
    .selectFrom('recovery_code')
    .select('code_hash')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map((row) => row.code_hash);
}

/** Replaces hashes; codes and their age stay. Within the transaction of `lockPlainCodes`. */
export async function storeHardenedCodes(
  database: Database,
  accountId: string,
  { salt, hashes }: Pick<RecoveryCodes, 'salt' | 'hashes'>,
): Promise<void> {
  await database
    .updateTable('second_factor')
    .set({ recovery_salt: salt })
    .where('account_id', '=', accountId)
    .execute();
  await database.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  if (hashes.length === 0) return;
  await database
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute();
}
