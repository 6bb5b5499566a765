// Details of an audit log entry beside ids: what was viewed or shared, by which share or link, and for how long.
import { z } from 'zod';
import { timeMs } from './entities.ts';

export const AUDIT_WAYS = [
  'live',
  'playback',
  'snapshot',
  'alarmPicture',
  'sightingPicture',
  'presetPicture',
  'talk',
  'export',
  'download',
  'guestLive',
  'guestClip',
  'share',
  'link',
] as const;
export type AuditWay = (typeof AUDIT_WAYS)[number];

const AuditItem = z.object({
  deviceSerial: z.string().optional(),
  organizationId: z.string().optional(),
  channelNo: z.number().int().optional(),
  /** Name at that time; empty if it was deleted. */
  name: z.string(),
});

export const AUDIT_SUBJECT_KINDS = [
  'account',
  'role',
  'organization',
  'group',
  'site',
  'layout',
  'floorPlan',
  'alarmRule',
  'alarmChannel',
  'eventKey',
  'share',
  'setting',
] as const;
export type AuditSubjectKind = (typeof AUDIT_SUBJECT_KINDS)[number];

/** One value that a change replaced, as text; both null: changed, and never written down (a password). */
const AuditChange = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() });
export type AuditChange = z.infer<typeof AuditChange>;

const range = z.object({ startTime: timeMs, endTime: timeMs });

/** Stored for good: fields are only added, never changed. */
export const AuditDetail = z.object({
  /** Absent for anything else. */
  way: z.enum(AUDIT_WAYS).optional(),
  itemList: z.array(AuditItem),
  /** The share that gave the caller its right, and who gave it. */
  share: z.object({ shareId: z.string(), shareName: z.string(), userName: z.string() }).optional(),
  /** The guest link, and who made it. */
  link: z.object({ linkName: z.string(), userName: z.string() }).optional(),
  /** The app that acted in the account's name. */
  app: z.object({ appId: z.string(), appName: z.string() }).optional(),
  /** Recipient of the share. */
  toUserName: z.string().optional(),
  /** Time range of the recordings. */
  footage: range.optional(),
  /** From how many addresses a stream of our own origin was fetched, viewers or caches in front of them. */
  addressCount: z.number().int().optional(),
  /** What was changed where it is no device, by its name at that time. */
  subject: z.object({ kind: z.enum(AUDIT_SUBJECT_KINDS), name: z.string() }).optional(),
  changeList: z.array(AuditChange).optional(),
  /** Why it was refused, where the code alone does not say it. */
  reason: z.string().optional(),
  /** The call only looked at what it would do. */
  isPreview: z.literal(true).optional(),
});
export type AuditDetail = z.infer<typeof AuditDetail>;
export type AuditItem = z.infer<typeof AuditItem>;
