// Which account a user of an identity provider is: the linked one, one with the same verified address, or a new one.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { emailProblem } from '@vedette/rules/validation/account-fields.ts';
import type { PasswordHasher } from '../../auth/password-hash.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import {
  type RoleAssignment,
  rewriteRoleGrants,
  roleAssignmentsOf,
  setRoleAssignment,
} from '../../database/access/role-assignment.queries.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';
import { claimKeys, DuplicateAccountKeyError } from '../../database/account/account-keys.ts';
import { findAccount, findAccountByContact, insertAccount } from '../../database/account/account.queries.ts';
import {
  findIdentityLink,
  identityLinksOf,
  insertIdentityLink,
  lockIdentity,
  noteIdentityUse,
} from '../../database/account/identity-link.queries.ts';
import { findTwoFactor } from '../../database/account/two-factor.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { IdentityLinkRow, IdentityProviderRow } from '../../database/schema/identity-schema.ts';
import type { AccountRow } from '../../database/schema/schema.ts';
import { reserveQuota } from '../../quota/reserve-quota.ts';
import { identityFailure } from './identity-failure.ts';
import type { Claims } from './identity-protocol.ts';
import { proposedUserName, userLabel } from './user-name.ts';

/** Names that are tried before a random one. */
const NAME_ATTEMPTS = 20;

export interface ArrivedUser {
  readonly provider: IdentityProviderRow;
  readonly claims: Claims;
  /** What the mapping gives. */
  readonly rights: RoleAssignment;
  readonly now: number;
}

export interface IdentityAccountsDeps {
  readonly database: Database;
  readonly hasher: PasswordHasher;
}

/** Throws 1011 where no sub-account may be added, 1044, 2031. */
export async function accountOfUser(
  { database, hasher }: IdentityAccountsDeps,
  user: ArrivedUser,
): Promise<AccountRow> {
  // Of a secret that nobody has; outside the transaction, since it takes long.
  const passwordHash = user.provider.creates_accounts ? await hasher.hash(newSecret()) : '';
  return await database.transaction().execute(async (transaction) => {
    const identity = identityOf(user.claims);
    await lockIdentity(transaction, identity);
    const link = await findIdentityLink(transaction, identity);
    if (link === undefined) return await linkedNow(transaction, user, passwordHash);
    const account = requireFound(await findAccount(transaction, link.account_id), 'notFound');
    if (!account.is_enabled) throw new CallError('userLocked', { reason: 'disabled' });
    await noteIdentityUse(transaction, identity, { userLabel: userLabel(user.claims), now: user.now });
    // Whoever belongs to another owner by now is not the provider's any more.
    if (link.is_managed && account.owner_id === user.provider.owner_id) await followMapping(transaction, account, user);
    return account;
  });
}

/** Links the signed-in account, by its own wish. Throws 1016, 1044. */
export async function linkAccount(
  database: Database,
  accountId: string,
  user: Omit<ArrivedUser, 'rights'>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const identity = identityOf(user.claims);
    await lockIdentity(transaction, identity);
    const known = await findIdentityLink(transaction, identity);
    if (known?.account_id === accountId) return;
    if (known !== undefined) throw identityFailure('identityOtherLink');
    await refuseSecondLink(transaction, accountId, user.provider);
    await insertLink(transaction, user, { accountId, isManaged: false });
  });
}

export function identityOf({ iss, sub }: Claims): { readonly issuer: string; readonly subject: string } {
  return { issuer: iss, subject: sub };
}

async function linkedNow(transaction: Database, user: ArrivedUser, passwordHash: string): Promise<AccountRow> {
  const known = await accountByEmail(transaction, user);
  if (known !== undefined) {
    await insertLink(transaction, user, { accountId: known.account_id, isManaged: false });
    return known;
  }
  if (!user.provider.creates_accounts) throw identityFailure('identityNoAccount');
  const account = await newAccount(transaction, user, passwordHash);
  await insertLink(transaction, user, { accountId: account.account_id, isManaged: true });
  return account;
}

/**
 * Undefined where nobody has that address, or it does not count. An operator, and an account with a second factor of its own, is linked
 * by itself alone: an address at a provider is less than what protects them. Throws 1044, 2031.
 */
async function accountByEmail(
  transaction: Database,
  { provider, claims }: ArrivedUser,
): Promise<AccountRow | undefined> {
  const email = provider.links_by_email ? verifiedEmail(claims) : null;
  if (email === null) return undefined;
  const account = await findAccountByContact(transaction, { kind: 'email', value: email });
  if (account === undefined) return undefined;
  if (account.user_type === USER_TYPE.super) throw identityFailure('identityNotLinked');
  // A directory proves the password alone, and the second factor is asked for behind it.
  const factor = provider.directory === null ? await findTwoFactor(transaction, account.account_id) : undefined;
  if (factor?.is_enabled === true) throw identityFailure('identityNotLinked');
  await refuseSecondLink(transaction, account.account_id, provider);
  if (!account.is_enabled) throw new CallError('userLocked', { reason: 'disabled' });
  return account;
}

/** In stored form. Some providers write "true" as a text; whatever else they write does not count. */
function verifiedEmail({ email, email_verified: isVerified }: Claims): string | null {
  const counts = isVerified === true || isVerified === 'true';
  return counts && typeof email === 'string' && emailProblem(email) === null ? email.toLowerCase() : null;
}

/** Another user of the provider is the account already. */
async function refuseSecondLink(
  transaction: Database,
  accountId: string,
  { provider_id: providerId }: IdentityProviderRow,
): Promise<void> {
  const links = await identityLinksOf(transaction, accountId);
  if (links.some((link) => link.provider_id === providerId)) throw identityFailure('identityOtherLink');
}

/** Without the address that the provider told: codes sent there would let somebody in whom the provider does not know any more. */
async function newAccount(transaction: Database, user: ArrivedUser, passwordHash: string): Promise<AccountRow> {
  const { provider, claims, rights, now } = user;
  await reserveQuota(transaction, { accountId: provider.owner_id, now, take: { subAccounts: 1 } });
  const accountId = newId();
  const userName = await freeUserName(transaction, claims, accountId);
  await insertAccount(transaction, {
    accountId,
    userName,
    passwordHash,
    hasPassword: false,
    userType: USER_TYPE.sub,
    ownerId: provider.owner_id,
    createdBy: null,
    createdAt: now,
  });
  await setRoleAssignment(transaction, accountId, rights);
  await rewriteRoleGrants(transaction, [accountId]);
  return requireFound(await findAccount(transaction, accountId), 'notFound');
}

async function freeUserName(transaction: Database, claims: Claims, accountId: string): Promise<string> {
  for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt += 1) {
    const name = proposedUserName(claims, attempt);
    try {
      await claimKeys(transaction, accountId, { userName: name });
      return name;
    } catch (error) {
      if (!(error instanceof DuplicateAccountKeyError)) throw error;
    }
  }
  return `user_${accountId.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 15)}`;
}

/** What changed at the provider holds here from the next sign-in on; who watches by a right that is gone is cut off. */
async function followMapping(transaction: Database, account: AccountRow, { rights, now }: ArrivedUser): Promise<void> {
  const accountId = account.account_id;
  const held = (await roleAssignmentsOf(transaction, [accountId])).get(accountId);
  const isSame =
    held !== undefined &&
    isEqual(held.roleIds, rights.roleIds) &&
    isEqual(held.organizationIds, rights.organizationIds);
  if (isSame) return;
  await setRoleAssignment(transaction, accountId, rights);
  await rewriteRoleGrants(transaction, [accountId]);
  await insertRevocations(transaction, now, [
    { accountId, sessionId: null, deviceSerial: null, reason: 'account' as const },
  ]);
}

/** What the directory says of a user now, without a sign-in. */
export async function followMappingOf(database: Database, link: IdentityLinkRow, user: ArrivedUser): Promise<void> {
  if (!link.is_managed) return;
  await database.transaction().execute(async (transaction) => {
    await lockIdentity(transaction, link);
    const account = await findAccount(transaction, link.account_id);
    if (account?.owner_id === user.provider.owner_id) await followMapping(transaction, account, user);
  });
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

async function insertLink(
  transaction: Database,
  { provider, claims, now }: Omit<ArrivedUser, 'rights'>,
  { accountId, isManaged }: { readonly accountId: string; readonly isManaged: boolean },
): Promise<void> {
  const { issuer, subject } = identityOf(claims);
  await insertIdentityLink(transaction, {
    issuer,
    subject,
    provider_id: provider.provider_id,
    account_id: accountId,
    is_managed: isManaged,
    user_label: userLabel(claims),
    created_at: now,
    last_used_at: now,
    gone_at: null,
  });
}
