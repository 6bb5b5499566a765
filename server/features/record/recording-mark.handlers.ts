// Handlers of retention locks and bookmarks.
import type { Bookmark, RetentionLock, recordPlanCalls } from '@vedette/contract/calls/record-plan.ts';
import { RECORD_LIMITS } from '@vedette/contract/limits.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { type AuthorizedDevice, authorizeDevice } from '../../auth/authorize.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import {
  bookmarkCreator,
  bookmarksOfChannel,
  countBookmarks,
  countOwnLocks,
  deleteBookmark,
  deleteLock,
  insertBookmark,
  insertLock,
  lockCreator,
  locksOfChannel,
  sharedLocksOf,
} from '../../database/media/recording-mark.queries.ts';
import type { BookmarkRow } from '../../database/schema/recording-mark-schema.ts';
import type { Handlers, SignedInContext } from '../../http/handler.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import { lockRight } from './lock-revalidator.ts';

export interface RecordingMarkDeps {
  readonly database: Database;
  readonly assignmentSync: AssignmentSync;
}

type RecordingMarkPath = Exclude<keyof typeof recordPlanCalls, `record/plan/${string}`>;
type LockPath = 'record/lock' | 'record/unlock' | 'record/lock/list';

const LOCK_MAX_MS = RECORD_LIMITS.lockS * 1000;

export function recordingMarkHandlers(deps: RecordingMarkDeps): Handlers<RecordingMarkPath> {
  return { ...lockHandlers(deps), ...bookmarkHandlers(deps) };
}

function lockHandlers({ database, assignmentSync }: RecordingMarkDeps): Handlers<LockPath> {
  return {
    'record/lock': async ({ input, device, principal, rights, now, audit }) => {
      const { name, reason = '', deviceSerial, channelNo } = input;
      const dev = { deviceSerial, channelNo };
      const range = pastRange(input, now);
      const channelId = await channelIdOf(database, device.deviceId, channelNo);
      const byShare = isByShare(device);
      const until = byShare ? lockRight(await rights(), device, channelNo).until : null;
      const row = { ...newRow(channelId, { ...range, name }, principal.userId, now), reason, by_share: byShare, until };
      const lock = { lock_id: newId(), ...row };
      const use = byShare
        ? { accountId: principal.userId, now, take: { sharedLocks: 1 } }
        : { accountId: device.ownerId, now, take: { locks: 1 } };
      await withinQuota(database, use, async (transaction) => {
        await refuseTooMany(transaction, byShare ? { accountId: principal.userId, range } : { channelId });
        await insertLock(transaction, lock);
      });
      audit.object = `${audit.object} lockId=${lock.lock_id}`;
      await assignmentSync.deviceChanged(device.deviceId, device.deviceSerial);
      return { lock: toLock(dev, { ...lock, creator_name: principal.userName }) };
    },
    'record/unlock': async ({ input, device, principal, rights, audit }) => {
      const channelId = await channelIdOf(database, device.deviceId, input.channelNo);
      const found = await lockCreator(database, channelId, input.lockId);
      await refuseForeign(database, found, { input, principal, rights, action: 'RecordConfig' });
      await deleteLock(database, input.lockId);
      audit.object = `${audit.object} lockId=${input.lockId}`;
      await assignmentSync.deviceChanged(device.deviceId, device.deviceSerial);
      return {};
    },
    'record/lock/list': async ({ input, device }) => {
      const channelId = await channelIdOf(database, device.deviceId, input.channelNo);
      const lockList = (await locksOfChannel(database, channelId, input)).map((row) => toLock(input, row));
      return { total: lockList.length, lockList };
    },
  };
}

function bookmarkHandlers({ database }: RecordingMarkDeps): Handlers<Exclude<RecordingMarkPath, LockPath>> {
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
      const row = newRow(channelId, { startTime, endTime, name }, principal.userId, now);
      const bookmark = { bookmark_id: newId(), ...row };
      const use = { accountId: principal.userId, now, take: { bookmarks: 1 } };
      await withinQuota(database, use, async (transaction) => {
        const isFull = (await countBookmarks(transaction, channelId)) >= RECORD_LIMITS.bookmarks;
        if (isFull) throw new CallError('quotaExceeded');
        await insertBookmark(transaction, bookmark);
      });
      audit.object = `${audit.object} bookmarkId=${bookmark.bookmark_id}`;
      return { bookmark: toBookmark(dev, { ...bookmark, creator_name: principal.userName }) };
    },
    'record/bookmark/delete': async ({ input, device, principal, rights, audit }) => {
      const channelId = await channelIdOf(database, device.deviceId, input.channelNo);
      const found = await bookmarkCreator(database, channelId, input.bookmarkId);
      await refuseForeign(database, found, { input, principal, rights, action: 'Config' });
      await deleteBookmark(database, input.bookmarkId);
      audit.object = `${audit.object} bookmarkId=${input.bookmarkId}`;
      return {};
    },
  };
}

interface Dev {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

interface Range {
  readonly startTime: number;
  readonly endTime: number;
}

/** What is to come is nobody's to lock: it would be kept before anybody knows what it shows. */
function pastRange({ startTime, endTime }: Range, now: number): Range {
  if (endTime <= startTime) throw fieldError({ endTime: 'tooSmall' });
  if (endTime - startTime > LOCK_MAX_MS || endTime > now + RECORD_LIMITS.lockAheadMs || startTime >= now) {
    throw fieldError({ endTime: 'tooBig' });
  }
  return { startTime, endTime: Math.min(endTime, now) };
}

function isByShare({ decision: { because } }: AuthorizedDevice): boolean {
  return because.kind === 'grant' && because.shareId !== null;
}

/** Who has a channel by a share spends what is its own, and none of the owner's. */
async function refuseTooMany(
  database: Database,
  whose: { readonly channelId: string } | { readonly accountId: string; readonly range: Range },
): Promise<void> {
  if ('channelId' in whose) {
    const isFull = (await countOwnLocks(database, whose.channelId)) >= RECORD_LIMITS.locks;
    if (isFull) throw new CallError('quotaExceeded');
    return;
  }
  const { accountId, range } = whose;
  const held = await sharedLocksOf(database, accountId);
  const ms = held.ms + range.endTime - range.startTime;
  if (ms > RECORD_LIMITS.sharedLockS * 1000) throw new CallError('quotaExceeded');
}

/** Throws 1007 where there is none, 1004 where another account made it and the caller lacks the right on the channel. */
async function refuseForeign(
  database: Database,
  found: { readonly created_by: string | null } | undefined,
  {
    input,
    principal,
    rights,
    action,
  }: Pick<SignedInContext, 'principal' | 'rights'> & { readonly input: Dev; readonly action: Permission },
): Promise<void> {
  if (found === undefined) throw new CallError('notFound');
  if (found.created_by !== principal.userId) await authorizeDevice(database, await rights(), action, input);
}

async function channelIdOf(database: Database, deviceId: string, channelNo: number): Promise<string> {
  return requireFound(await findChannel(database, deviceId, channelNo), 'devNotExist').channel_id;
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

function toRecordingMark({ deviceSerial, channelNo }: Dev, row: NamedRow) {
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

function toLock(dev: Dev, row: NamedRow & { lock_id: string; reason: string; by_share: boolean }): RetentionLock {
  return { lockId: row.lock_id, ...toRecordingMark(dev, row), reason: row.reason, isByShare: row.by_share };
}

function toBookmark(dev: Dev, row: NamedRow & { bookmark_id: string }): Bookmark {
  return { bookmarkId: row.bookmark_id, ...toRecordingMark(dev, row) };
}
