// Details of an audit log entry beside ids: what was viewed or shared, by which share or link, and for how long.
import { z } from 'zod';
import { timeMs } from './entities.ts';

export const AUDIT_WAYS = [
  'live',
  'playback',
  'snapshot',
  'alarmPicture',
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
  /** As it was called then; empty where it was gone. */
  name: z.string(),
});

const range = z.object({ startTime: timeMs, endTime: timeMs });

/** Written once and read for good: fields are added, never changed. */
export const AuditDetail = z.object({
  /** Absent for what is none of these. */
  way: z.enum(AUDIT_WAYS).optional(),
  itemList: z.array(AuditItem),
  /** Through which the one who acted holds the right, and who gave it. */
  share: z.object({ shareId: z.string(), shareName: z.string(), userName: z.string() }).optional(),
  /** The guest link, and who made it. */
  link: z.object({ linkName: z.string(), userName: z.string() }).optional(),
  /** With whom it was shared. */
  toUserName: z.string().optional(),
  /** Of the footage. */
  footage: range.optional(),
});
export type AuditDetail = z.infer<typeof AuditDetail>;
export type AuditItem = z.infer<typeof AuditItem>;
