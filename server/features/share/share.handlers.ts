// Handlers of share/*: create, change, accept, withdraw, and list given and received shares.
import type { shareCalls } from '@vedette/contract/calls/share.ts';
import type { Device } from '@vedette/contract/entities.ts';
import { isLive } from '@vedette/rules/decide/decide.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleDevices, visibleOrganizations } from '../../auth/visibility-conditions.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import {
  filterDevices,
  listedDevices,
  type DeviceWithOrganization,
  selectWithOrganization,
} from '../../database/device/device.queries.ts';
import type { GrantWithShare } from '../../database/access/grant.queries.ts';
import { namesOfAccounts } from '../../database/access/organization.queries.ts';
import { itemsOfShare } from '../../database/account/audit-names.queries.ts';
import { findShareOf, sharesWhere, withoutEnded } from '../../database/access/share.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { objectOfDevice, sharedFrom, toDevice, touches } from '../device/device.facts.ts';
import { toOrganization } from '../organization/organization.facts.ts';
import { changeShare, endShare, acceptShareOffer } from './share-changer.ts';
import { makeShare, type ShareMakerDeps } from './share-maker.ts';
import { auditPartsOfShare, shareAuditParts } from './share-audit.ts';
import { sharePage } from './share-view.ts';

export type ShareDeps = ShareMakerDeps;

export function shareHandlers(deps: ShareDeps): Handlers<keyof typeof shareCalls> {
  const { database } = deps;
  return {
    'share/add': async ({ input, principal, rights, now, audit }) => {
      const made = await makeShare(deps, { principal, rights: await rights() }, input, now);
      audit.parts.push(...(await auditPartsOfShare(database, made.shareId, principal.userId)));
      return made;
    },
    'share/update': async ({ input, principal, rights, now, audit }) => {
      const before = await itemsOfShare(database, input.shareId);
      const version = await changeShare(deps, await rights(), input, now);
      audit.parts.push(...(await auditPartsOfShare(database, input.shareId, principal.userId, before)));
      return { shareId: input.shareId, version };
    },
    'share/delete': async ({ input, principal, now, audit }) => {
      const sides = { ownerId: principal.userId, granteeId: principal.userId };
      const share = await findShareOf(database, input.shareId, sides);
      if (share === undefined || share.share_type !== input.shareType) throw new CallError('notFound');
      const auditParts = await shareAuditParts(database, share);
      await endShare(database, share, now);
      audit.parts.push(...auditParts);
      return {};
    },
    'share/accept': async ({ input, principal, now, audit }) => {
      await acceptShareOffer(database, principal.userId, input.shareId, now);
      const share = await findShareOf(database, input.shareId, { granteeId: principal.userId });
      if (share !== undefined) audit.parts.push(...(await shareAuditParts(database, share)));
      return {};
    },
    'share/quit': async ({ input, principal, now, audit }) => {
      const share = await findShareOf(database, input.shareId, { granteeId: principal.userId });
      if (share === undefined) throw new CallError('notFound');
      const auditParts = await shareAuditParts(database, share);
      await endShare(database, share, now);
      audit.parts.push(...auditParts);
      return {};
    },
    'share/given/list': async ({ input, principal, now }) =>
      await sharePage(database, () => sharesWhere(database, { ownerId: principal.userId }), input, now),
    'share/received/list': async ({ input, principal, now }) => {
      const received = () => sharesWhere(database, { granteeId: principal.userId });
      const query = input.states === undefined ? () => withoutEnded(received(), now) : received;
      return await sharePage(database, query, input, now);
    },
    'share/device/list': async ({ input, rights, isWeb }) => {
      const held = await rights();
      const rows = await sharedRows(database, held, input, isWeb);
      const all = rows.flatMap((row) => throughShares(row, held, input));
      const { offset, limit } = pageRange(input);
      return { total: all.length, deviceList: all.slice(offset, offset + limit) };
    },
    'share/org/list': async ({ rights }) => await sharedOrganizations(database, await rights()),
  };
}

/** Those that shares name; what stands below them comes with them. */
async function sharedOrganizations(database: Database, rights: Rights) {
  const named = rights.grants.flatMap(({ share, scope }) =>
    share !== null && scope.kind === 'organization' ? [scope.organizationId] : [],
  );
  if (named.length === 0) return { total: 0, orgList: [] };
  const rows = await database
    .selectFrom('organization')
    .selectAll()
    .where(visibleOrganizations(rights, null))
    .where('organization_id', 'in', named)
    .orderBy('organization_name')
    .orderBy('organization_id')
    .execute();
  const names = await namesOfAccounts(
    database,
    rows.map((row) => row.owner_id),
  );
  return { total: rows.length, orgList: rows.map((row) => toOrganization(row, rights, names.get(row.owner_id) ?? '')) };
}

interface SharedFilter {
  readonly deviceSerial?: string | undefined;
  readonly keyWord?: string | undefined;
  readonly channelNo?: number | undefined;
  readonly organizationId?: string | undefined;
  readonly shareResourceType?: number | undefined;
}

async function sharedRows(
  database: Database,
  rights: Rights,
  filter: SharedFilter,
  isWeb: boolean,
): Promise<DeviceWithOrganization[]> {
  const visible = listedDevices(database, visibleDevices(rights, null), isWeb).where(
    'device.owner_id',
    '!=',
    rights.subject.userId,
  );
  const { keyWord, organizationId } = filter;
  let query = filterDevices(visible, { keyWord, organizationId, withAllBelow: true });
  if (filter.deviceSerial !== undefined) query = query.where('device.device_serial', '=', filter.deviceSerial);
  return await selectWithOrganization(query).orderBy('device.device_name').orderBy('device.device_id').execute();
}

/** One row per way the device is shared; the same way twice is one row. */
function throughShares(row: DeviceWithOrganization, rights: Rights, filter: SharedFilter): Device[] {
  const object = objectOfDevice(row);
  const shares = rights.grants.filter(
    (grant) => grant.share !== null && touches(grant, object) && isLive(grant, rights.now),
  );
  const devices = shares.filter((grant) => matches(grant, filter)).map((grant) => toDevice(row, rights, grant));
  return [...new Map(devices.map((device) => [device.keySerial, device])).values()];
}

function matches(grant: GrantWithShare, filter: SharedFilter): boolean {
  if (filter.shareResourceType !== undefined && sharedFrom(grant) !== filter.shareResourceType) return false;
  if (filter.channelNo === undefined) return true;
  return grant.scope.kind !== 'channel' || grant.scope.channelNo === filter.channelNo;
}
