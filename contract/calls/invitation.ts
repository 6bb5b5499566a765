// Calls of invitations: a link that works once, expires, and creates an account below its creator.
import { z } from 'zod';
import { call } from '../call.ts';
import { id, smallInt, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { INVITATION_DAYS } from '../limits.ts';
import { browserId, password, SignedIn } from './account.ts';

/** Accounts that may create accounts may invite. */
const OWNERS = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];
/** Part of the link after `#`, so that no server sees it. */
const token = z.string().min(1).max(64);

export const Invitation = z.object({
  invitationId: z.string(),
  userType: z.number().int(),
  description: z.string(),
  createdAt: timeMs,
  expiresAt: timeMs,
});
export type Invitation = z.infer<typeof Invitation>;

export const invitationCalls = {
  'user/invitation/create': call({
    summary: 'Make an invitation; its token is told this once',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    opensVideo: true,
    errors: [1011],
    input: z
      .object({
        userType: smallInt.default(USER_TYPE.sub),
        description: z
          .string()
          .max(64)
          .regex(/^[^<>]*$/)
          .default(''),
        days: z.number().int().min(1).max(INVITATION_DAYS.most).default(INVITATION_DAYS.usual),
      })
      .strict(),
    output: z.object({ invitation: Invitation, token: z.string() }),
  }),
  'user/invitation/list': call({
    summary: 'Own invitations that nobody has taken yet',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), invitationList: z.array(Invitation) }),
  }),
  'user/invitation/revoke': call({
    summary: 'Take an invitation back',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    errors: [1007],
    input: z.object({ invitationId: id }).strict(),
    output: z.object({}),
  }),
  'user/invitation/open': call({
    summary: 'Who invites to what; a token that is spent, ended, taken back or guessed answers as a missing one',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1007],
    input: z.object({ token }).strict(),
    output: z.object({ inviterName: z.string(), userType: z.number().int(), expiresAt: timeMs }),
  }),
  'user/invitation/accept': call({
    summary: 'Make the account of an invitation and sign in',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1007, 1016],
    input: z.object({ token, username: z.string().min(1).max(64), password, browserId: browserId.optional() }).strict(),
    output: SignedIn,
  }),
} as const;
