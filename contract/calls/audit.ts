// Calls of the audit log: who did and viewed what, per owner, and its verification.
import { z } from 'zod';
import { AuditDetail } from '../audit-detail.ts';
import { call } from '../call.ts';
import { deviceSerial, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { AUDIT_LIMITS } from '../limits.ts';
import { pageSize, pageStart } from './user.ts';

const OWNERS = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];

export const AuditEntry = z.object({
  /** From the moment it is there. */
  entryId: z.string(),
  /** Consecutive over the whole installation; 0 until the entry is part of the hash chain, within a second. */
  entryNo: z.number().int(),
  time: timeMs,
  /** Empty where nobody was signed in. */
  userName: z.string(),
  address: z.string(),
  /** Path of the call. */
  call: z.string(),
  kind: z.enum(['write', 'watch']),
  /** Ids of the objects as `name=value` pairs. */
  object: z.string(),
  /** Names at that time, and the share or link used; null if it adds nothing to `object`. */
  detail: AuditDetail.nullable(),
  code: z.number().int(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const filter = {
  kind: z.enum(['write', 'watch']).optional(),
  /** Part of the acting account's name. */
  userName: z.string().max(64).optional(),
  deviceSerial: deviceSerial.optional(),
  /** Refused calls only. */
  isRefused: z.boolean().optional(),
  startTime: timeMs.optional(),
  endTime: timeMs.optional(),
};

export const auditCalls = {
  'audit/list': call({
    summary: 'What was done and watched in the own account and to what it owns, newest first',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'read',
    input: z.object({ ...filter, pageStart, pageSize: pageSize(AUDIT_LIMITS.page) }).strict(),
    output: z.object({ total: z.number().int(), auditList: z.array(AuditEntry) }),
  }),
  'audit/export': call({
    summary: 'The same as CSV (UTF-8 with byte-order mark), newest first, up to 50,000 lines',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    input: z.object(filter).strict(),
    output: z.object({ name: z.string(), csv: z.string(), isCut: z.boolean() }),
  }),
  'audit/verify': call({
    summary:
      'Reads the whole chain, every hash and no number missing, and counts what is not chained yet or was never stored',
    permission: { kind: 'userType', userTypes: [USER_TYPE.super] },
    audit: 'write',
    input: z.object({}).strict(),
    output: z.object({
      /** Of the chained entries. */
      isWhole: z.boolean(),
      /** Chained entries. */
      total: z.number().int(),
      /** First entry that was altered, or whose predecessor is missing. */
      brokenAt: z.number().int().nullable(),
      /** Hash of the newest entry, to store elsewhere: it reveals whether entries at the end were removed. */
      head: z.string(),
      /** Entries that are not chained yet. */
      unchained: z.number().int(),
      /** How long the oldest of these has waited; more than a minute: nobody chains them. */
      unchainedForMs: z.number().int(),
      /** Entries that servers have numbered and that are not there: not taken by the database, or removed before they were chained. */
      missing: z.number().int(),
    }),
  }),
} as const;
