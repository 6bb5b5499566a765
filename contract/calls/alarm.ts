// Calls of alarms: the list with its filters, the table of types, acknowledging and commenting.
import { z } from 'zod';
import { ALARM_END_REASONS, ALARM_GROUPS, ALARM_SEVERITIES, RAISED_ALARM_TYPE_NAMES } from '../alarm-types.ts';
import { call } from '../call.ts';
import { channelNo, descriptionText, deviceSerial, id, timeMs } from '../entities.ts';
import { ALARM_LIMITS, PAGE_SIZE } from '../limits.ts';

export const ALARM_STATES = ['new', 'acknowledged'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

const severity = z.enum(ALARM_SEVERITIES);
const group = z.enum(ALARM_GROUPS);
/** Names and values as the device sent them. */
const items = z.record(z.string(), z.string());

export const AlarmComment = z.object({
  /** Of the account; empty when it is gone. */
  userName: z.string(),
  text: z.string(),
  time: timeMs,
});

export const Alarm = z.object({
  alarmId: z.string(),
  /** A name of EN-06 that raises; its end is told by `endTime`. */
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
  /** The device's own clock at the beginning. */
  deviceTime: z.number().int().nullable(),
  /** Of the device's event; empty where the server noticed it itself. */
  topic: z.string(),
  source: items,
  data: items,
  /** How often the device said it again while it lasted. */
  repeatCount: z.number().int(),
  acknowledgedAt: timeMs.nullable(),
  /** Name of the account; empty where nobody has, or it is gone. */
  acknowledgedBy: z.string(),
  commentList: z.array(AlarmComment),
});
export type Alarm = z.infer<typeof Alarm>;

const alarmPush = { kind: 'account', action: 'AlarmPush' } as const;
const alarmIds = z.array(id).min(1).max(ALARM_LIMITS.batch);

export const alarmCalls = {
  'alarm/list': call({
    summary: 'Alarms that the caller may see, newest first',
    permission: alarmPush,
    audit: 'read',
    errors: [1007],
    input: z
      .object({
        types: z.array(z.enum(RAISED_ALARM_TYPE_NAMES)).max(RAISED_ALARM_TYPE_NAMES.length).optional(),
        groups: z.array(group).max(ALARM_GROUPS.length).optional(),
        /** Without a channel: the device and all its channels. */
        devices: z
          .array(z.object({ deviceSerial, channelNo: channelNo.optional() }).strict())
          .min(1)
          .max(ALARM_LIMITS.devices)
          .optional(),
        /** With all below. */
        organizationId: id.optional(),
        state: z.enum(ALARM_STATES).optional(),
        severity: z.array(severity).max(ALARM_SEVERITIES.length).optional(),
        /** True: those that last now. */
        isActive: z.boolean().optional(),
        /** From it on. */
        startTime: timeMs.optional(),
        /** Not itself. */
        endTime: timeMs.optional(),
        /** `next` of the page before. */
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
    input: z.object({ alarmIds }).strict(),
    output: z.object({ alarmList: z.array(Alarm) }),
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
