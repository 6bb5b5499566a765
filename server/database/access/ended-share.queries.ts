// Reads and writes ended shares, kept a while so that a tile can say that its share has ended.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

/** Call before the grants are deleted; shares that were never accepted are not kept. */
export async function recordEndedShare(
  database: Database,
  which: { readonly shareId: string; readonly grantIds?: readonly string[] },
  now: number,
): Promise<void> {
  const narrowed =
    which.grantIds === undefined ? sql`true` : sql`grant_row.grant_id = any(${[...which.grantIds]}::text[])`;
  await sql`
    insert into lost_share (grantee_id, owner_id, organization_id, device_id, channel_no, ended_at)
    select grant_row.grantee_id, grant_row.owner_id, organization_id, device_id, channel_no, ${now}
      from grant_row join share using (share_id)
      where share_id = ${which.shareId} and share.accepted_at is not null and ${narrowed}`.execute(database);
}

export interface EndedShareObject {
  readonly deviceId: string;
  readonly ownerId: string;
  readonly organizationPath: readonly string[];
  readonly channelNo: number | undefined;
}

/** The account had access by a share that ended, was withdrawn or is outside its hours. */
export async function hadEndedShare(
  database: Database,
  accountId: string,
  object: EndedShareObject,
  now: number,
): Promise<boolean> {
  const path = [...object.organizationPath];
  const channelNo = object.channelNo ?? null;
  const about = sql`(organization_id = any(${path}::text[]) or (device_id = ${object.deviceId}
    and (channel_no is null or ${channelNo}::int is null or channel_no = ${channelNo}::int)))`;
  const { rows } = await sql`
    select 1 from lost_share where grantee_id = ${accountId} and owner_id = ${object.ownerId} and ${about}
    union all
    select 1 from grant_row join share using (share_id)
      where grant_row.grantee_id = ${accountId} and grant_row.owner_id = ${object.ownerId}
        and share.accepted_at is not null and coalesce(grant_row.start_time, 0) <= ${now} and ${about}
    limit 1`.execute(database);
  return rows.length > 0;
}

export async function deleteOldEndedShares(database: Database, before: number): Promise<void> {
  await database.deleteFrom('lost_share').where('ended_at', '<', before).execute();
}
