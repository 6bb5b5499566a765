// Calls of recording plans, retention locks and bookmarks.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, descriptionText, deviceSerial, id, nameText, quality, smallInt, timeMs } from '../entities.ts';
import { OBJECT_CLASSES, RECORD_PLAN_TYPE } from '../enumerations.ts';
import { HOLIDAY_ROW, RECORD_LIMITS, TIME_PLAN_SEGMENTS_PER_DAY } from '../limits.ts';

const dev = { deviceSerial, channelNo };
const timeRange = { startTime: timeMs, endTime: timeMs };
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/);

/** EndTime is exclusive; 23:59:59 as an end means midnight. Times without an entry are not recorded. */
export const RecordPlanEntry = z
  .object({
    StartTime: timeOfDay,
    EndTime: timeOfDay,
    Type: z.union([z.literal(RECORD_PLAN_TYPE.continuous), z.literal(RECORD_PLAN_TYPE.event)]),
  })
  .strict();
export type RecordPlanEntry = z.infer<typeof RecordPlanEntry>;

/** `day` 1 Monday to 7 Sunday, 8 the holiday row. */
export const RecordPlanDay = z
  .object({
    day: z.number().int().min(1).max(HOLIDAY_ROW),
    entryList: z.array(RecordPlanEntry).max(TIME_PLAN_SEGMENTS_PER_DAY),
  })
  .strict();
export type RecordPlanDay = z.infer<typeof RecordPlanDay>;

const settings = {
  /** A missing day is not recorded; answers contain all eight. */
  plan: z.array(RecordPlanDay).max(HOLIDAY_ROW),
  /** Days (YYYY-MM-DD in the device's time zone) that use the holiday row. */
  holidayList: z.array(z.string().regex(/^\d{4}-\d{2}-\d{2}$/)).max(RECORD_LIMITS.holidays),
  /** Seconds before an event that are recorded with it. */
  preRoll: z.number().int().min(0).max(RECORD_LIMITS.preRollS),
  /** Null: unlimited. */
  retentionDays: z.number().int().min(1).max(RECORD_LIMITS.retentionDays).nullable(),
  /** Recordings of times in which edge intelligence looked and saw none of these classes stay only so many days. Null: as long as all. */
  emptyRetention: z
    .object({
      classList: z.array(z.enum(OBJECT_CLASSES)).min(1).max(OBJECT_CLASSES.length),
      /** Less than `retentionDays`. */
      days: z.number().int().min(1).max(RECORD_LIMITS.retentionDays),
    })
    .strict()
    .nullable()
    .default(null),
  quality,
  /** The second stream is recorded too, beside the main one. */
  secondStream: z.boolean(),
  /** Most that the recordings of this channel may take, bytes; null: no limit of its own. */
  quotaBytes: z.number().int().min(RECORD_LIMITS.quotaBytesMin).max(Number.MAX_SAFE_INTEGER).nullable(),
  /** After an outage the gap is filled from the device's edge recordings (backfill). */
  fillsGaps: z.boolean().default(true),
};

export const RecordPlan = z.object({
  ...settings,
  /** IANA zone of the device, in which the plan is read. */
  timeZone: z.string(),
  version: z.number().int(),
});
export type RecordPlan = z.infer<typeof RecordPlan>;

const RecordingMark = {
  deviceSerial: z.string(),
  channelNo: z.number().int(),
  startTime: timeMs,
  endTime: timeMs,
  name: z.string(),
  /** Name of the account; empty when it is gone. */
  createdBy: z.string(),
  createTime: timeMs,
};
export const RetentionLock = z.object({
  lockId: z.string(),
  ...RecordingMark,
  reason: z.string(),
  /** Made by a recipient of a share: it ends with the share. */
  isByShare: z.boolean(),
});
export type RetentionLock = z.infer<typeof RetentionLock>;
export const Bookmark = z.object({ bookmarkId: z.string(), ...RecordingMark });
export type Bookmark = z.infer<typeof Bookmark>;

const replay = { kind: 'device', action: 'Replay' } as const;
const config = { kind: 'device', action: 'Config' } as const;
const recordConfig = { kind: 'device', action: 'RecordConfig' } as const;
/** Without times: all of the channel. */
const someTime = { startTime: timeMs.default(0), endTime: timeMs.default(8.64e15) };

export const recordPlanCalls = {
  'record/plan/get': call({
    summary: 'When and how a channel is recorded',
    permission: config,
    audit: 'none',
    errors: [1009],
    input: z.object(dev).strict(),
    output: RecordPlan,
  }),
  'record/plan/set': call({
    summary: 'Change when and how a channel is recorded',
    permission: recordConfig,
    audit: 'write',
    errors: [1009, 1010],
    input: z
      .object({
        ...dev,
        ...settings,
        /** Plan of the device, for all channels; absent: keeps it. */
        timeZone: z.string().min(1).max(64).optional(),
        version: smallInt,
      })
      .strict(),
    output: RecordPlan,
  }),
  'record/lock': call({
    summary: 'Keep footage of a past time range from being removed; what a share let somebody lock ends with the share',
    permission: replay,
    audit: 'write',
    errors: [1009, 1011],
    input: z.object({ ...dev, ...timeRange, name: nameText, reason: descriptionText.optional() }).strict(),
    output: z.object({ lock: RetentionLock }),
  }),
  'record/unlock': call({
    summary: 'Let footage be removed again; by who locked it, or who may change what is kept',
    permission: replay,
    audit: 'write',
    errors: [1004, 1007, 1009],
    input: z.object({ ...dev, lockId: id }).strict(),
    output: z.object({}),
  }),
  'record/lock/list': call({
    summary: 'Locks of a channel that touch a time range, newest first',
    permission: replay,
    audit: 'none',
    errors: [1009],
    input: z.object({ ...dev, ...someTime }).strict(),
    output: z.object({ total: z.number().int(), lockList: z.array(RetentionLock) }),
  }),
  'record/bookmark/list': call({
    summary: 'Bookmarks of a channel that touch a time range, newest first',
    permission: replay,
    audit: 'none',
    errors: [1009],
    input: z.object({ ...dev, ...someTime }).strict(),
    output: z.object({ total: z.number().int(), bookmarkList: z.array(Bookmark) }),
  }),
  'record/bookmark/add': call({
    summary: 'Mark an instant or a time range by a name; equal times mark an instant',
    permission: replay,
    audit: 'write',
    errors: [1009, 1011],
    input: z.object({ ...dev, ...timeRange, name: nameText }).strict(),
    output: z.object({ bookmark: Bookmark }),
  }),
  'record/bookmark/delete': call({
    summary: 'Remove a bookmark; by who made it, or who may configure the device',
    permission: replay,
    audit: 'write',
    errors: [1004, 1007, 1009],
    input: z.object({ ...dev, bookmarkId: id }).strict(),
    output: z.object({}),
  }),
} as const;
