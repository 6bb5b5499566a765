// Ends sessions of an account, and keys that open them; what runs by them is stopped at once.
import { insertRevocations } from '../database/access/revocation.queries.ts';
import { withdrawAppGrants } from '../database/app/app-grant.queries.ts';
import { distrustBrowsers } from '../database/account/known-browser.queries.ts';
import { dropLinkedSignInKeys, endLinkedSessions } from '../database/account/identity-link.queries.ts';
import { endSessions } from '../database/account/session.queries.ts';
import { dropSignInKeys } from '../database/account/sign-in-key.queries.ts';
import type { Database } from '../database/connection.ts';

/** With the sessions that it opened, but for `except`. False where the account has no such key. */
export async function endSignInKey(
  database: Database,
  which: { readonly accountId: string; readonly keyId: string; readonly except?: string },
  now: number,
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const isDropped = await dropSignInKeys(transaction, which.accountId, which.keyId);
    await endSessionsNow(transaction, which, now);
    return isDropped;
  });
}

/** Within a transaction; returns how many ended. */
export async function endSessionsNow(
  transaction: Database,
  which: { accountId: string; only?: string; except?: string; keyId?: string },
  now: number,
): Promise<number> {
  const ended = await endSessions(transaction, which, 1001, now);
  const { accountId } = which;
  const revocations = ended.map((sessionId) => ({
    accountId,
    sessionId,
    deviceSerial: null,
    reason: 'session' as const,
  }));
  if (ended.length > 0) await insertRevocations(transaction, now, revocations);
  return ended.length;
}

/** Within a transaction: whatever would let the account in again without its password ends with its sessions. */
export async function endAllAccess(transaction: Database, accountId: string, now: number): Promise<void> {
  await distrustBrowsers(transaction, accountId);
  await dropSignInKeys(transaction, accountId);
  await withdrawAppGrants(transaction, { accountId }, now);
  await endSessionsNow(transaction, { accountId }, now);
}

/** Within a transaction, while the links stand: those of everybody whom the provider signs in, but for `except`. */
export async function endProviderSessions(
  transaction: Database,
  which: { readonly providerId: string; readonly except: string },
  now: number,
): Promise<void> {
  await dropLinkedSignInKeys(transaction, which.providerId);
  const ended = await endLinkedSessions(transaction, which, now);
  const revocations = ended.map(({ account_id: accountId, session_id: sessionId }) => ({
    accountId,
    sessionId,
    deviceSerial: null,
    reason: 'session' as const,
  }));
  await insertRevocations(transaction, now, revocations);
}
