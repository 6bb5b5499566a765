// Reads and writes recorder groups, and the watch over the silence of their sites, by the clock of the database.
import { sql } from 'kysely';
import type { AwayDevice, GroupDevice } from '@vedette/rules/recorder-group/take-over.ts';
import type { Database } from '../connection.ts';
import type { RecorderGroupRow, RecorderMemberRow } from '../schema/recorder-group-schema.ts';

/** After so long without a beat another server takes the watch over, and of the time between nothing is known. */
const LEASE_MS = 10_000;

export interface Watch {
  /** False: another server judges. */
  readonly isOurs: boolean;
  /** Clock of the database, ms. */
  readonly now: number;
  /** Since when connected sites have been heard without a break. */
  readonly since: number;
  /** Since when others could dial without a break. */
  readonly openSince: number;
}

export async function hasRecorderGroups(database: Database): Promise<boolean> {
  return (await database.selectFrom('recorder_member').select('site_id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Beats for this holder, unless another server has the watch. Locks the watch until the end of the transaction, so
 * that nobody else decides. `wasDeaf`: the holder stood still since its last beat, and heard nobody meanwhile.
 */
export async function beatWatch(transaction: Database, holder: string, wasDeaf: boolean): Promise<Watch | null> {
  const { rows } = await sql<{ holder: string; beat_at: number; since: number; open_since: number; now: number }>`
    select holder, beat_at, since, open_since, (extract(epoch from clock_timestamp()) * 1000)::bigint as now
    from recorder_watch where watch_id = 1 for update`.execute(transaction);
  const [held] = rows;
  if (held === undefined) return null;
  const { now } = held;
  const isOurs = held.holder === holder;
  // Not where the clock of the database was set back.
  const isLeased = now >= held.beat_at && now - held.beat_at < LEASE_MS;
  if (!isOurs && isLeased) return { now, since: held.since, openSince: held.open_since, isOurs: false };
  const isOpen = isOurs && isLeased;
  const since = isOpen && !wasDeaf ? held.since : now;
  const openSince = isOpen ? held.open_since : now;
  await sql`
    update recorder_watch set holder = ${holder}, beat_at = ${now}, since = ${since}, open_since = ${openSince},
      epoch = epoch + ${isOurs ? 0 : 1} where watch_id = 1`.execute(transaction);
  return { now, since, openSince, isOurs: true };
}

/** What was judged until now says nothing. */
export async function restartWatch(transaction: Database, now: number): Promise<void> {
  await transaction
    .updateTable('recorder_watch')
    .set({ since: now, open_since: now })
    .where('watch_id', '=', 1)
    .execute();
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
    cameras: number;
    records: boolean;
  }>`
    select device.site_id, device_id, count(channel_id)::integer as cameras,
      coalesce(bool_or(record_quality is not null), false) as records
    from device join recorder_member using (site_id) left join channel using (device_id)
    group by device.site_id, device_id`.execute(database);
  const bySite = Map.groupBy(rows, (row) => row.site_id);
  return members.map((member) => ({
    ...member,
    devices: (bySite.get(member.site_id) ?? []).map(({ device_id: deviceId, cameras, records }) => ({
      deviceId,
      cameras,
      isRecorded: records,
    })),
  }));
}

/** `now`: a later time was stored before the clock of the database was set back. */
export async function storeHeard(
  transaction: Database,
  heard: readonly { readonly siteId: string; readonly at: number }[],
  now: number,
): Promise<void> {
  if (heard.length === 0) return;
  const [ids, times] = [heard.map(({ siteId }) => siteId), heard.map(({ at }) => Math.round(at))];
  await sql`
    update recorder_member set heard_at = heard.at
    from unnest(${ids}::text[], ${times}::bigint[]) as heard (site_id, at)
    where recorder_member.site_id = heard.site_id
      and (coalesce(heard_at, 0) < heard.at or heard_at > ${Math.round(now)}::bigint)`.execute(transaction);
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

/** Sites that are heard record what nobody had room for. */
export async function clearWithoutRoom(transaction: Database, siteIds: readonly string[]): Promise<void> {
  await sql`
    update recorder_member set without_room = 0
    where without_room > 0 and site_id = any(${[...siteIds]}::text[])`.execute(transaction);
}

export async function clearTaken(transaction: Database, siteIds: readonly string[]): Promise<void> {
  await sql`
    update recorder_member set taken_at = null
    where taken_at is not null and site_id = any(${[...siteIds]}::text[])`.execute(transaction);
}

export interface AwayRow extends AwayDevice {
  readonly cameras: number;
}

/** Devices that other sites have than the one where they belong, whether these are in a group still or not. */
export async function devicesAway(database: Database): Promise<AwayRow[]> {
  const { rows } = await sql<AwayRow>`
    select device_id as "deviceId", site_id as "siteId", home_site_id as "homeSiteId", count(channel_id)::integer as cameras
    from device left join channel using (device_id)
    where home_site_id is not null
    group by device_id, site_id, home_site_id order by device_id`.execute(database);
  return rows;
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
