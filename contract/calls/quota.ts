// Calls of quotas: limits and use of an account, and how the operator sets them.
import { z } from 'zod';
import { call } from '../call.ts';
import { id } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import {
  MONTH_QUOTA_NAMES,
  type MonthQuota,
  QUOTA_NAMES,
  QUOTA_UNITS,
  QUOTA_USER_TYPES,
  QUOTAS,
  type QuotaName,
} from '../quotas.ts';

const OPERATOR = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;
const quota = z.enum(QUOTA_NAMES as readonly [QuotaName, ...QuotaName[]]);
const limit = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const monthQuota = z.enum(MONTH_QUOTA_NAMES as readonly [MonthQuota, ...MonthQuota[]]);

/** Exactly one of both is named. */
const whose = { userId: id.optional(), userType: z.enum(QUOTA_USER_TYPES).optional() };
/** Null goes back to the next wider limit. */
const wish = { limit: limit.nullable() };

function isWithinCeiling(one: { readonly quota: QuotaName; readonly limit: number | null }): boolean {
  return one.limit === null || one.limit <= QUOTAS[one.quota].ceiling;
}

const limits = z
  .array(
    z
      .object({ quota, ...wish })
      .strict()
      .refine(isWithinCeiling, { path: ['limit'] }),
  )
  .min(1)
  .max(100);
const monthLimits = z
  .array(
    z
      .object({ quota: monthQuota, ...wish })
      .strict()
      .refine(isWithinCeiling, { path: ['limit'] }),
  )
  .min(1)
  .max(MONTH_QUOTA_NAMES.length);

export const Quota = z.object({
  quota,
  unit: z.enum(QUOTA_UNITS),
  limit,
  /** Null for quotas per device, which are not summed. May exceed a lowered `limit`. */
  used: z.number().int().nullable(),
  /** Origin of the limit. */
  setFor: z.enum(['account', 'userType', 'product']),
});
export type Quota = z.infer<typeof Quota>;

export const QuotaDefault = z.object({
  quota,
  unit: z.enum(QUOTA_UNITS),
  ceiling: limit,
  /** By user type; `isSet`: by the operator. */
  limits: z.record(z.enum(QUOTA_USER_TYPES), z.object({ limit, isSet: z.boolean() })),
});
export type QuotaDefault = z.infer<typeof QuotaDefault>;

export const quotaCalls = {
  'quota/list': call({
    summary:
      'Quotas of the own account, or of the account that the operator names; a sub-account has those of its owner',
    permission: { kind: 'session' },
    audit: 'read',
    errors: [1007],
    input: z.object({ userId: id.optional() }).strict(),
    output: z.object({ total: z.number().int(), quotaList: z.array(Quota) }),
  }),
  'quota/default/list': call({
    summary: 'What accounts of each user type may have where nothing is set for the account itself',
    permission: OPERATOR,
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), defaultList: z.array(QuotaDefault) }),
  }),
  'quota/set': call({
    summary: 'Set quotas of an account, or the defaults of a user type; null goes back to the next wider one',
    permission: OPERATOR,
    audit: 'write',
    errors: [1007],
    input: z.object({ ...whose, quotaList: limits }).strict(),
    output: z.object({}),
  }),
  'cost/quota/set': call({
    summary: 'Limit what an account, or each account of a user type, may consume in a month; null removes the limit',
    permission: OPERATOR,
    audit: 'write',
    errors: [1007],
    input: z.object({ ...whose, quotaList: monthLimits }).strict(),
    output: z.object({}),
  }),
};
