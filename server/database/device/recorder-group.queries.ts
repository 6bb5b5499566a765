// Reads and writes recorder groups, and the watch over the silence of their sites, by the clock of the database.
import { sql } from 'kysely';
import type { GroupDevice } from '@vedette/rules/recorder-group/take-over.ts';
import type { Database } from '../connection.ts';
import type { RecorderGroupRow, RecorderMemberRow } from '../schema/recorder-group-schema.ts';

/** A watch without a beat for so long has a break: nothing is known of the time between. */
const BROKEN_MS = 4000;
/** Another server takes the watch over after so long without a beat. */
const LEASE_MS = 10_000;

export interface Watch {
  /** Clock of the database, ms. */
  readonly now: number;
  /** Since when it has run without a break. */
  readonly since: number;
}

export async function hasRecorderGroups(database: Database): Promise<boolean> {
  return (await database.selectFrom('recorder_member').select('site_id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Beats for this holder; null while another server has the watch. Locks the watch until the end of the transaction, so
 * that nobody else decides, and reads the clock once: whatever holds the transaction up afterwards makes nobody look silent.
 */
export async function beatWatch(transaction: Database, holder: string): Promise<Watch | null> {
  const { rows } = await sql<Watch & { readonly holder: string; readonly beat_at: number }>`
    select holder, beat_at, since, (extract(epoch from clock_timestamp()) * 1000)::bigint as now
    from recorder_watch where watch_id = 1 for update`.execute(transaction);
  const [held] = rows;
  if (held === undefined) return null;
  const isOurs = held.holder === holder;
  const gapMs = held.now - held.beat_at;
  if (!isOurs && gapMs >= 0 && gapMs < LEASE_MS) return null;
  // A clock of the database that was set back is a break, too.
  const isUnbroken = isOurs && gapMs >= 0 && gapMs < BROKEN_MS;
  const since = isUnbroken ? held.since : held.now;
  await sql`
    update recorder_watch set holder = ${holder}, beat_at = ${held.now}, since = ${since},
      epoch = epoch + ${isOurs ? 0 : 1} where watch_id = 1`.execute(transaction);
  return { now: held.now, since };
}

/** What was judged until now says nothing. */
export async function restartWatch(transaction: Database, now: number): Promise<void> {
  await transaction.updateTable('recorder_watch').set({ since: now }).where('watch_id', '=', 1).execute();
}

export interface MemberWithDevices extends RecorderMemberRow {
  readonly returns_by_itself: boolean;
  readonly site_name: string;
  readonly devices: readonly GroupDevice[];
}

/** Of all groups. */
export async function membersWithDevices(database: Database): Promise<MemberWithDevices[]> {
  const members = await database
    .selectFrom('recorder_member')
    .innerJoin('recorder_group', 'recorder_group.group_id', 'recorder_member.group_id')
    .innerJoin('site', 'site.site_id', 'recorder_member.site_id')
    .selectAll('recorder_member')
    .select(['recorder_group.returns_by_itself', 'site.site_name'])
    .orderBy('recorder_member.is_spare')
    .orderBy('site.site_name')
    .orderBy('recorder_member.site_id')
    .execute();
  const { rows } = await sql<{
    site_id: string;
    device_id: string;
    home: string | null;
    cameras: number;
    records: boolean;
  }>`
    select device.site_id, device_id, home_site_id as home, count(*)::integer as cameras,
      bool_or(record_quality is not null) as records
    from device join recorder_member using (site_id) join channel using (device_id)
    group by device.site_id, device_id, home_site_id`.execute(database);
  const bySite = Map.groupBy(rows, (row) => row.site_id);
  return members.map((member) => ({
    ...member,
    devices: (bySite.get(member.site_id) ?? []).map(({ device_id: deviceId, home: homeSiteId, cameras, records }) => ({
      deviceId,
      homeSiteId,
      cameras,
      isRecorded: records,
    })),
  }));
}

export async function storeHeard(
  transaction: Database,
  heard: readonly { readonly siteId: string; readonly at: number }[],
): Promise<void> {
  if (heard.length === 0) return;
  const [ids, times] = [heard.map(({ siteId }) => siteId), heard.map(({ at }) => Math.round(at))];
  await sql`
    update recorder_member set heard_at = heard.at
    from unnest(${ids}::text[], ${times}::bigint[]) as heard (site_id, at)
    where recorder_member.site_id = heard.site_id and coalesce(heard_at, 0) < heard.at`.execute(transaction);
}

/** A take-over of a site that is taken over already keeps its time. */
export async function storeTaken(
  transaction: Database,
  siteId: string,
  { now, withoutRoom }: { readonly now: number; readonly withoutRoom: number },
): Promise<void> {
  await sql`
    update recorder_member set taken_at = coalesce(taken_at, ${now}::bigint), without_room = ${withoutRoom}
    where site_id = ${siteId} and (taken_at is null or without_room <> ${withoutRoom})`.execute(transaction);
}

export async function clearTaken(transaction: Database, siteIds: readonly string[]): Promise<void> {
  if (siteIds.length === 0) return;
  await transaction
    .updateTable('recorder_member')
    .set({ taken_at: null, without_room: 0 })
    .where('site_id', 'in', [...siteIds])
    .execute();
}

/** By home: devices that other sites have, and which. */
export async function devicesAway(database: Database) {
  return await database
    .selectFrom('device')
    .innerJoin('channel', 'channel.device_id', 'device.device_id')
    .select(['device.device_id', 'device.site_id', 'device.home_site_id'])
    .select(({ fn }) => fn.countAll<number>().as('cameras'))
    .where('device.home_site_id', 'is not', null)
    .groupBy(['device.device_id', 'device.site_id', 'device.home_site_id'])
    .execute();
}

export function allGroups(database: Database): Promise<RecorderGroupRow[]> {
  return database.selectFrom('recorder_group').selectAll().orderBy('group_name').orderBy('group_id').execute();
}

export interface GroupToStore {
  readonly groupId: string;
  readonly groupName: string;
  readonly returnsByItself: boolean;
  readonly createdAt: number;
  readonly members: readonly { readonly siteId: string; readonly isSpare: boolean; readonly cameraMax: number }[];
}

/** `version`: what the edit has seen; null: a new group. False where it is stale. Must run in a transaction. */
export async function storeGroup(transaction: Database, group: GroupToStore, version: number | null): Promise<boolean> {
  const { groupId: group_id, groupName: group_name, returnsByItself: returns_by_itself } = group;
  if (version === null) {
    const row = { group_id, group_name, returns_by_itself, created_at: group.createdAt };
    await transaction.insertInto('recorder_group').values(row).execute();
  } else {
    const stored = await transaction
      .updateTable('recorder_group')
      .set({ group_name, returns_by_itself, version: version + 1 })
      .where('group_id', '=', group_id)
      .where('version', '=', version)
      .returning('group_id')
      .executeTakeFirst();
    if (stored === undefined) return false;
  }
  const siteIds = group.members.map(({ siteId }) => siteId);
  await sql`
    delete from recorder_member where group_id = ${group_id} and site_id <> all(${siteIds}::text[])`.execute(
    transaction,
  );
  for (const { siteId: site_id, isSpare: is_spare, cameraMax: camera_max } of group.members) {
    await transaction
      .insertInto('recorder_member')
      .values({ site_id, group_id, is_spare, camera_max, heard_at: null, taken_at: null })
      .onConflict((conflict) => conflict.column('site_id').doUpdateSet({ is_spare, camera_max }))
      .execute();
  }
  return true;
}

export async function deleteGroup(database: Database, groupId: string): Promise<boolean> {
  const row = await database
    .deleteFrom('recorder_group')
    .where('group_id', '=', groupId)
    .returning('group_id')
    .executeTakeFirst();
  return row !== undefined;
}
