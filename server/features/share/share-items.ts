// Items of a share as grants: each is the giver's own, or was received with every right it grants and the right to re-share.
import type { ShareItem } from '@vedette/contract/calls/share.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { canOwn } from '@vedette/rules/decide/decide.ts';
import { authorizeDevice, authorizeOrganization } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import type { GrantRow } from '../../database/schema/schema.ts';

export type OpenedItem = Pick<GrantRow, 'owner_id' | 'object_kind' | 'organization_id' | 'device_id' | 'channel_no'>;

export interface Offer {
  readonly items: readonly ShareItem[];
  /** What the giver must hold itself; none where a role says it. */
  readonly permissions: readonly Permission[];
  readonly granteeId: string;
}

/** Throws 1009 or 1007 for a foreign item, 1004 for one the giver has less of than it would give, may not share on, or would give to its owner. */
export async function openItems(database: Database, rights: Rights, offer: Offer): Promise<OpenedItem[]> {
  const opened: OpenedItem[] = [];
  for (const item of offer.items) {
    const one = await openItem(database, rights, item, offer.permissions);
    if (!canOwn(rights.subject) || one.owner_id === offer.granteeId) throw new CallError('permissionDenied');
    opened.push(one);
  }
  return [...new Map(opened.map((one) => [JSON.stringify(one), one])).values()];
}

async function openItem(
  database: Database,
  rights: Rights,
  item: ShareItem,
  permissions: readonly Permission[],
): Promise<OpenedItem> {
  if ('organizationId' in item) {
    const organization = await authorizeOrganization(database, rights, null, item.organizationId);
    for (const action of [...permissions, 'Reshare' as const]) {
      await authorizeOrganization(database, rights, action, item.organizationId);
    }
    return {
      owner_id: organization.owner_id,
      object_kind: 'organization',
      organization_id: organization.organization_id,
      device_id: null,
      channel_no: null,
    };
  }
  const channelNo = 'channelNo' in item ? item.channelNo : undefined;
  const which = { deviceSerial: item.deviceSerial, channelNo };
  const device = await authorizeDevice(database, rights, null, which);
  for (const action of [...permissions, 'Reshare' as const]) await authorizeDevice(database, rights, action, which);
  return {
    owner_id: device.ownerId,
    object_kind: channelNo === undefined ? 'device' : 'channel',
    organization_id: null,
    device_id: device.deviceId,
    channel_no: channelNo ?? null,
  };
}
