// Calls of alarms: list with filters, type table, handling, counts and export.
import { z } from 'zod';
import { ALARM_END_REASONS, ALARM_GROUPS, ALARM_SEVERITIES, RAISED_ALARM_TYPE_NAMES } from '../alarm-types.ts';
import { call } from '../call.ts';
import { channelNo, descriptionText, deviceSerial, id, timeMs } from '../entities.ts';
import { ALARM_LIMITS, PAGE_SIZE } from '../limits.ts';

/** In the order of handling; each state includes the fields of those before it. */
export const ALARM_STATES = ['new', 'acknowledged', 'assigned', 'closed'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

const severity = z.enum(ALARM_SEVERITIES);
const group = z.enum(ALARM_GROUPS);
/** Names and values as the device sent them. */
const items = z.record(z.string(), z.string());

export const AlarmComment = z.object({
  /** Name of the account; empty if deleted. */
  userName: z.string(),
  text: z.string(),
  time: timeMs,
});

export const Alarm = z.object({
  alarmId: z.string(),
  /** A type of EN-06 that raises; `endTime` is its end. */
  type: z.string(),
  group,
  severity,
  state: z.enum(ALARM_STATES),
  deviceSerial: z.string(),
  deviceName: z.string(),
  /** 0: the device itself. */
  channelNo: z.number().int(),
  /** Empty for the device itself. */
  channelName: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  /** When it began. */
  time: timeMs,
  /** Null while it lasts; equal to `time` where it happened at one instant. */
  endTime: timeMs.nullable(),
  endReason: z.enum(ALARM_END_REASONS).nullable(),
  /** Start by the device's clock. */
  deviceTime: z.number().int().nullable(),
  /** Topic of the device's event; empty if the server noticed it itself. */
  topic: z.string(),
  source: items,
  data: items,
  /** How often the device repeated it while it lasted. */
  repeatCount: z.number().int(),
  acknowledgedAt: timeMs.nullable(),
  /** Account that acknowledged it; empty if none, or deleted. */
  acknowledgedBy: z.string(),
  /** Account it is assigned to; empty if none. */
  assignedTo: z.string(),
  /** Null while open. When the device reports the end, an acknowledged alarm is closed. */
  closedAt: timeMs.nullable(),
  /** Account that closed it; empty if it was closed by the device's end. */
  closedBy: z.string(),
  commentList: z.array(AlarmComment),
  /** Of the picture that a rule took or a program sent; null: there is neither. */
  pictureTime: timeMs.nullable(),
});
export type Alarm = z.infer<typeof Alarm>;

const filter = {
  types: z.array(z.enum(RAISED_ALARM_TYPE_NAMES)).max(RAISED_ALARM_TYPE_NAMES.length).optional(),
  groups: z.array(group).max(ALARM_GROUPS.length).optional(),
  /** Without a channel: the device and all its channels. */
  devices: z
    .array(z.object({ deviceSerial, channelNo: channelNo.optional() }).strict())
    .min(1)
    .max(ALARM_LIMITS.devices)
    .optional(),
  /** With all organisations below. */
  organizationId: id.optional(),
  state: z.enum(ALARM_STATES).optional(),
  severity: z.array(severity).max(ALARM_SEVERITIES.length).optional(),
  /** True: only alarms that still last. */
  isActive: z.boolean().optional(),
  /** Inclusive. */
  startTime: timeMs.optional(),
  /** Exclusive. */
  endTime: timeMs.optional(),
};

/** Grouping of the counts. */
export const ALARM_STAT_GROUPS = [
  'day',
  'hour',
  'type',
  'group',
  'severity',
  'state',
  'device',
  'organization',
] as const;

export const AlarmExport = z.object({
  task: z.string(),
  state: z.enum(['running', 'finished', 'failed']),
  rows: z.number().int(),
  /** More alarms matched than fit one file: it contains the newest. */
  isCut: z.boolean(),
  fileName: z.string(),
  /** CSV with a byte order mark; empty until it is finished. */
  csv: z.string(),
});
export type AlarmExport = z.infer<typeof AlarmExport>;

const alarmPush = { kind: 'account', action: 'AlarmPush' } as const;
/** Undoes the caller's own last step. */
const undo = z.boolean().default(false);
const alarmIds = z.array(id).min(1).max(ALARM_LIMITS.batch);

export const alarmCalls = {
  'alarm/list': call({
    summary: 'Alarms that the caller may see, newest first',
    permission: alarmPush,
    audit: 'read',
    errors: [1007],
    input: z
      .object({
        ...filter,
        /** `next` of the previous page. */
        cursor: z.string().max(64).optional(),
        pageSize: z.number().int().min(1).max(ALARM_LIMITS.pageSize).default(PAGE_SIZE.alarms),
      })
      .strict(),
    output: z.object({
      alarmList: z.array(Alarm),
      /** Null on the last page. */
      next: z.string().nullable(),
    }),
  }),
  'alarm/types': call({
    summary: 'The table of alarm types with their texts',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({
      typeList: z.array(
        z.object({
          type: z.string(),
          group,
          severity,
          /** The type that ends it; null where it happens at one instant. */
          clearedBy: z.string().nullable(),
          /** The type that it ends, for `…Cleared` types and Online. */
          clears: z.string().nullable(),
          nameEn: z.string(),
          nameZh: z.string(),
        }),
      ),
    }),
  }),
  'alarm/ack': call({
    summary: 'Acknowledge alarms; those that are acknowledged already stay as they are',
    permission: alarmPush,
    audit: 'write',
    errors: [1007],
    input: z.object({ alarmIds, undo }).strict(),
    output: z.object({ alarmList: z.array(Alarm) }),
  }),
  'alarm/assign': call({
    summary: "Give alarms to an account to see to; without one they are nobody's any more",
    permission: alarmPush,
    audit: 'write',
    errors: [1007],
    input: z.object({ alarmIds, account: z.string().min(1).max(64).optional() }).strict(),
    output: z.object({ alarmList: z.array(Alarm) }),
  }),
  'alarm/close': call({
    summary: 'Close alarms, which acknowledges them too',
    permission: alarmPush,
    audit: 'write',
    errors: [1007],
    input: z.object({ alarmIds, undo }).strict(),
    output: z.object({ alarmList: z.array(Alarm) }),
  }),
  'alarm/stats': call({
    summary: 'How many alarms there are, by what they are counted by',
    permission: alarmPush,
    audit: 'read',
    errors: [1007],
    input: z
      .object({
        ...filter,
        startTime: timeMs,
        endTime: timeMs,
        groupBy: z.enum(ALARM_STAT_GROUPS),
        /** IANA zone of days and hours. */
        timeZone: z.string().min(1).max(64).default('UTC'),
      })
      .strict(),
    output: z.object({
      total: z.number().int(),
      /** `key`: YYYY-MM-DD, hour 00 to 23, type, group, severity, state, serial or organisation. Days and hours ascending, others by count. */
      countList: z.array(
        z.object({ key: z.string(), name: z.string(), count: z.number().int(), newCount: z.number().int() }),
      ),
    }),
  }),
  'alarm/export': call({
    summary: 'Write alarms into a CSV file; the answer names the task',
    permission: alarmPush,
    audit: 'write',
    errors: [1007, 1011],
    input: z
      .object({
        ...filter,
        language: z.enum(['en', 'zh-CN']).default('en'),
        timeZone: z.string().min(1).max(64).default('UTC'),
      })
      .strict(),
    output: z.object({ export: AlarmExport }),
  }),
  'alarm/export/status': call({
    summary: 'How far a CSV file of alarms is, and the file itself; it is kept for ten minutes',
    permission: alarmPush,
    audit: 'none',
    errors: [1007],
    input: z.object({ task: id }).strict(),
    output: z.object({ export: AlarmExport }),
  }),
  'alarm/picture': call({
    summary: 'The picture of an alarm: the one that a rule took or a program sent, else the recorded one of its time',
    permission: alarmPush,
    audit: 'read',
    opensVideo: true,
    errors: [1007],
    input: z.object({ alarmId: id }).strict(),
    output: z.object({
      /** Null if there is none, or the caller may not view recordings of the channel. */
      picture: z
        .object({
          contentType: z.string(),
          /** Base64. */
          data: z.string(),
          time: timeMs,
          /** By a rule, or sent with the event. */
          isTaken: z.boolean(),
        })
        .nullable(),
    }),
  }),
  'alarm/comment': call({
    summary: 'Add a comment to alarms',
    permission: alarmPush,
    audit: 'write',
    errors: [1007, 1011],
    input: z.object({ alarmIds, comment: descriptionText }).strict(),
    output: z.object({ alarmList: z.array(Alarm) }),
  }),
} as const;
