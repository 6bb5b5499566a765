// Reads and writes shares with their grants.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { ShareRow } from '../schema/schema.ts';

export interface ListedShare extends ShareRow {
  readonly grant_id: string;
  readonly owner_name: string;
  readonly grantee_name: string;
  readonly object_owner_id: string;
  readonly object_kind: 'organization' | 'device' | 'channel';
  readonly permissions: string[];
  readonly role_permissions: string[] | null;
  readonly organization_id: string | null;
  readonly channel_no: number | null;
  readonly device_serial: string | null;
  readonly resource_name: string | null;
}

export type NewShare = Omit<ShareRow, 'version' | 'weekly_hours' | 'needs_reshare'> & {
  readonly weekly_hours: string | null;
};

export async function insertShare(database: Database, share: NewShare): Promise<void> {
  await database.insertInto('share').values(share).execute();
}

export interface ShareSides {
  readonly ownerId?: string;
  readonly granteeId?: string;
}

/** The share if the account is on the named side; on either, if both are named. */
export function findShareOf(database: Database, shareId: string, side: ShareSides): Promise<ShareRow | undefined> {
  return database
    .selectFrom('share')
    .selectAll()
    .where('share_id', '=', shareId)
    .where((where) =>
      where.or([
        ...(side.ownerId === undefined ? [] : [where('owner_id', '=', side.ownerId)]),
        ...(side.granteeId === undefined ? [] : [where('grantee_id', '=', side.granteeId)]),
      ]),
    )
    .executeTakeFirst();
}

/** False if another call was faster. */
export async function acceptShare(database: Database, shareId: string, now: number): Promise<boolean> {
  const row = await database
    .updateTable('share')
    .set({ accepted_at: now })
    .where('share_id', '=', shareId)
    .where('accepted_at', 'is', null)
    .returning('share_id')
    .executeTakeFirst();
  return row !== undefined;
}

export type ShareChange = Partial<
  Pick<ShareRow, 'share_name' | 'description' | 'start_time' | 'end_time' | 'role_id' | 'needs_reshare'>
> & { readonly weekly_hours?: string | null };

/** The new version; undefined if `seen` is outdated. */
export async function changeShareRow(
  database: Database,
  shareId: string,
  change: ShareChange,
  seen: number | undefined,
): Promise<number | undefined> {
  let query = database
    .updateTable('share')
    .set((expression) => ({ ...change, version: expression('version', '+', 1) }))
    .where('share_id', '=', shareId)
    .returning('version');
  if (seen !== undefined) query = query.where('version', '=', seen);
  return (await query.executeTakeFirst())?.version;
}

export async function deleteShare(database: Database, shareId: string): Promise<boolean> {
  const row = await database
    .deleteFrom('share')
    .where('share_id', '=', shareId)
    .returning('share_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** One row per item of a share: a share of three channels is three rows with one shareId. */
export function sharesWhere(database: Database, side: { ownerId: string } | { granteeId: string }) {
  const query = database
    .selectFrom('share')
    .innerJoin('grant_row', 'grant_row.share_id', 'share.share_id')
    .innerJoin('account as owner', 'owner.account_id', 'share.owner_id')
    .innerJoin('account as grantee', 'grantee.account_id', 'share.grantee_id')
    .leftJoin('role', (join) =>
      join.onRef('role.role_id', '=', 'share.role_id').onRef('role.owner_id', '=', 'share.owner_id'),
    )
    .leftJoin('device', 'device.device_id', 'grant_row.device_id')
    .leftJoin('organization', 'organization.organization_id', 'grant_row.organization_id')
    .leftJoin('channel', (join) =>
      join
        .onRef('channel.device_id', '=', 'grant_row.device_id')
        .onRef('channel.channel_no', '=', 'grant_row.channel_no'),
    );
  return 'ownerId' in side
    ? query.where('share.owner_id', '=', side.ownerId)
    : query.where('share.grantee_id', '=', side.granteeId);
}

/** Expired shares and those of disabled givers have no effect. */
export function withoutEnded(query: ReturnType<typeof sharesWhere>, now: number) {
  return query
    .where('owner.is_enabled', '=', true)
    .where((where) => where.or([where('share.end_time', 'is', null), where('share.end_time', '>', now)]));
}

export async function listShares(
  query: ReturnType<typeof sharesWhere>,
  page: { offset: number; limit: number },
): Promise<ListedShare[]> {
  return await query
    .selectAll('share')
    .select([
      'grant_row.grant_id',
      'owner.user_name as owner_name',
      'grantee.user_name as grantee_name',
      'grant_row.owner_id as object_owner_id',
      'grant_row.object_kind',
      'grant_row.permissions',
      'role.permissions as role_permissions',
      'grant_row.organization_id',
      'grant_row.channel_no',
      'device.device_serial',
      sql<string | null>`coalesce(channel.channel_name, device.device_name, organization.organization_name)`.as(
        'resource_name',
      ),
    ])
    .orderBy('share.created_at', 'desc')
    .orderBy('share.share_id')
    .orderBy('grant_row.grant_id')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

/** Accounts of one household: they have a common creator, at any level. */
export async function haveSameOwner(database: Database, oneId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql<{ origin: string }>`
    with recursive up(start, id, above) as (
      select account_id, account_id, coalesce(owner_id, created_by) from account where account_id in (${oneId}, ${otherId})
      union
      select up.start, account.account_id, coalesce(account.owner_id, account.created_by)
        from account join up on account.account_id = up.above
    ) select distinct id as origin from up where above is null`.execute(database);
  return rows.length === 1;
}
