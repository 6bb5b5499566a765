// Handlers of locks, which keep footage from being removed, and of bookmarks.
import type { Bookmark, FootageLock, recordPlanCalls } from '@vedette/contract/calls/record-plan.ts';
import { RECORD_LIMITS } from '@vedette/contract/limits.ts';
import { mayDevice } from '../../auth/may.ts';
import { CallError, fieldError, stillThere } from '../../call-error.ts';
import { findChannel } from '../../database/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import {
  bookmarkMaker,
  bookmarksOfChannel,
  countKept,
  deleteBookmark,
  deleteLock,
  insertBookmark,
  insertLock,
  lockMaker,
  locksOfChannel,
} from '../../database/kept-footage.queries.ts';
import type { BookmarkRow } from '../../database/schema.ts';
import type { Handlers, SignedInContext } from '../../http/handler.ts';
import { newId } from '../../randomness.ts';
import type { SiteKeeper } from '../../site-link/site-keeper.ts';

export interface KeptFootageParts {
  readonly database: Database;
  readonly keeper: SiteKeeper;
}

type KeptPath = Exclude<keyof typeof recordPlanCalls, `record/plan/${string}`>;
type LockPath = 'record/lock' | 'record/unlock' | 'record/lock/list';

const LOCK_MAX_MS = RECORD_LIMITS.lockS * 1000;

export function keptFootageHandlers(parts: KeptFootageParts): Handlers<KeptPath> {
  return { ...lockHandlers(parts), ...bookmarkHandlers(parts) };
}

function lockHandlers({ database, keeper }: KeptFootageParts): Handlers<LockPath> {
  return {
    'record/lock': async ({ input, device, principal, now, audit }) => {
      const { startTime, endTime, name, reason = '', ...dev } = input;
      if (endTime <= startTime) throw fieldError({ endTime: 'tooSmall' });
      if (endTime - startTime > LOCK_MAX_MS) throw fieldError({ endTime: 'tooBig' });
      const channelId = await channelIdOf(database, device.deviceId, dev.channelNo);
      // Two at once may pass the limit by one; it guards the disk, not a right.
      if ((await countKept(database, 'footage_lock', channelId)) >= RECORD_LIMITS.locks) {
        throw new CallError('quotaExceeded');
      }
      const row = { ...newRow(channelId, { startTime, endTime, name }, principal.userId, now), reason };
      const lock = { lock_id: newId(), ...row };
      await insertLock(database, lock);
      audit.object = lock.lock_id;
      await keeper.deviceChanged(device.deviceId, device.deviceSerial);
      return { lock: toLock(dev, { ...lock, creator_name: principal.userName }) };
    },
    'record/unlock': async ({ input, device, principal, rights, audit }) => {
      const channelId = await channelIdOf(database, device.deviceId, input.channelNo);
      const found = await lockMaker(database, channelId, input.lockId);
      await refuseForeign(database, found, { input, principal, rights });
      await deleteLock(database, input.lockId);
      audit.object = input.lockId;
      await keeper.deviceChanged(device.deviceId, device.deviceSerial);
      return {};
    },
    'record/lock/list': async ({ input, device }) => {
      const channelId = await channelIdOf(database, device.deviceId, input.channelNo);
      const lockList = (await locksOfChannel(database, channelId, input)).map((row) => toLock(input, row));
      return { total: lockList.length, lockList };
    },
  };
}

function bookmarkHandlers({ database }: KeptFootageParts): Handlers<Exclude<KeptPath, LockPath>> {
  return {
    'record/bookmark/list': async ({ input, device }) => {
      const channelId = await channelIdOf(database, device.deviceId, input.channelNo);
      const bookmarkList = (await bookmarksOfChannel(database, channelId, input)).map((row) => toBookmark(input, row));
      return { total: bookmarkList.length, bookmarkList };
    },
    'record/bookmark/add': async ({ input, device, principal, now, audit }) => {
      const { startTime, endTime, name, ...dev } = input;
      if (endTime < startTime) throw fieldError({ endTime: 'tooSmall' });
      const channelId = await channelIdOf(database, device.deviceId, dev.channelNo);
      if ((await countKept(database, 'bookmark', channelId)) >= RECORD_LIMITS.bookmarks) {
        throw new CallError('quotaExceeded');
      }
      const row = newRow(channelId, { startTime, endTime, name }, principal.userId, now);
      const bookmark = { bookmark_id: newId(), ...row };
      await insertBookmark(database, bookmark);
      audit.object = bookmark.bookmark_id;
      return { bookmark: toBookmark(dev, { ...bookmark, creator_name: principal.userName }) };
    },
    'record/bookmark/delete': async ({ input, device, principal, rights, audit }) => {
      const channelId = await channelIdOf(database, device.deviceId, input.channelNo);
      const found = await bookmarkMaker(database, channelId, input.bookmarkId);
      await refuseForeign(database, found, { input, principal, rights });
      await deleteBookmark(database, input.bookmarkId);
      audit.object = input.bookmarkId;
      return {};
    },
  };
}

interface Dev {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** Throws 1007 where there is none, 1004 where another account made it and the caller may not configure the device. */
async function refuseForeign(
  database: Database,
  found: { readonly created_by: string | null } | undefined,
  { input, principal, rights }: Pick<SignedInContext, 'principal' | 'rights'> & { readonly input: Dev },
): Promise<void> {
  if (found === undefined) throw new CallError('notFound');
  if (found.created_by !== principal.userId) await mayDevice(database, await rights(), 'Config', input);
}

async function channelIdOf(database: Database, deviceId: string, channelNo: number): Promise<string> {
  return stillThere(await findChannel(database, deviceId, channelNo), 'devNotExist').channel_id;
}

function newRow(
  channelId: string,
  { startTime, endTime, name }: { startTime: number; endTime: number; name: string },
  userId: string,
  now: number,
) {
  return {
    channel_id: channelId,
    start_time: startTime,
    end_time: endTime,
    name: name.trim(),
    created_by: userId,
    created_at: now,
  };
}

type NamedRow = Omit<BookmarkRow, 'bookmark_id'> & { readonly creator_name: string | null };

function toKept({ deviceSerial, channelNo }: Dev, row: NamedRow) {
  return {
    deviceSerial,
    channelNo,
    startTime: row.start_time,
    endTime: row.end_time,
    name: row.name,
    createdBy: row.creator_name ?? '',
    createTime: row.created_at,
  };
}

function toLock(dev: Dev, row: NamedRow & { lock_id: string; reason: string }): FootageLock {
  return { lockId: row.lock_id, ...toKept(dev, row), reason: row.reason };
}

function toBookmark(dev: Dev, row: NamedRow & { bookmark_id: string }): Bookmark {
  return { bookmarkId: row.bookmark_id, ...toKept(dev, row) };
}
