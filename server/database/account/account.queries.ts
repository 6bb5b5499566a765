// Reads and writes the account table.
import { claimKeys, userNameKey } from './account-keys.ts';
import type { ClockHours, DateOrder, HomePage } from '@vedette/contract/enumerations.ts';
import type { Database } from '../connection.ts';
import type { HomeCamera } from '../schema/account-schema.ts';
import type { AccountRow } from '../schema/schema.ts';

export interface NewAccount {
  readonly accountId: string;
  readonly userName: string;
  readonly passwordHash: string;
  /** False: nobody knows it; absent: true. */
  readonly hasPassword?: boolean;
  readonly userType: number;
  readonly ownerId: string | null;
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly phone?: string | null;
  readonly email?: string | null;
  readonly language?: number | null;
  readonly privacyTime?: number;
}

/** Those of the ids that no account has. */
export async function missingAccounts(database: Database, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (ids.size === 0) return new Set();
  const found = await database
    .selectFrom('account')
    .select('account_id')
    .where('account_id', 'in', [...ids])
    .execute();
  const known = new Set(found.map(({ account_id: id }) => id));
  return new Set([...ids].filter((id) => !known.has(id)));
}

/** Within a transaction. Throws AccountTaken. */
export async function insertAccount(database: Database, account: NewAccount): Promise<void> {
  await claimKeys(database, account.accountId, account);
  await database
    .insertInto('account')
    .values({
      account_id: account.accountId,
      user_name: account.userName,
      user_name_key: userNameKey(account.userName),
      password_hash: account.passwordHash,
      has_password: account.hasPassword ?? true,
      user_type: account.userType,
      owner_id: account.ownerId,
      created_by: account.createdBy,
      created_at: account.createdAt,
      phone: account.phone ?? null,
      email: account.email ?? null,
      language: account.language ?? null,
      privacy_time: account.privacyTime ?? 0,
    })
    .execute();
}

export function findAccount(database: Database, accountId: string): Promise<AccountRow | undefined> {
  return database.selectFrom('account').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

/** By user name, phone or e-mail. */
export function findAccountByLogin(database: Database, login: string): Promise<AccountRow | undefined> {
  return database
    .selectFrom('account')
    .selectAll()
    .where((where) =>
      where.or([
        where('user_name_key', '=', userNameKey(login)),
        where('phone', '=', login),
        where('email', '=', login.toLowerCase()),
      ]),
    )
    .executeTakeFirst();
}

export async function hasAccounts(database: Database): Promise<boolean> {
  const row = await database.selectFrom('account').select('account_id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Accounts below one: all others for the operator, else the own sub-accounts. */
export function accountsBelow(database: Database, below: { accountId: string; isOperator: boolean }) {
  const query = database.selectFrom('account').where('account_id', '!=', below.accountId);
  return below.isOperator ? query : query.where('owner_id', '=', below.accountId);
}

export interface ProfileChange {
  readonly userName?: string | undefined;
  readonly language?: number | undefined;
  readonly theme?: string | undefined;
  readonly menuOrder?: readonly string[] | undefined;
  readonly homeLayout?: string | undefined;
  readonly homePage?: HomePage | undefined;
  readonly homeCameras?: readonly HomeCamera[] | undefined;
  readonly dateOrder?: DateOrder | null | undefined;
  readonly clockHours?: ClockHours | null | undefined;
  readonly avatar?: string | undefined;
  readonly privacyTime?: number | undefined;
}

/** What the account wants first, and how its home page is laid out. */
function homeColumns({ menuOrder, homeLayout, homePage, homeCameras }: ProfileChange) {
  return {
    ...(menuOrder !== undefined && { menu_order: JSON.stringify(menuOrder) }),
    ...(homeLayout !== undefined && { home_layout: homeLayout }),
    ...(homePage !== undefined && { home_page: homePage }),
    ...(homeCameras !== undefined && { home_cameras: JSON.stringify(homeCameras) }),
  };
}

/** Undefined when `version` is not the stored one any more. Within a transaction. Throws AccountTaken. */
export async function updateProfile(
  database: Database,
  accountId: string,
  change: ProfileChange,
  version: number | undefined,
): Promise<AccountRow | undefined> {
  await claimKeys(database, accountId, { userName: change.userName });
  let query = database
    .updateTable('account')
    .set((expression) => ({
      version: expression('version', '+', 1),
      ...(change.userName !== undefined && {
        user_name: change.userName,
        user_name_key: userNameKey(change.userName),
      }),
      ...(change.language !== undefined && { language: change.language }),
      ...(change.theme !== undefined && { theme: change.theme }),
      ...homeColumns(change),
      ...(change.dateOrder !== undefined && { date_order: change.dateOrder }),
      ...(change.clockHours !== undefined && { clock_hours: change.clockHours }),
      ...(change.avatar !== undefined && { avatar: change.avatar }),
      ...(change.privacyTime !== undefined && { privacy_time: change.privacyTime }),
    }))
    .where('account_id', '=', accountId)
    .returningAll();
  if (version !== undefined) query = query.where('version', '=', version);
  return await query.executeTakeFirst();
}

export async function setPasswordHash(database: Database, accountId: string, passwordHash: string): Promise<void> {
  await database
    .updateTable('account')
    .set({ password_hash: passwordHash, has_password: true })
    .where('account_id', '=', accountId)
    .execute();
}

export async function setEnabled(database: Database, accountId: string, isEnabled: boolean): Promise<void> {
  await database.updateTable('account').set({ is_enabled: isEnabled }).where('account_id', '=', accountId).execute();
}

export async function deleteAccount(database: Database, accountId: string): Promise<void> {
  await database.deleteFrom('account').where('account_id', '=', accountId).execute();
}

/** The enabled account that exists longest. */
export function firstOperator(database: Database): Promise<Pick<AccountRow, 'account_id'> | undefined> {
  return database
    .selectFrom('account')
    .select('account_id')
    .where('user_type', '=', 0)
    .where('is_enabled', '=', true)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}

/** Enabled operators beside one: the last of them may be neither removed nor disabled. */
export async function countOtherOperators(database: Database, accountId: string): Promise<number> {
  const row = await database
    .selectFrom('account')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('user_type', '=', 0)
    .where('is_enabled', '=', true)
    .where('account_id', '!=', accountId)
    .executeTakeFirstOrThrow();
  return row.total;
}

/** By e-mail or phone alone. */
export function findAccountByContact(database: Database, contact: Contact): Promise<AccountRow | undefined> {
  return database.selectFrom('account').selectAll().where(contact.kind, '=', contact.value).executeTakeFirst();
}

/** Contact for codes, in stored form. */
export interface Contact {
  readonly kind: 'email' | 'phone';
  readonly value: string;
}

/** Null deletes it. Within a transaction. Throws AccountTaken. */
export async function setContact(
  database: Database,
  accountId: string,
  kind: Contact['kind'],
  value: string | null,
): Promise<AccountRow | undefined> {
  await claimKeys(database, accountId, { [kind]: value });
  return await database
    .updateTable('account')
    .set((expression) => ({ [kind]: value, version: expression('version', '+', 1) }))
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst();
}
