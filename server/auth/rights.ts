// Rights of one principal at this moment, loaded once per request.
import { boundGrants, isFromOwner, SHARE_CHAIN_MAX } from '@vedette/rules/decide/bounded-grants.ts';
import { delegatedGrants } from '@vedette/rules/decide/delegated-grants.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { findAccount } from '../database/account/account.queries.ts';
import type { Database } from '../database/connection.ts';
import { type GrantWithShare, grantLinksOf, type ShareLinkGrant } from '../database/access/grant.queries.ts';
import { grantsOfApp } from './app-rights.ts';
import type { Principal } from './principal.ts';

export interface Rights {
  readonly subject: Principal;
  readonly grants: readonly GrantWithShare[];
  readonly now: number;
}

export async function loadRights(database: Database, clock: Clock, subject: Principal): Promise<Rights> {
  const now = clock.wallMs();
  const grants = await loadGrants(database, [subject.userId], now);
  const own = grants.get(subject.userId) ?? [];
  if (subject.app === undefined) return { subject, grants: own, now };
  const account = { userId: subject.userId, userType: subject.app.accountType };
  return {
    subject,
    grants: delegatedGrants(account, own, await grantsOfApp(database, subject.userId, subject.app)),
    now,
  };
}

/** Grants, each limited to what its giver still has. */
export async function loadGrants(
  database: Database,
  accountIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, readonly GrantWithShare[]>> {
  const links: ShareLinkGrant[] = [];
  const seen = new Set<string>();
  let wanted = [...new Set(accountIds)];
  for (let depth = 0; depth < SHARE_CHAIN_MAX && wanted.length > 0; depth += 1) {
    for (const id of wanted) seen.add(id);
    const found = await grantLinksOf(database, wanted, now);
    links.push(...found);
    const givers = found.filter((link) => !isFromOwner(link)).map(({ giverId }) => giverId);
    wanted = [...new Set(givers)].filter((id) => !seen.has(id));
  }
  return new Map(accountIds.map((id) => [id, boundGrants(id, links)]));
}

/** For an account acting without a session. */
export async function loadAccountRights(database: Database, clock: Clock, accountId: string): Promise<Rights> {
  const account = await findAccount(database, accountId);
  const userType = account?.user_type ?? -1;
  return await loadRights(database, clock, { userId: accountId, userName: '', userType, ownerId: null, sessionId: '' });
}
