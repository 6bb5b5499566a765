// Calls of sharing: granting rights on a device, channel or organisation to another account, re-sharing, and withdrawal.
import { z } from 'zod';
import { call } from '../call.ts';
import {
  channelNo,
  descriptionText,
  Device,
  deviceSerial,
  id,
  nameText,
  Organization,
  ShareInfo,
  smallInt,
  timeMs,
} from '../entities.ts';
import { SHARE_STATES, SHARE_TYPE } from '../enumerations.ts';
import { PAGE_SIZE, TIME_PLAN_SEGMENTS_PER_DAY, WEEK_DAYS } from '../limits.ts';
import { SHARE_RIGHT_NAMES } from '../permissions.ts';
import { pageSize, pageStart } from './user.ts';

export const ShareItem = z.union([
  z.object({ deviceSerial, channelNo }).strict(),
  z.object({ deviceSerial }).strict(),
  z.object({ organizationId: id }).strict(),
]);
export type ShareItem = z.infer<typeof ShareItem>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/);

/** Hours of one day (1 Monday to 7 Sunday) in which a share is open; 23:59:59 as an end means midnight. */
export const ShareDay = z
  .object({
    day: z.number().int().min(1).max(WEEK_DAYS.length),
    entryList: z
      .array(z.object({ StartTime: timeOfDay, EndTime: timeOfDay, Type: z.literal(1) }).strict())
      .max(TIME_PLAN_SEGMENTS_PER_DAY),
  })
  .strict();
export type ShareDay = z.infer<typeof ShareDay>;

export const Share = ShareInfo.extend({
  account: z.string(),
  isShared: z.number().int(),
  deviceSerial: z.string().nullable(),
  organizationId: z.string().nullable(),
  resourceName: z.string(),
  /** `pending`: not accepted yet; `scheduled`: opens later by its start or weekly hours; `ended`: no longer valid. */
  state: z.enum(SHARE_STATES),
  /** Weekly hours; null: at all hours. */
  plan: z.array(ShareDay).nullable(),
  /** IANA zone of the weekly hours. */
  timeZone: z.string().nullable(),
  roleId: z.string().nullable(),
  /** A re-share: it ends with the share that the giver received. */
  isPassedOn: z.boolean(),
  createTime: timeMs,
  version: z.number().int(),
});
export type Share = z.infer<typeof Share>;

const paging = { pageStart, pageSize: pageSize(PAGE_SIZE.shares) };
const states = z.array(z.enum(SHARE_STATES)).min(1).max(SHARE_STATES.length).optional();
const items = z.array(ShareItem).min(1).max(100);
const permission = z.array(z.enum(SHARE_RIGHT_NAMES)).min(1).max(SHARE_RIGHT_NAMES.length);
const roleId = id;
const plan = z.array(ShareDay).max(WEEK_DAYS.length);
const timeZone = z.string().min(1).max(64);

export const shareCalls = {
  'share/add': call({
    summary: 'Share items with another account; none gives more than the giver has',
    permission: { kind: 'session' },
    audit: 'write',
    opensVideo: true,
    errors: [1004, 1007, 1009, 1011],
    input: z
      .object({
        account: z.string().min(1).max(64),
        items,
        shareName: nameText.optional(),
        /** 2: fixed `permission`; 1: the current rights of `roleId`. */
        shareType: z
          .union([z.literal(SHARE_TYPE.fromPermission), z.literal(SHARE_TYPE.fromRole)])
          .default(SHARE_TYPE.fromPermission),
        permission: permission.optional(),
        roleId: roleId.optional(),
        startTime: timeMs.optional(),
        endTime: timeMs.optional(),
        /** Weekly hours in which it is open. */
        plan: plan.min(1).optional(),
        /** Time zone of the weekly hours; default: this installation's. */
        timeZone: timeZone.optional(),
        description: descriptionText.optional(),
      })
      .strict(),
    /** `isPending`: closed until the recipient accepts. */
    output: z.object({ shareId: z.string(), isPending: z.boolean() }),
  }),
  'share/update': call({
    summary: 'Change what a share gives and when; what is left out stays, null removes a bound',
    permission: { kind: 'session' },
    audit: 'write',
    opensVideo: true,
    errors: [1004, 1007, 1009, 1010],
    input: z
      .object({
        shareId: id,
        items: items.optional(),
        shareName: nameText.nullable().optional(),
        permission: permission.optional(),
        roleId: roleId.optional(),
        startTime: timeMs.nullable().optional(),
        endTime: timeMs.nullable().optional(),
        plan: plan.min(1).nullable().optional(),
        timeZone: timeZone.optional(),
        description: descriptionText.nullable().optional(),
        version: smallInt.optional(),
      })
      .strict(),
    output: z.object({ shareId: z.string(), version: z.number().int() }),
  }),
  'share/delete': call({
    summary: 'End a share, from either side; all that runs through it stops within two seconds',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ shareId: id, shareType: smallInt }).strict(),
    output: z.object({}),
  }),
  'share/accept': call({
    summary: 'Take what was offered; before that a share opens nothing',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007, 1017],
    input: z.object({ shareId: id }).strict(),
    output: z.object({}),
  }),
  'share/quit': call({
    summary: 'Decline what was offered, or give back what was received',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ shareId: id }).strict(),
    output: z.object({}),
  }),
  'share/given/list': call({
    summary: 'What I share',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({ ...paging, states }).strict(),
    output: z.object({ total: z.number().int(), shareList: z.array(Share) }),
  }),
  'share/received/list': call({
    summary: 'What is shared with me; what has ended is left out unless `states` names it',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({ ...paging, states }).strict(),
    output: z.object({ total: z.number().int(), shareList: z.array(Share) }),
  }),
  'share/device/list': call({
    summary: 'Devices shared with me',
    permission: { kind: 'session' },
    audit: 'read',
    input: z
      .object({
        pageStart,
        pageSize: pageSize(PAGE_SIZE.shareDevices),
        deviceSerial: deviceSerial.optional(),
        keyWord: z.string().max(64).optional(),
        channelNo: channelNo.optional(),
        organizationId: id.optional(),
        shareResourceType: z.number().int().min(1).max(3).optional(),
      })
      .strict(),
    output: z.object({ total: z.number().int(), deviceList: z.array(Device) }),
  }),
  'share/org/list': call({
    summary: 'Organisations shared with me',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), orgList: z.array(Organization) }),
  }),
} as const;
