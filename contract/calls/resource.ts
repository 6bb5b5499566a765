// Calls of resources: what an account has of each kind, how much of it is used, and until when it is valid.
import { z } from 'zod';
import { call } from '../call.ts';
import { id, timeMs } from '../entities.ts';

export const RESOURCE_NAMES = [
  'devices',
  'channels',
  'recordingBytes',
  'egressBytes',
  'streamMinutes',
  'cdnBytes',
  'cdnMinutes',
] as const;
export type ResourceName = (typeof RESOURCE_NAMES)[number];

export const RESOURCE_UNITS = ['count', 'bytes', 'minutes'] as const;

export const ResourceInfo = z.object({
  resource: z.enum(RESOURCE_NAMES),
  unit: z.enum(RESOURCE_UNITS),
  used: z.number().int(),
  /** Null: not limited. May be less than `used` where it was lowered. */
  total: z.number().int().nullable(),
  /** When what is used so far no longer counts; null: it counts for as long as it is there. */
  endTime: timeMs.nullable(),
});
export type ResourceInfo = z.infer<typeof ResourceInfo>;

export const resourceCalls = {
  'resource/list': call({
    summary:
      'Resources of the own account, or of the account that the operator names; a sub-account has those of its owner',
    permission: { kind: 'session' },
    audit: 'read',
    errors: [1007],
    input: z.object({ userId: id.optional() }).strict(),
    output: z.object({ total: z.number().int(), resourceList: z.array(ResourceInfo) }),
  }),
} as const;
