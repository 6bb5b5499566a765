// Makes a share: every item must be the giver's own, and the other side must exist.
import type { ShareItem } from '@vedette/contract/calls/share.ts';
import { SHARE_PERMISSIONS, type SharePermission } from '@vedette/contract/permissions.ts';
import { mayDevice, mayOrganization } from '../../auth/may.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError, fieldError } from '../../call-error.ts';
import { findAccountByLogin } from '../../database/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import { insertGrants } from '../../database/grant.queries.ts';
import { insertRevocations } from '../../database/revocation.queries.ts';
import type { GrantRow } from '../../database/schema.ts';
import { insertShare } from '../../database/share.queries.ts';
import { newId } from '../../randomness.ts';

export interface ShareOrder {
  readonly account: string;
  readonly items: readonly ShareItem[];
  readonly shareName?: string | undefined;
  readonly shareType: number;
  readonly permission: readonly SharePermission[];
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly description?: string | undefined;
}

type Opened = Pick<GrantRow, 'object_kind' | 'organization_id' | 'device_id' | 'channel_no'>;

/** Throws 1007 for an unknown account, 1009 or 1007 for a foreign item, 1004 for one that is only shared with the giver. */
export async function makeShare(
  database: Database,
  principal: Principal,
  rights: Rights,
  order: ShareOrder,
  now: number,
): Promise<string> {
  if (order.endTime !== undefined && order.endTime <= Math.max(now, order.startTime ?? 0)) {
    throw fieldError({ endTime: 'tooSmall' });
  }
  const opened: Opened[] = [];
  for (const item of order.items) opened.push(await openItem(database, rights, item));
  const grantee = await findAccountByLogin(database, order.account);
  if (grantee === undefined) throw new CallError('notFound');
  if (grantee.account_id === principal.userId) throw fieldError({ account: 'notAllowed' });
  const shareId = newId();
  const bounds = { start_time: order.startTime ?? null, end_time: order.endTime ?? null };
  const sides = { owner_id: principal.userId, grantee_id: grantee.account_id, share_id: shareId };
  await database.transaction().execute(async (transaction) => {
    await insertShare(transaction, {
      ...sides,
      ...bounds,
      share_type: order.shareType,
      share_name: order.shareName ?? '',
      description: order.description ?? '',
      created_at: now,
    });
    const permissions = [...new Set(order.permission.map((name) => SHARE_PERMISSIONS[name]))];
    const grant = { ...sides, ...bounds, permissions, source: 'share' as const };
    await insertGrants(
      transaction,
      withoutDoubles(opened).map((one) => ({ ...grant, ...one, grant_id: newId() })),
    );
    // Nothing is taken away, but the other side is to be told as fast.
    const told = { accountId: grantee.account_id, sessionId: null, deviceSerial: null, reason: 'share' } as const;
    await insertRevocations(transaction, now, [told]);
  });
  return shareId;
}

/** Only the owner shares: what came by a share is not passed on. */
async function openItem(database: Database, rights: Rights, item: ShareItem): Promise<Opened> {
  if ('organizationId' in item) {
    const organization = await mayOrganization(database, rights, null, item.organizationId);
    refuseForeign(organization.owner_id, rights);
    return {
      object_kind: 'organization',
      organization_id: organization.organization_id,
      device_id: null,
      channel_no: null,
    };
  }
  const channelNo = 'channelNo' in item ? item.channelNo : undefined;
  const device = await mayDevice(database, rights, null, { deviceSerial: item.deviceSerial, channelNo });
  refuseForeign(device.ownerId, rights);
  return {
    object_kind: channelNo === undefined ? 'device' : 'channel',
    organization_id: null,
    device_id: device.deviceId,
    channel_no: channelNo ?? null,
  };
}

function refuseForeign(ownerId: string, rights: Rights): void {
  if (ownerId !== rights.subject.userId) throw new CallError('permissionDenied');
}

function withoutDoubles(opened: readonly Opened[]): Opened[] {
  return [...new Map(opened.map((one) => [JSON.stringify(one), one])).values()];
}
