// Converts shares to contract objects: one per item, each with its effective rights now.
import type { Share } from '@vedette/contract/calls/share.ts';
import { IS_SHARED, SHARE_TYPE, type ShareState } from '@vedette/contract/enumerations.ts';
import { PERMISSIONS, rightsByRole } from '@vedette/contract/permissions.ts';
import { isLive } from '@vedette/rules/decide/decide.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { loadGrants } from '../../auth/rights.ts';
import type { Database } from '../../database/connection.ts';
import type { GrantWithShare } from '../../database/access/grant.queries.ts';
import { type ListedShare, listShares, type sharesWhere } from '../../database/access/share.queries.ts';

export interface SharePage {
  readonly pageStart: number;
  readonly pageSize: number;
  readonly states?: readonly ShareState[] | undefined;
}

/** What a state leaves out is known only after every row was looked at. */
const LOOKED_AT_MAX = 10_000;

export async function sharePage(
  database: Database,
  query: () => ReturnType<typeof sharesWhere>,
  page: SharePage,
  now: number,
): Promise<{ total: number; shareList: Share[] }> {
  const { states } = page;
  const range = pageRange(page);
  if (states !== undefined) {
    const all = await toShares(database, await listShares(query(), { offset: 0, limit: LOOKED_AT_MAX }), now);
    const wanted = all.filter(({ state }) => states.includes(state));
    return { total: wanted.length, shareList: wanted.slice(range.offset, range.offset + range.limit) };
  }
  const { total } = await query()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { total, shareList: await toShares(database, await listShares(query(), range), now) };
}

async function toShares(database: Database, rows: readonly ListedShare[], now: number): Promise<Share[]> {
  const grantees = [...new Set(rows.map((row) => row.grantee_id))];
  const grants = await loadGrants(database, grantees, now);
  const byGrant = Map.groupBy([...grants.values()].flat(), (grant) => grant.grantId);
  return rows.map((row) => toShare(row, byGrant.get(row.grant_id) ?? [], now));
}

const KIND = { organization: IS_SHARED.fromOrganization, device: IS_SHARED.fromDevice, channel: IS_SHARED.fromChannel };

function toShare(row: ListedShare, grants: readonly GrantWithShare[], now: number): Share {
  const isFromRole = row.share_type === SHARE_TYPE.fromRole;
  const given = new Set<string>(isFromRole ? rightsByRole(row.role_permissions ?? []) : row.permissions);
  return {
    shareId: row.share_id,
    shareType: row.share_type,
    shareName: row.share_name,
    owner: row.owner_name,
    account: row.grantee_name,
    permission: PERMISSIONS.filter((permission) => given.has(permission)),
    startTime: row.start_time,
    endTime: row.end_time,
    channelNo: row.channel_no,
    description: row.description,
    isShared: KIND[row.object_kind],
    deviceSerial: row.device_serial,
    organizationId: row.organization_id,
    resourceName: row.resource_name ?? '',
    state: stateOf(row, grants, now),
    plan: row.weekly_hours?.plan ?? null,
    timeZone: row.weekly_hours?.timeZone ?? null,
    roleId: row.role_id,
    isPassedOn: row.owner_id !== row.object_owner_id,
    createTime: row.created_at,
    version: row.version,
  };
}

/** `grants`: what the row is worth to who received it; none where what it rests on is gone. */
function stateOf(row: ListedShare, grants: readonly GrantWithShare[], now: number): ShareState {
  if (row.end_time !== null && row.end_time <= now) return 'ended';
  if (row.accepted_at === null) return 'pending';
  if (grants.length === 0) return 'ended';
  return grants.some((grant) => isLive(grant, now)) ? 'active' : 'scheduled';
}
