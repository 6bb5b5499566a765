// Reads and writes known browsers of an account, and which of them are trusted.
import { createHash } from 'node:crypto';
import type { Database } from '../connection.ts';

/** The browser's id is stored only as a hash, since it skips two-factor authentication. */
export function browserHash(browserId: string): string {
  return createHash('sha256').update(browserId).digest('hex');
}

export interface KnownBrowser {
  readonly isTrusted: boolean;
}

export async function findKnownBrowser(
  database: Database,
  accountId: string,
  browserId: string,
): Promise<KnownBrowser | undefined> {
  const row = await database
    .selectFrom('known_browser')
    .select('trusted_at')
    .where('account_id', '=', accountId)
    .where('browser_id', '=', browserHash(browserId))
    .executeTakeFirst();
  return row === undefined ? undefined : { isTrusted: row.trusted_at !== null };
}

/** `isTrusted`: sets trust; false keeps the stored value. */
export async function rememberBrowser(
  database: Database,
  accountId: string,
  browser: { browserId: string; agent: string; isTrusted?: boolean },
  now: number,
): Promise<void> {
  const seen = {
    last_used_at: now,
    agent: browser.agent,
    ...(browser.isTrusted === true && { trusted_at: now }),
  };
  await database
    .insertInto('known_browser')
    .values({ account_id: accountId, browser_id: browserHash(browser.browserId), ...seen })
    .onConflict((conflict) => conflict.columns(['account_id', 'browser_id']).doUpdateSet(seen))
    .execute();
}

export function listTrustedBrowsers(database: Database, accountId: string) {
  return database
    .selectFrom('known_browser')
    .select(['browser_id', 'agent', 'trusted_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('trusted_at', 'is not', null)
    .orderBy('last_used_at', 'desc')
    .execute();
}

/** Deletes one by its hash, or all; returns how many were trusted. */
export async function distrustBrowsers(database: Database, accountId: string, hash?: string): Promise<number> {
  let query = database
    .updateTable('known_browser')
    .set({ trusted_at: null })
    .where('account_id', '=', accountId)
    .where('trusted_at', 'is not', null)
    .returning('browser_id');
  if (hash !== undefined) query = query.where('browser_id', '=', hash);
  return (await query.execute()).length;
}
