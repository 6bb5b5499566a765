// Reads and writes consents to alarm mail, and how often each mailbox was asked or refused.
import { MAIL_CONSENT } from '@vedette/contract/limits.ts';
import { sql } from 'kysely';
import type { MailAddressRow, MailConsentRow } from '../schema/alarm-schema.ts';
import type { Database } from '../connection.ts';

export function consentsOf(database: Database, accountId: string): Promise<MailConsentRow[]> {
  return database.selectFrom('mail_consent').selectAll().where('account_id', '=', accountId).execute();
}

export function findMailboxes(database: Database, hashes: readonly Buffer[]): Promise<MailAddressRow[]> {
  if (hashes.length === 0) return Promise.resolve([]);
  return database
    .selectFrom('mail_address')
    .selectAll()
    .where('address_hash', 'in', [...hashes])
    .execute();
}

/** Counts one request; false if it is too soon or the mailbox refused. True for exactly one of concurrent callers. */
export async function claimQuestion(database: Database, addressHash: Buffer, now: number): Promise<boolean> {
  const [first, second, further] = MAIL_CONSENT.againMs;
  const { rows } = await sql`
    insert into mail_address as mailbox (address_hash, asked_count, asked_at) values (${addressHash}, 1, ${now}::bigint)
    on conflict (address_hash) do update set asked_count = mailbox.asked_count + 1, asked_at = ${now}::bigint
      where mailbox.refused_at is null and mailbox.asked_at + case mailbox.asked_count
        when 1 then ${first}::bigint when 2 then ${second}::bigint else ${further}::bigint end <= ${now}::bigint
    returning asked_count`.execute(database);
  return rows.length > 0;
}

/** Undoes the count of a request that was not sent. `before`: the row as it was. */
export async function releaseQuestion(
  database: Database,
  addressHash: Buffer,
  claimed: { readonly at: number; readonly before: MailAddressRow | undefined },
): Promise<void> {
  const { at, before } = claimed;
  if (before === undefined) {
    await database
      .deleteFrom('mail_address')
      .where('address_hash', '=', addressHash)
      .where('asked_at', '=', at)
      .where('refused_at', 'is', null)
      .execute();
    return;
  }
  await database
    .updateTable('mail_address')
    .set({ asked_count: before.asked_count, asked_at: before.asked_at })
    .where('address_hash', '=', addressHash)
    .where('asked_at', '=', at)
    .execute();
}

/** Replaces an earlier request: its link is void. */
export async function storeQuestion(
  database: Database,
  question: Pick<MailConsentRow, 'account_id' | 'address' | 'token_hash' | 'asked_at' | 'expires_at'>,
): Promise<void> {
  const { token_hash, asked_at, expires_at } = question;
  await database
    .insertInto('mail_consent')
    .values(question)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'address']).doUpdateSet({ token_hash, asked_at, expires_at }),
    )
    .execute();
}

export async function dropQuestion(database: Database, tokenHash: Buffer): Promise<void> {
  await database
    .deleteFrom('mail_consent')
    .where('token_hash', '=', tokenHash)
    .where('confirmed_at', 'is', null)
    .execute();
}

/** Consent of a valid link. `locks`: concurrent answers wait. */
export function findByToken(database: Database, hash: Buffer, at: { readonly now: number; readonly locks?: boolean }) {
  const query = database
    .selectFrom('mail_consent')
    .innerJoin('account', 'account.account_id', 'mail_consent.account_id')
    .selectAll('mail_consent')
    .select('account.user_name')
    .where((where) =>
      where.or([
        where('stop_hash', '=', hash),
        where.and([where('token_hash', '=', hash), where('expires_at', '>', at.now)]),
      ]),
    );
  return (at.locks === true ? query.forUpdate('mail_consent') : query).executeTakeFirst();
}

/** The mailbox answered: clears unanswered requests and earlier refusals. */
export async function confirmConsent(
  database: Database,
  consent: Pick<MailConsentRow, 'account_id' | 'address'>,
  confirmed: { readonly at: number; readonly stopHash: Buffer; readonly addressHash: Buffer },
): Promise<void> {
  await database
    .updateTable('mail_consent')
    .set({ confirmed_at: confirmed.at, stop_hash: confirmed.stopHash })
    .where('account_id', '=', consent.account_id)
    .where('address', '=', consent.address)
    .execute();
  await database.deleteFrom('mail_address').where('address_hash', '=', confirmed.addressHash).execute();
}

/** Refuses for all accounts and for good: consents end, and links of other accounts are void. */
export async function refuseMailbox(
  database: Database,
  consent: Pick<MailConsentRow, 'account_id' | 'address'>,
  refused: { readonly at: number; readonly addressHash: Buffer },
): Promise<void> {
  const { at, addressHash } = refused;
  await database
    .insertInto('mail_address')
    .values({ address_hash: addressHash, asked_count: 1, asked_at: at, refused_at: at })
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet({ refused_at: at }))
    .execute();
  await database
    .updateTable('mail_consent')
    .set({ confirmed_at: null })
    .where('account_id', '=', consent.account_id)
    .where('address', '=', consent.address)
    .execute();
  await database
    .updateTable('mail_consent')
    .set({ confirmed_at: null, expires_at: 0 })
    .where('address', '=', consent.address)
    .where('account_id', '!=', consent.account_id)
    .execute();
}

/** Deletes consents of addresses that no e-mail channel of the account uses. */
export async function dropUnnamed(database: Database, accountId: string, named: readonly string[]): Promise<void> {
  let query = database.deleteFrom('mail_consent').where('account_id', '=', accountId);
  if (named.length > 0) query = query.where('address', 'not in', [...named]);
  await query.execute();
}

export async function dropOldMailboxes(database: Database, now: number): Promise<void> {
  await database
    .deleteFrom('mail_address')
    .where('asked_at', '<', now - MAIL_CONSENT.keptMs)
    .where('refused_at', 'is', null)
    .execute();
}
