// Reads and writes shares with what they open.
import { sql } from 'kysely';
import type { Database } from './connection.ts';
import type { ShareRow } from './schema.ts';

export interface ListedShare extends ShareRow {
  readonly owner_name: string;
  readonly grantee_name: string;
  readonly object_kind: 'organization' | 'device' | 'channel';
  readonly permissions: string[];
  readonly organization_id: string | null;
  readonly channel_no: number | null;
  readonly device_serial: string | null;
  readonly resource_name: string | null;
}

export async function insertShare(database: Database, share: ShareRow): Promise<void> {
  await database.insertInto('share').values(share).execute();
}

/** The share where one of its sides is the account. */
export function findShareOf(database: Database, shareId: string, accountId: string): Promise<ShareRow | undefined> {
  return database
    .selectFrom('share')
    .selectAll()
    .where('share_id', '=', shareId)
    .where((where) => where.or([where('owner_id', '=', accountId), where('grantee_id', '=', accountId)]))
    .executeTakeFirst();
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
export function sharesWhere(database: Database, side: { ownerId: string } | { granteeId: string; now: number }) {
  const query = database
    .selectFrom('share')
    .innerJoin('grant_row', 'grant_row.share_id', 'share.share_id')
    .innerJoin('account as owner', 'owner.account_id', 'share.owner_id')
    .innerJoin('account as grantee', 'grantee.account_id', 'share.grantee_id')
    .leftJoin('device', 'device.device_id', 'grant_row.device_id')
    .leftJoin('organization', 'organization.organization_id', 'grant_row.organization_id')
    .leftJoin('channel', (join) =>
      join
        .onRef('channel.device_id', '=', 'grant_row.device_id')
        .onRef('channel.channel_no', '=', 'grant_row.channel_no'),
    );
  if ('ownerId' in side) return query.where('share.owner_id', '=', side.ownerId);
  // Those that have ended open nothing and are not shown to who received them.
  return query
    .where('share.grantee_id', '=', side.granteeId)
    .where('owner.is_enabled', '=', true)
    .where((where) => where.or([where('share.end_time', 'is', null), where('share.end_time', '>', side.now)]));
}

export async function listShares(
  query: ReturnType<typeof sharesWhere>,
  page: { offset: number; limit: number },
): Promise<ListedShare[]> {
  return await query
    .selectAll('share')
    .select([
      'owner.user_name as owner_name',
      'grantee.user_name as grantee_name',
      'grant_row.object_kind',
      'grant_row.permissions',
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
