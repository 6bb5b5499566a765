// What one principal may do now: loaded once per request, asked as often as needed.
import type { Clock } from '../clock/clock.ts';
import { findAccount } from '../database/account.queries.ts';
import type { Database } from '../database/connection.ts';
import { type GrantWithShare, grantsOf } from '../database/grant.queries.ts';
import type { Principal } from './principal.ts';

export interface Rights {
  readonly subject: Principal;
  readonly grants: readonly GrantWithShare[];
  readonly now: number;
}

export async function loadRights(database: Database, clock: Clock, subject: Principal): Promise<Rights> {
  const now = clock.now();
  return { subject, grants: await grantsOf(database, subject.userId, now), now };
}

/** Of an account that acts without a session. */
export async function loadAccountRights(database: Database, clock: Clock, accountId: string): Promise<Rights> {
  const account = await findAccount(database, accountId);
  const userType = account?.user_type ?? -1;
  return await loadRights(database, clock, { userId: accountId, userName: '', userType, ownerId: null, sessionId: '' });
}
