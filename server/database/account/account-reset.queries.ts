// Reads and writes password and 2FA resets by other accounts: times, links, notices, and how long video stays closed.
import type { AccountNoticeTable } from '../schema/account-schema.ts';
import type { Database } from '../connection.ts';

/** By a recovery code made at `codesFrom`: only codes older than the reset reopen video. */
export async function openVideo(database: Database, accountId: string, codesFrom: number): Promise<void> {
  await database
    .updateTable('account')
    .set({ video_closed_until: 0 })
    .where('account_id', '=', accountId)
    .where('password_reset_at', '>', codesFrom)
    .execute();
}

export async function videoClosedUntil(database: Database, accountId: string): Promise<number> {
  const row = await database
    .selectFrom('account')
    .select('video_closed_until')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.video_closed_until ?? 0;
}

export interface ResetMark {
  readonly password_reset_at?: number;
  readonly factor_reset_at?: number;
  readonly video_closed_until?: number;
}

export async function markReset(database: Database, accountId: string, mark: ResetMark): Promise<void> {
  await database.updateTable('account').set(mark).where('account_id', '=', accountId).execute();
}

export async function insertNotice(
  database: Database,
  notice: Omit<AccountNoticeTable, 'confirmed_at'>,
): Promise<void> {
  await database.insertInto('account_notice').values(notice).execute();
}

export function openNotices(database: Database, accountId: string) {
  return database
    .selectFrom('account_notice')
    .select(['notice_id', 'kind', 'by_name', 'at'])
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .orderBy('at')
    .execute();
}

/** False where there is no such notice, or it was confirmed before. */
export async function confirmNotice(
  database: Database,
  accountId: string,
  noticeId: string,
  now: number,
): Promise<boolean> {
  const row = await database
    .updateTable('account_notice')
    .set({ confirmed_at: now })
    .where('account_id', '=', accountId)
    .where('notice_id', '=', noticeId)
    .where('confirmed_at', 'is', null)
    .returning('notice_id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface ResetLink {
  readonly account_id: string;
  readonly token_hash: Buffer;
  readonly closes_video: boolean;
  readonly by_name: string;
  readonly expires_at: number;
}

/** Replaces an earlier one. */
export async function storeResetLink(database: Database, link: ResetLink): Promise<void> {
  const { account_id: _account, ...rest } = link;
  await database
    .insertInto('password_reset')
    .values(link)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(rest))
    .execute();
}

export function findResetLink(database: Database, tokenHash: Buffer, now: number) {
  return database
    .selectFrom('password_reset')
    .innerJoin('account', 'account.account_id', 'password_reset.account_id')
    .selectAll('password_reset')
    .select(['account.user_name', 'account.is_enabled'])
    .where('password_reset.token_hash', '=', tokenHash)
    .where('password_reset.expires_at', '>', now)
    .executeTakeFirst();
}

/** True for exactly one of concurrent callers. */
export async function useResetLink(database: Database, tokenHash: Buffer): Promise<boolean> {
  const row = await database
    .deleteFrom('password_reset')
    .where('token_hash', '=', tokenHash)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Any other change of the password voids the link. */
export async function dropResetLink(database: Database, accountId: string): Promise<void> {
  await database.deleteFrom('password_reset').where('account_id', '=', accountId).execute();
}
