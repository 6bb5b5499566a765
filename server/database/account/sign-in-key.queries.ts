// Reads and writes the keys by which native shells sign an account in; of challenges and tickets only the SHA-256 is stored.
import { SIGN_IN_KEY } from '@vedette/contract/limits.ts';
import type { Database } from '../connection.ts';
import type { SignInKeyRow } from '../schema/account-schema.ts';
import { longestSessionMs } from './session.queries.ts';

export type NewSignInKey = Omit<SignInKeyRow, 'challenge_hash' | 'ticket_hash' | 'pending_until'>;

/** In place of that of the same browser; beyond the limit the one that was used least recently goes. False: the key is registered already. */
export async function insertSignInKey(database: Database, key: NewSignInKey): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const ofBrowser = transaction.deleteFrom('sign_in_key').where('account_id', '=', key.account_id);
    await ofBrowser.where('browser_id', '=', key.browser_id).execute();
    await ofBrowser
      .where('key_id', 'in', (select) =>
        select
          .selectFrom('sign_in_key')
          .select('key_id')
          .where('account_id', '=', key.account_id)
          .orderBy('last_used_at', 'desc')
          .offset(SIGN_IN_KEY.perAccount - 1),
      )
      .execute();
    const added = await transaction
      .insertInto('sign_in_key')
      .values(key)
      .onConflict((conflict) => conflict.doNothing())
      .returning('key_id')
      .executeTakeFirst();
    return added !== undefined;
  });
}

export async function listSignInKeys(database: Database, accountId: string, now: number): Promise<SignInKeyRow[]> {
  const oldest = now - (await longestSessionMs(database));
  return await database
    .selectFrom('sign_in_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('created_at', '>', oldest)
    .orderBy('last_used_at', 'desc')
    .execute();
}

export async function findSignInKey(database: Database, keyId: string, now: number): Promise<SignInKeyRow | undefined> {
  const oldest = now - (await longestSessionMs(database));
  return await database
    .selectFrom('sign_in_key')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('created_at', '>', oldest)
    .executeTakeFirst();
}

/** The challenge before it can be answered no more. */
export async function openChallenge(
  database: Database,
  keyId: string,
  challenge: { readonly hash: Buffer; readonly until: number },
): Promise<void> {
  await database
    .updateTable('sign_in_key')
    .set({ challenge_hash: challenge.hash, ticket_hash: null, pending_until: challenge.until })
    .where('key_id', '=', keyId)
    .execute();
}

/** The challenge becomes the ticket, once. False: it is not open any more. */
export async function takeChallenge(
  database: Database,
  { key_id, challenge_hash }: SignInKeyRow,
  ticket: { readonly hash: Buffer; readonly until: number; readonly now: number },
): Promise<boolean> {
  const taken = await database
    .updateTable('sign_in_key')
    .set({ challenge_hash: null, ticket_hash: ticket.hash, pending_until: ticket.until })
    .where('key_id', '=', key_id)
    .where('challenge_hash', '=', challenge_hash)
    .where('pending_until', '>', ticket.now)
    .returning('key_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Uses the ticket up; undefined: it is unknown, used, over, or of another browser. */
export async function takeTicket(
  database: Database,
  ticket: { readonly hash: Buffer; readonly browserId: string; readonly now: number },
): Promise<SignInKeyRow | undefined> {
  return await database
    .updateTable('sign_in_key')
    .set({ ticket_hash: null, last_used_at: ticket.now })
    .where('ticket_hash', '=', ticket.hash)
    .where('browser_id', '=', ticket.browserId)
    .where('pending_until', '>', ticket.now)
    .returningAll()
    .executeTakeFirst();
}

/** One, or all of the account; false: there was none. */
export async function dropSignInKeys(database: Database, accountId: string, keyId?: string): Promise<boolean> {
  let query = database.deleteFrom('sign_in_key').where('account_id', '=', accountId).returning('key_id');
  if (keyId !== undefined) query = query.where('key_id', '=', keyId);
  return (await query.execute()).length > 0;
}

/** A key ends at the age at which a session does. */
export async function dropOldSignInKeys(database: Database, now: number): Promise<void> {
  const oldest = now - (await longestSessionMs(database));
  await database.deleteFrom('sign_in_key').where('created_at', '<=', oldest).execute();
}
