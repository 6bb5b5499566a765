// Unique keys of an account (user name, e-mail, phone): checked before the write, since PostgreSQL logs the value of a violated
// constraint.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

export interface AccountKeys {
  readonly userName?: string | undefined;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** Another account uses it. */
export class DuplicateAccountKeyError extends Error {
  readonly field: keyof AccountKeys;

  constructor(field: keyof AccountKeys) {
    super(`another account has this ${field}`);
    this.name = 'AccountTaken';
    this.field = field;
  }
}

/** User names are unique whatever their case. */
export function userNameKey(userName: string): string {
  return userName.toLowerCase();
}

/** Within the writing transaction: locks the keys until it ends. Throws AccountTaken. */
export async function claimKeys(database: Database, accountId: string, keys: AccountKeys): Promise<void> {
  const { userName, email, phone } = keys;
  const claims = [
    ...(userName === undefined ? [] : [['userName', 'user_name_key', userNameKey(userName)] as const]),
    ...(email === undefined || email === null ? [] : [['email', 'email', email] as const]),
    ...(phone === undefined || phone === null ? [] : [['phone', 'phone', phone] as const]),
  ];
  // Sorted, so that two transactions never deadlock.
  for (const [, column, value] of claims) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`account ${column} ${value}`}, 0))`.execute(database);
  }
  for (const [field, column, value] of claims) {
    const row = await database
      .selectFrom('account')
      .select('account_id')
      .where(column, '=', value)
      .where('account_id', '!=', accountId)
      .executeTakeFirst();
    if (row !== undefined) throw new DuplicateAccountKeyError(field);
  }
}
