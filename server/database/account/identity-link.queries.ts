// Reads and writes which user of an identity provider is which account.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { IdentityLinkRow } from '../schema/identity-schema.ts';
import { endedAt } from './session.queries.ts';

export interface IdentityUser {
  readonly issuer: string;
  readonly subject: string;
}

/** Within a transaction: two first sign-ins of one user make one account. */
export async function lockIdentity(database: Database, { issuer, subject }: IdentityUser): Promise<void> {
  const key = JSON.stringify(['identity', issuer, subject]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(database);
}

export async function findIdentityLink(
  database: Database,
  { issuer, subject }: IdentityUser,
): Promise<IdentityLinkRow | undefined> {
  return await database
    .selectFrom('identity_link')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** With the names of their providers. */
export async function identityLinksOf(database: Database, accountId: string) {
  return await database
    .selectFrom('identity_link')
    .innerJoin('identity_provider', 'identity_provider.provider_id', 'identity_link.provider_id')
    .selectAll('identity_link')
    .select(['identity_provider.provider_name', 'identity_provider.is_enabled'])
    .where('account_id', '=', accountId)
    .orderBy('identity_link.created_at')
    .execute();
}

export async function insertIdentityLink(database: Database, link: IdentityLinkRow): Promise<void> {
  await database.insertInto('identity_link').values(link).execute();
}

export async function noteIdentityUse(
  database: Database,
  { issuer, subject }: IdentityUser,
  use: { readonly userLabel: string; readonly now: number },
): Promise<void> {
  await database
    .updateTable('identity_link')
    .set({ user_label: use.userLabel, last_used_at: use.now, gone_at: null })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
}

/** False where there is none. */
export async function deleteIdentityLink(
  database: Database,
  which: { readonly accountId: string; readonly providerId: string },
): Promise<boolean> {
  const row = await database
    .deleteFrom('identity_link')
    .where('account_id', '=', which.accountId)
    .where('provider_id', '=', which.providerId)
    .returning('subject')
    .executeTakeFirst();
  return row !== undefined;
}

/** The provider of OpenID Connect that stands for the password of an account that has none; undefined for every other account. */
export async function proofProviderOf(
  database: Database,
  accountId: string,
): Promise<{ readonly provider_id: string; readonly provider_name: string } | undefined> {
  return await database
    .selectFrom('account')
    .innerJoin('identity_link', 'identity_link.account_id', 'account.account_id')
    .innerJoin('identity_provider', 'identity_provider.provider_id', 'identity_link.provider_id')
    .select(['identity_provider.provider_id', 'identity_provider.provider_name'])
    .where('account.account_id', '=', accountId)
    .where('account.has_password', '=', false)
    .where('identity_provider.is_enabled', '=', true)
    .where('identity_provider.directory', 'is', null)
    .orderBy('identity_link.created_at')
    .limit(1)
    .executeTakeFirst();
}

/** By provider the subject of the account there. */
export async function directoryLinksOf(database: Database, accountId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await database
    .selectFrom('identity_link')
    .innerJoin('identity_provider', 'identity_provider.provider_id', 'identity_link.provider_id')
    .select(['identity_link.provider_id', 'identity_link.subject'])
    .where('account_id', '=', accountId)
    .where('identity_provider.directory', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.provider_id, row.subject]));
}

/** Users of a directory who are not known to be gone, by their subjects, after one of them. */
export async function directoryLinksAfter(
  database: Database,
  which: { readonly providerId: string; readonly subject: string; readonly most: number },
): Promise<IdentityLinkRow[]> {
  return await database
    .selectFrom('identity_link')
    .selectAll()
    .where('provider_id', '=', which.providerId)
    .where('gone_at', 'is', null)
    .where('subject', '>', which.subject)
    .orderBy('subject')
    .limit(which.most)
    .execute();
}

/** False where it was known already, or the link is not there any more. */
export async function noteGone(database: Database, { issuer, subject }: IdentityUser, now: number): Promise<boolean> {
  const row = await database
    .updateTable('identity_link')
    .set({ gone_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('gone_at', 'is', null)
    .returning('subject')
    .executeTakeFirst();
  return row !== undefined;
}

/** Of all accounts that the provider signs in, but for one session; whoever came in by a password too signs in again by it. */
export async function endLinkedSessions(
  database: Database,
  which: { readonly providerId: string; readonly except: string },
  now: number,
): Promise<{ readonly account_id: string; readonly session_id: string }[]> {
  return await database
    .updateTable('session')
    .set({ end_code: 1001, expires_at: endedAt(now) })
    .where('account_id', 'in', (select) =>
      select.selectFrom('identity_link').select('account_id').where('provider_id', '=', which.providerId),
    )
    .where('end_code', 'is', null)
    .where('session_id', '!=', which.except)
    .returning(['account_id', 'session_id'])
    .execute();
}

/** Of accounts that have no other way in: the keys would open what the provider has shut. */
export async function dropLinkedSignInKeys(database: Database, providerId: string): Promise<void> {
  await database
    .deleteFrom('sign_in_key')
    .where('account_id', 'in', (select) =>
      select
        .selectFrom('identity_link')
        .innerJoin('account', 'account.account_id', 'identity_link.account_id')
        .select('identity_link.account_id')
        .where('provider_id', '=', providerId)
        .where('account.has_password', '=', false),
    )
    .execute();
}
