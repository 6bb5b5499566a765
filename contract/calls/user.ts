// Calls of sub-accounts.
import { z } from 'zod';
import { call } from '../call.ts';
import { id, Resource, smallInt, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { PAGE_MAX, PAGE_SIZE, PAGE_SIZE_MAX } from '../limits.ts';
import { PERMISSIONS } from '../permissions.ts';
import { password } from './account.ts';

export const User = z.object({
  userId: z.string(),
  userName: z.string(),
  userType: z.number().int(),
  isEnabled: z.boolean(),
  createdAt: timeMs,
  /** Name of the account that a sub-account works for; else empty. */
  ownerName: z.string(),
  roleIds: z.array(z.string()),
  /** Where a sub-account is placed: roles without places of their own hold there. */
  organizationIds: z.array(z.string()),
  version: z.number().int(),
});
export type User = z.infer<typeof User>;

/** Who may create accounts: super any, manage and ordinary their own sub-accounts. */
const OWNERS = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];

export const pageStart = z.number().int().min(0).max(PAGE_MAX).default(0);
export const pageNo = z.number().int().min(1).max(PAGE_MAX).default(1);
export function pageSize(usual: number) {
  return z.number().int().min(1).max(PAGE_SIZE_MAX).default(usual);
}

export const userCalls = {
  'user/add': call({
    summary: 'Create an account',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    opensVideo: true,
    errors: [1016, 1041],
    input: z
      .object({
        username: z.string().min(1).max(64),
        password,
        roleIds: z.array(id).max(100).default([]),
        organizationIds: z.array(id).max(1000).default([]),
        userType: smallInt.default(USER_TYPE.sub),
      })
      .strict(),
    output: z.object({ userId: z.string() }),
  }),
  'user/update': call({
    summary:
      'Change the version of an account that was seen; a new password ends its sessions and trust, all else reaches them',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    opensVideo: true,
    errors: [1007, 1010, 1016, 1041, 1042, 1043],
    input: z
      .object({
        userId: id,
        version: smallInt,
        username: z.string().min(1).max(64).optional(),
        password: password.optional(),
        roleIds: z.array(id).max(100).optional(),
        organizationIds: z.array(id).max(1000).optional(),
        userType: smallInt.optional(),
      })
      .strict(),
    output: z.object({ user: User }),
  }),
  'user/password/reset': call({
    summary:
      'End sessions and trust of an account below, and make a link for a new password: it goes to the confirmed address, without one to the caller',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    stepUp: 'session',
    opensVideo: true,
    errors: [1007, 1040, 1041, 1042],
    input: z.object({ userId: id }).strict(),
    output: z.object({
      /** Where the link went, masked; empty where it is handed over. */
      sentTo: z.string(),
      /** To be handed over by the caller; empty where it was sent. */
      token: z.string(),
      expiresAt: timeMs,
    }),
  }),
  'user/twofactor/reset': call({
    summary: 'Switch off the second factor of an account below that lost it; ends its sessions and trust',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    stepUp: 'session',
    opensVideo: true,
    errors: [1007, 1040, 1041, 1042],
    input: z.object({ userId: id }).strict(),
    output: z.object({}),
  }),
  'user/view': call({
    summary: 'What one of the own sub-accounts may do and sees, organisations before devices; nothing is opened by it',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'read',
    errors: [1007],
    input: z.object({ userId: id, pageStart, pageSize: pageSize(PAGE_SIZE.allResources) }).strict(),
    output: z.object({
      permissionList: z.array(z.enum(PERMISSIONS)),
      total: z.number().int(),
      resourceList: z.array(Resource),
    }),
  }),
  'user/list': call({
    summary: 'Accounts below the signed-in one',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'read',
    input: z
      .object({ pageStart, pageSize: pageSize(PAGE_SIZE.roles), keyWord: z.string().max(64).optional() })
      .strict(),
    output: z.object({ total: z.number().int(), userList: z.array(User) }),
  }),
  'user/enable': call({
    summary: 'Enable or disable an account; disabling ends all it has open',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    errors: [1007],
    input: z.object({ userId: id, isEnabled: z.boolean() }).strict(),
    output: z.object({}),
  }),
  'user/delete': call({
    summary: 'Delete an account below the signed-in one',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    errors: [1007],
    input: z.object({ userId: id }).strict(),
    output: z.object({}),
  }),
} as const;
