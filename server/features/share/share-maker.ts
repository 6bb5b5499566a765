// Creates a share: items must be the giver's, the other account must exist, and must accept unless the installation accepts for it.
import type { ShareDay, ShareItem } from '@vedette/contract/calls/share.ts';
import type { ShareRight } from '@vedette/contract/permissions.ts';
import { findNamedAccount, type NamedAccountDeps } from '../../auth/named-account.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import { insertGrants } from '../../database/access/grant.queries.ts';
import type { GrantRow, ShareRow } from '../../database/schema/schema.ts';
import { insertShare, haveSameOwner } from '../../database/access/share.queries.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import { type OpenedItem, openItems } from './share-items.ts';
import { notifyReceivers } from './share-notifications.ts';
import { refuseBadTimes, storedHours, storedRights } from './share-terms.ts';

export interface ShareMakerDeps extends NamedAccountDeps {
  readonly settings: { readonly sharing: () => Promise<{ readonly autoAccept: boolean }> };
  /** Of this installation: of weekly hours where the giver names none. */
  readonly timeZone: string;
}

export interface ShareOrder {
  readonly account: string;
  readonly items: readonly ShareItem[];
  readonly shareName?: string | undefined;
  readonly shareType: number;
  readonly permission?: readonly ShareRight[] | undefined;
  readonly roleId?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly plan?: readonly ShareDay[] | undefined;
  readonly timeZone?: string | undefined;
  readonly description?: string | undefined;
}

export interface Giver {
  readonly principal: Principal;
  readonly rights: Rights;
}

/** Throws 1005 after many unknown accounts, 1007 for an unknown account or role, 1011 where too many were given, and what `openItems` does. */
export async function makeShare(
  deps: ShareMakerDeps,
  { principal, rights }: Giver,
  order: ShareOrder,
  now: number,
): Promise<{ shareId: string; isPending: boolean }> {
  const { database } = deps;
  const terms = termsOf(order, deps.timeZone, now);
  const { permissions, roleId } = await storedRights(database, principal.userId, order);
  const grantee = await findNamedAccount(deps, principal.userId, order.account);
  const opened = await openItems(database, rights, {
    items: order.items,
    permissions,
    granteeId: grantee?.account_id ?? '',
  });
  if (grantee === undefined) throw new CallError('notFound');
  if (grantee.account_id === principal.userId) throw fieldError({ account: 'notAllowed' });
  const share = {
    share_id: newId(),
    owner_id: principal.userId,
    grantee_id: grantee.account_id,
    share_type: order.shareType,
    role_id: roleId,
    ...terms,
    created_at: now,
    accepted_at: (await isTakenAtOnce(deps, principal.userId, grantee.account_id)) ? now : null,
  };
  const use = { accountId: principal.userId, now, take: { shares: 1 } };
  await withinQuota(database, use, async (transaction) => {
    await insertShare(transaction, share);
    await insertGrants(transaction, grantsFor(share, opened, permissions));
    // Nothing is taken away, but the other side is to be told as fast.
    await notifyReceivers(transaction, [grantee.account_id], now);
  });
  return { shareId: share.share_id, isPending: share.accepted_at === null };
}

/** Throws 1003 for times that contradict each other. */
function termsOf(
  { shareName, description, startTime, endTime, plan, timeZone }: ShareOrder,
  zone: string,
  now: number,
) {
  const [start_time, end_time] = [startTime ?? null, endTime ?? null];
  refuseBadTimes(start_time, end_time, now);
  const hours = plan === undefined ? null : storedHours(plan, timeZone ?? zone);
  return {
    share_name: shareName ?? '',
    description: description ?? '',
    start_time,
    end_time,
    weekly_hours: hours === null ? null : JSON.stringify(hours),
  };
}

/** Rows of what a share opens, with its own bounds. */
export function grantsFor(
  share: Pick<ShareRow, 'share_id' | 'grantee_id' | 'start_time' | 'end_time'>,
  opened: readonly OpenedItem[],
  permissions: readonly string[],
): GrantRow[] {
  const { share_id, grantee_id, start_time, end_time } = share;
  const common = {
    share_id,
    grantee_id,
    start_time,
    end_time,
    permissions: [...permissions],
    source: 'share' as const,
  };
  return opened.map((one) => ({ ...common, ...one, grant_id: newId() }));
}

async function isTakenAtOnce(deps: ShareMakerDeps, giverId: string, granteeId: string): Promise<boolean> {
  const { autoAccept } = await deps.settings.sharing();
  return autoAccept && (await haveSameOwner(deps.database, giverId, granteeId));
}
