// Handlers of share/*: give, withdraw, and list what is given and received.
import type { Share, shareCalls } from '@vedette/contract/calls/share.ts';
import type { Device } from '@vedette/contract/entities.ts';
import { IS_SHARED } from '@vedette/contract/enumerations.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleDevices } from '../../auth/visible.ts';
import { CallError } from '../../call-error.ts';
import type { Database } from '../../database/connection.ts';
import { filterDevices, listedDevices, type PlacedDevice, selectPlaced } from '../../database/device.queries.ts';
import type { GrantWithShare } from '../../database/grant.queries.ts';
import { insertRevocations } from '../../database/revocation.queries.ts';
import { deleteShare, findShareOf, type ListedShare, listShares, sharesWhere } from '../../database/share.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { objectOfDevice, sharedFrom, toDevice, touches } from '../device/device.facts.ts';
import { makeShare } from './share-maker.ts';

export interface ShareParts {
  readonly database: Database;
}

export function shareHandlers(parts: ShareParts): Handlers<keyof typeof shareCalls> {
  const { database } = parts;
  return {
    'share/add': async ({ input, principal, rights, now }) => ({
      shareId: await makeShare(database, principal, await rights(), input, now),
    }),
    'share/delete': async ({ input, principal, now }) => {
      const share = await findShareOf(database, input.shareId, principal.userId);
      if (share === undefined || share.share_type !== input.shareType) throw new CallError('notFound');
      await database.transaction().execute(async (transaction) => {
        if (!(await deleteShare(transaction, share.share_id))) throw new CallError('notFound');
        const sides = [share.grantee_id, share.owner_id];
        await insertRevocations(
          transaction,
          now,
          sides.map((accountId) => ({ accountId, sessionId: null, deviceSerial: null, reason: 'share' as const })),
        );
      });
      return {};
    },
    'share/given/list': async ({ input, principal }) =>
      await sharePage(() => sharesWhere(database, { ownerId: principal.userId }), input),
    'share/received/list': async ({ input, principal, now }) =>
      await sharePage(() => sharesWhere(database, { granteeId: principal.userId, now }), input),
    'share/device/list': async ({ input, rights, isWeb }) => {
      const held = await rights();
      const rows = await sharedRows(database, held, input, isWeb);
      const all = rows.flatMap((row) => throughShares(row, held, input));
      const { offset, limit } = pageRange(input);
      return { total: all.length, deviceList: all.slice(offset, offset + limit) };
    },
  };
}

async function sharePage(query: () => ReturnType<typeof sharesWhere>, page: { pageStart: number; pageSize: number }) {
  const { total } = await query()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await listShares(query(), pageRange(page));
  return { total, shareList: rows.map(toShare) };
}

const KIND = { organization: IS_SHARED.fromOrganization, device: IS_SHARED.fromDevice, channel: IS_SHARED.fromChannel };

function toShare(row: ListedShare): Share {
  return {
    shareId: row.share_id,
    shareType: row.share_type,
    shareName: row.share_name,
    owner: row.owner_name,
    account: row.grantee_name,
    permission: row.permissions,
    startTime: row.start_time,
    endTime: row.end_time,
    channelNo: row.channel_no,
    description: row.description,
    isShared: KIND[row.object_kind],
    deviceSerial: row.device_serial,
    organizationId: row.organization_id,
    resourceName: row.resource_name ?? '',
  };
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
): Promise<PlacedDevice[]> {
  const visible = listedDevices(database, visibleDevices(rights, null), isWeb).where(
    'device.owner_id',
    '!=',
    rights.subject.userId,
  );
  const { keyWord, organizationId } = filter;
  let query = filterDevices(visible, { keyWord, organizationId, withAllBelow: true });
  if (filter.deviceSerial !== undefined) query = query.where('device.device_serial', '=', filter.deviceSerial);
  return await selectPlaced(query).orderBy('device.device_name').orderBy('device.device_id').execute();
}

/** One row per way the device is shared; the same way twice is one row. */
function throughShares(row: PlacedDevice, rights: Rights, filter: SharedFilter): Device[] {
  const object = objectOfDevice(row);
  const shares = rights.grants.filter((grant) => grant.share !== null && touches(grant, object));
  const devices = shares.filter((grant) => matches(grant, filter)).map((grant) => toDevice(row, rights, grant));
  return [...new Map(devices.map((device) => [device.keySerial, device])).values()];
}

function matches(grant: GrantWithShare, filter: SharedFilter): boolean {
  if (filter.shareResourceType !== undefined && sharedFrom(grant) !== filter.shareResourceType) return false;
  if (filter.channelNo === undefined) return true;
  return grant.scope.kind !== 'channel' || grant.scope.channelNo === filter.channelNo;
}
