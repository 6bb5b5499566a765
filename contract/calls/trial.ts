// Calls of trials: more of a resource for some days, applied for by an account and granted by the operator (RS-04).
import { z } from 'zod';
import { call } from '../call.ts';
import { descriptionText, id, timeMs } from '../entities.ts';
import { TRIAL_STATES, USER_TYPE } from '../enumerations.ts';
import { TRIAL_LIMITS } from '../limits.ts';
import { TRIAL_QUOTAS } from '../quotas.ts';

const days = z.number().int().min(1).max(TRIAL_LIMITS.days);
const extra = {
  quota: z.enum(TRIAL_QUOTAS),
  /** So many more. */
  amount: z.number().int().min(1).max(TRIAL_LIMITS.amount),
};

export const Trial = z.object({
  trialId: z.string(),
  userId: z.string(),
  userName: z.string(),
  state: z.enum(TRIAL_STATES),
  /** `used` of `total`, which holds the amount while the trial runs. */
  extraList: z.array(z.object({ ...extra, used: z.number().int(), total: z.number().int() })),
  days,
  note: z.string(),
  applyTime: timeMs,
  /** Null while nothing is granted. */
  startTime: timeMs.nullable(),
  endTime: timeMs.nullable(),
});
export type Trial = z.infer<typeof Trial>;

export const trialCalls = {
  'resource/trial/list': call({
    summary: 'Trials of the own account; the operator sees those of all accounts',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), trialList: z.array(Trial) }),
  }),
  'resource/trial/apply': call({
    summary: 'Ask the operator for more of some resources for some days; one application waits at a time',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1016],
    input: z
      .object({
        extraList: z
          .array(z.object(extra).strict())
          .min(1)
          .max(TRIAL_QUOTAS.length)
          .refine((list) => new Set(list.map(({ quota }) => quota)).size === list.length),
        days,
        note: descriptionText.optional(),
      })
      .strict(),
    output: z.object({ trialId: z.string() }),
  }),
  'resource/trial/grant': call({
    summary: 'Grant or refuse an application; a granted one begins at once and ends by itself',
    permission: { kind: 'userType', userTypes: [USER_TYPE.super] },
    audit: 'write',
    errors: [1007, 1016],
    input: z
      .object({
        trialId: id,
        isGranted: z.boolean(),
        /** Absent: as many as were asked for. */
        days: days.optional(),
      })
      .strict(),
    output: z.object({}),
  }),
} as const;
