// Calls of recorder groups: sites that reach the same cameras and take them over from each other.
import { z } from 'zod';
import { call } from '../call.ts';
import { id, smallInt, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { RECORDER_GROUP_LIMITS } from '../limits.ts';
import { siteName } from './site.ts';

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;

const memberInput = z
  .object({
    siteId: id,
    /** Takes over before others do. */
    isSpare: z.boolean(),
    /** Most cameras that it records, its own and those that it takes. */
    cameraMax: z.number().int().min(1).max(RECORDER_GROUP_LIMITS.cameras),
  })
  .strict();

export const RecorderMember = z.object({
  siteId: z.string(),
  siteName: z.string(),
  isSpare: z.boolean(),
  cameraMax: z.number().int(),
  /** `silent`: nobody has taken its cameras yet. `takenOver`: others have them, whether it is back or not. */
  state: z.enum(['ready', 'silent', 'takenOver']),
  isOnline: z.boolean(),
  /** Cameras that it has now. */
  cameraTotal: z.number().int(),
  /** When its cameras were taken over; null: it has them. */
  takenAt: timeMs.nullable(),
  /** Of its cameras: where they are now. */
  awayList: z.array(z.object({ siteId: z.string(), siteName: z.string(), cameraTotal: z.number().int() })),
  /** Of its cameras: those that no member had room for. */
  withoutRoom: z.number().int(),
});
export type RecorderMember = z.infer<typeof RecorderMember>;

export const RecorderGroup = z.object({
  groupId: z.string(),
  groupName: z.string(),
  /** Cameras go back by themselves to a site that has been there again for a minute. */
  returnsByItself: z.boolean(),
  version: z.number().int(),
  memberList: z.array(RecorderMember),
});
export type RecorderGroup = z.infer<typeof RecorderGroup>;

export const recorderGroupCalls = {
  'site/group/list': call({
    summary: 'Recorder groups, their sites, and which site has whose cameras',
    permission: operatorOnly,
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), groupList: z.array(RecorderGroup) }),
  }),
  'site/group/save': call({
    summary: 'Make a recorder group, or with groupId change the version that was seen; a site is in one group at most',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007, 1010, 1011, 1016],
    input: z
      .object({
        groupId: id.optional(),
        /** Needed with `groupId`. */
        version: smallInt.optional(),
        groupName: siteName,
        returnsByItself: z.boolean(),
        memberList: z.array(memberInput).min(1).max(RECORDER_GROUP_LIMITS.members),
      })
      .strict()
      .refine(({ groupId, version }) => (groupId === undefined) === (version === undefined), { path: ['version'] })
      .refine(({ memberList }) => new Set(memberList.map(({ siteId }) => siteId)).size === memberList.length, {
        path: ['memberList'],
      }),
    output: z.object({ group: RecorderGroup }),
  }),
  'site/group/delete': call({
    summary: 'Dissolve a recorder group; cameras stay where they are',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007],
    input: z.object({ groupId: id }).strict(),
    output: z.object({}),
  }),
  'site/group/return': call({
    summary: 'Bring the cameras of a site back to it from the sites that took them over',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007, 2317],
    input: z.object({ siteId: id }).strict(),
    output: z.object({ deviceTotal: z.number().int() }),
  }),
} as const;
