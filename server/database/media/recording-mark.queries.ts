// Reads and writes retention locks and bookmarks of recordings, with the name of their creator.
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { BookmarkRow, FootageLockRow } from '../schema/recording-mark-schema.ts';

export interface TimeRange {
  readonly startTime: number;
  readonly endTime: number;
}

type Named<T> = T & { readonly creator_name: string | null };

/** For the site; those that ended long ago too, as long as their recordings may be there. */
export function allLocks(database: Database): Promise<(TimeRange & { channelId: string })[]> {
  return selectRanges(database).execute();
}

export function locksOfDevice(database: Database, deviceId: string): Promise<(TimeRange & { channelId: string })[]> {
  return selectRanges(database)
    .innerJoin('channel', 'channel.channel_id', 'footage_lock.channel_id')
    .where('channel.device_id', '=', deviceId)
    .execute();
}

function selectRanges(database: Database) {
  return database
    .selectFrom('footage_lock')
    .select([
      'footage_lock.channel_id as channelId',
      'footage_lock.start_time as startTime',
      'footage_lock.end_time as endTime',
    ])
    .orderBy('footage_lock.start_time');
}

/** Newest first. */
export function locksOfChannel(
  database: Database,
  channelId: string,
  range: TimeRange,
): Promise<Named<FootageLockRow>[]> {
  return database
    .selectFrom('footage_lock')
    .leftJoin('account', 'account.account_id', 'footage_lock.created_by')
    .selectAll('footage_lock')
    .select('account.user_name as creator_name')
    .where('channel_id', '=', channelId)
    .where('start_time', '<=', range.endTime)
    .where('end_time', '>=', range.startTime)
    .orderBy('start_time', 'desc')
    .orderBy('lock_id')
    .execute();
}

/** Newest first. */
export function bookmarksOfChannel(
  database: Database,
  channelId: string,
  range: TimeRange,
): Promise<Named<BookmarkRow>[]> {
  return database
    .selectFrom('bookmark')
    .leftJoin('account', 'account.account_id', 'bookmark.created_by')
    .selectAll('bookmark')
    .select('account.user_name as creator_name')
    .where('channel_id', '=', channelId)
    .where('start_time', '<=', range.endTime)
    .where('end_time', '>=', range.startTime)
    .orderBy('start_time', 'desc')
    .orderBy('bookmark_id')
    .execute();
}

export async function countBookmarks(database: Database, channelId: string): Promise<number> {
  const { total } = await database
    .selectFrom('bookmark')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  return total;
}

/** Locks of the owner and its sub-accounts; those of others don't count against it. */
export async function countOwnLocks(database: Database, channelId: string): Promise<number> {
  const { total } = await database
    .selectFrom('footage_lock')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('channel_id', '=', channelId)
    .where('by_share', '=', false)
    .executeTakeFirstOrThrow();
  return total;
}

/** All locks of an account on devices of others. */
export async function sharedLocksOf(database: Database, accountId: string): Promise<{ total: number; ms: number }> {
  return await database
    .selectFrom('footage_lock')
    .select((select) => [
      select.fn.countAll<number>().as('total'),
      sql<number>`coalesce(sum(end_time - start_time), 0)::float8`.as('ms'),
    ])
    .where('created_by', '=', accountId)
    .where('by_share', '=', true)
    .executeTakeFirstOrThrow();
}

/** A lock made through a share. */
export interface SharedLock {
  readonly lockId: string;
  readonly createdBy: string | null;
  readonly deviceId: string;
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** Locks whose right may have changed. */
export function sharedLocksConcerning(
  database: Database,
  which: { readonly accountIds: readonly string[]; readonly deviceSerials: readonly string[] },
): Promise<SharedLock[]> {
  return selectSharedLocks(database)
    .where((where) =>
      where.or([
        ...(which.accountIds.length === 0 ? [] : [where('created_by', 'in', [...which.accountIds])]),
        ...(which.deviceSerials.length === 0 ? [] : [where('device_serial', 'in', [...which.deviceSerials])]),
      ]),
    )
    .execute();
}

/** Locks whose right has expired by `now`, and those of deleted accounts. */
export function sharedLocksEndingBy(database: Database, now: number): Promise<SharedLock[]> {
  return selectSharedLocks(database)
    .where((where) => where.or([where('until', '<=', now), where('created_by', 'is', null)]))
    .execute();
}

function selectSharedLocks(database: Database) {
  return database
    .selectFrom('footage_lock')
    .innerJoin('channel', 'channel.channel_id', 'footage_lock.channel_id')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select([
      'lock_id as lockId',
      'created_by as createdBy',
      'device.device_id as deviceId',
      'device_serial as deviceSerial',
      'channel_no as channelNo',
    ])
    .where('by_share', '=', true);
}

export async function setLockRight(
  database: Database,
  lockId: string,
  { byShare, until }: { readonly byShare: boolean; readonly until: number | null },
): Promise<void> {
  await database.updateTable('footage_lock').set({ by_share: byShare, until }).where('lock_id', '=', lockId).execute();
}

export async function insertLock(database: Database, row: FootageLockRow): Promise<void> {
  await database.insertInto('footage_lock').values(row).execute();
}

export async function insertBookmark(database: Database, row: BookmarkRow): Promise<void> {
  await database.insertInto('bookmark').values(row).execute();
}

/** Undefined where the channel has no such lock. */
export async function lockCreator(database: Database, channelId: string, lockId: string) {
  return await database
    .selectFrom('footage_lock')
    .select('created_by')
    .where('channel_id', '=', channelId)
    .where('lock_id', '=', lockId)
    .executeTakeFirst();
}

/** Undefined where the channel has no such bookmark. */
export async function bookmarkCreator(database: Database, channelId: string, bookmarkId: string) {
  return await database
    .selectFrom('bookmark')
    .select('created_by')
    .where('channel_id', '=', channelId)
    .where('bookmark_id', '=', bookmarkId)
    .executeTakeFirst();
}

export async function deleteLock(database: Database, lockId: string): Promise<void> {
  await database.deleteFrom('footage_lock').where('lock_id', '=', lockId).execute();
}

export async function deleteBookmark(database: Database, bookmarkId: string): Promise<void> {
  await database.deleteFrom('bookmark').where('bookmark_id', '=', bookmarkId).execute();
}
