// Reads and writes locks of footage and bookmarks, with the name of the account that made them.
import type { Database } from './connection.ts';
import type { BookmarkRow, FootageLockRow } from './schema.ts';

export interface KeptRange {
  readonly startTime: number;
  readonly endTime: number;
}

type Named<T> = T & { readonly creator_name: string | null };

/** For the site; those that ended long ago too, as long as their footage may be there. */
export function locksOfEverything(database: Database): Promise<(KeptRange & { channelId: string })[]> {
  return selectRanges(database).execute();
}

export function locksOfDevice(database: Database, deviceId: string): Promise<(KeptRange & { channelId: string })[]> {
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
  range: KeptRange,
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
  range: KeptRange,
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

export async function countKept(
  database: Database,
  table: 'footage_lock' | 'bookmark',
  channelId: string,
): Promise<number> {
  const { total } = await database
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  return total;
}

export async function insertLock(database: Database, row: FootageLockRow): Promise<void> {
  await database.insertInto('footage_lock').values(row).execute();
}

export async function insertBookmark(database: Database, row: BookmarkRow): Promise<void> {
  await database.insertInto('bookmark').values(row).execute();
}

/** Undefined where the channel has no such lock. */
export async function lockMaker(database: Database, channelId: string, lockId: string) {
  return await database
    .selectFrom('footage_lock')
    .select('created_by')
    .where('channel_id', '=', channelId)
    .where('lock_id', '=', lockId)
    .executeTakeFirst();
}

/** Undefined where the channel has no such bookmark. */
export async function bookmarkMaker(database: Database, channelId: string, bookmarkId: string) {
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
