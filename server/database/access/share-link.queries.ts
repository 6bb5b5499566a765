// Reads and writes guest links; the token of a link is looked up by its hash.
import type { Database } from '../connection.ts';
import type { ShareLinkRow } from '../schema/share-schema.ts';

export type NewShareLink = Omit<ShareLinkRow, 'open_count' | 'last_open_at' | 'revoked_at' | 'needs_reshare'>;

export async function insertLink(database: Database, link: NewShareLink): Promise<void> {
  await database.insertInto('share_link').values(link).execute();
}

export function findLink(database: Database, linkHash: string): Promise<ShareLinkRow | undefined> {
  return database.selectFrom('share_link').selectAll().where('link_hash', '=', linkHash).executeTakeFirst();
}

export function isLinkOver(link: ShareLinkRow, now: number): boolean {
  return link.revoked_at !== null || link.end_time <= now;
}

/** False where it was not the account's, or had ended already. */
export async function revokeLink(
  database: Database,
  which: { readonly linkHash: string; readonly ownerId: string },
  now: number,
): Promise<boolean> {
  const row = await database
    .updateTable('share_link')
    .set({ revoked_at: now })
    .where('link_hash', '=', which.linkHash)
    .where('owner_id', '=', which.ownerId)
    .where('revoked_at', 'is', null)
    .returning('link_hash')
    .executeTakeFirst();
  return row !== undefined;
}

export async function countOpening(database: Database, linkHash: string, now: number): Promise<void> {
  await database
    .updateTable('share_link')
    .set((expression) => ({ open_count: expression('open_count', '+', 1), last_open_at: now }))
    .where('link_hash', '=', linkHash)
    .execute();
}

/** Links that are not revoked; expired ones remain until their creator removes them. */
export function linksOf(database: Database, ownerId: string) {
  return database
    .selectFrom('share_link')
    .innerJoin('device', 'device.device_id', 'share_link.device_id')
    .leftJoin('organization', 'organization.organization_id', 'device.organization_id')
    .innerJoin('channel', (join) =>
      join
        .onRef('channel.device_id', '=', 'share_link.device_id')
        .onRef('channel.channel_no', '=', 'share_link.channel_no'),
    )
    .where('share_link.owner_id', '=', ownerId)
    .where('share_link.revoked_at', 'is', null);
}
