// Profile of the signed-in account: what it reads and may change of itself.
import type { Profile } from '@vedette/contract/calls/account.ts';
import { usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import type { AttemptLimiter } from '../../auth/attempt-limiter.ts';
import { askerOf, withNameEnumerationLimit } from '../../auth/name-enumeration-limit.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError, refuseBadFields } from '../../core/call-error.ts';
import { findAccount, type ProfileChange, updateProfile } from '../../database/account/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { AccountRow } from '../../database/schema/schema.ts';
import { findTwoFactor } from '../../database/account/two-factor.queries.ts';

export async function profileOf(database: Database, row: AccountRow): Promise<Profile> {
  const factor = await findTwoFactor(database, row.account_id);
  return {
    userId: row.account_id,
    userName: row.user_name,
    userType: row.user_type,
    avatar: row.avatar,
    phone: row.phone ?? '',
    email: row.email ?? '',
    secondFactor: factor?.is_enabled === true ? factor.method : null,
    privacyTime: row.privacy_time,
    language: row.language,
    theme: row.theme,
    menuOrder: row.menu_order,
    homeLayout: row.home_layout,
    homePage: row.home_page,
    homeCameras: row.home_cameras,
    dateOrder: row.date_order,
    clockHours: row.clock_hours,
    version: row.version,
  };
}

export interface ProfileDeps {
  readonly database: Database;
  readonly attempts: AttemptLimiter;
}

/** Throws 1005, 1010 with the newer profile, 1016 where the name is taken. */
export async function changeProfile(
  { database, attempts }: ProfileDeps,
  principal: Pick<Principal, 'userId' | 'ownerId'>,
  input: ProfileChange & { readonly version?: number | undefined },
): Promise<Profile> {
  const { version, ...change } = input;
  const accountId = principal.userId;
  if (change.userName !== undefined) refuseBadFields({ userName: usernameProblem(change.userName) });
  const write = () =>
    database.transaction().execute((transaction) => updateProfile(transaction, accountId, change, version));
  const asker = { askerId: askerOf(principal), field: 'userName' };
  const row = change.userName === undefined ? await write() : await withNameEnumerationLimit(attempts, asker, write);
  if (row !== undefined) return await profileOf(database, row);
  const newer = await findAccount(database, accountId);
  throw new CallError('stale', newer === undefined ? null : await profileOf(database, newer));
}
