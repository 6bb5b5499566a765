// Calls of authorisation: what an app asks for, the answer of the account, and what the account allows apps now.
import { z } from 'zod';
import { call } from '../call.ts';
import { deviceSerial, id, timeMs } from '../entities.ts';
import { APP_LIMITS } from '../limits.ts';
import { appScope } from './app.ts';

const interactionId = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);
/** As it is shown on the device; upper and lower case, spaces and hyphens make no difference. */
const userCode = z.string().min(1).max(32);
const url = z.string();
/** The devices and organisations that the app gets, and until when; null: until it is withdrawn. */
const chosen = {
  deviceSerialList: z.array(deviceSerial).max(APP_LIMITS.grantItems).default([]),
  organizationIdList: z.array(id).max(APP_LIMITS.grantItems).default([]),
  endTime: timeMs.nullable().default(null),
};

export const AppQuestion = z.object({
  appId: z.string(),
  appName: z.string(),
  logo: z.string(),
  ownerName: z.string(),
  scopeList: z.array(appScope),
  /** Where the browser goes with the answer; empty for a device. */
  redirectUri: url,
  /** Where the device that shows a user code asked from; empty elsewhere. */
  address: z.string(),
  agent: z.string(),
});
export type AppQuestion = z.infer<typeof AppQuestion>;

export const GrantedItem = z.object({ kind: z.enum(['device', 'organization']), id: z.string(), name: z.string() });

export const AppGrant = z.object({
  grantId: z.string(),
  appId: z.string(),
  appName: z.string(),
  logo: z.string(),
  scopeList: z.array(appScope),
  itemList: z.array(GrantedItem),
  createTime: timeMs,
  lastUsedTime: timeMs.nullable(),
  endTime: timeMs.nullable(),
});
export type AppGrant = z.infer<typeof AppGrant>;

export const oauthCalls = {
  'oauth/interaction/get': call({
    summary: 'What an app asks for; only in the browser that it sent here',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1007],
    input: z.object({ interactionId }).strict(),
    output: AppQuestion,
  }),
  'oauth/interaction/confirm': call({
    summary: 'Allow an app what it asks for, on the chosen devices; the browser then goes to `redirectUrl`',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007, 1009],
    input: z.object({ interactionId, ...chosen }).strict(),
    output: z.object({ redirectUrl: url, state: z.string() }),
  }),
  'oauth/interaction/abort': call({
    summary: 'Refuse what an app asks for; the browser then goes to `redirectUrl`',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1007],
    input: z.object({ interactionId }).strict(),
    output: z.object({ redirectUrl: url, state: z.string() }),
  }),
  'oauth/device/get': call({
    summary: 'What the app on the device that shows a user code asks for',
    permission: { kind: 'session' },
    audit: 'none',
    errors: [1007],
    input: z.object({ userCode }).strict(),
    output: AppQuestion,
  }),
  'oauth/device/confirm': call({
    summary: 'Allow or refuse what the app on the device that shows a user code asks for',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007, 1009],
    input: z.object({ userCode, isAllowed: z.boolean(), ...chosen }).strict(),
    output: z.object({}),
  }),
  'oauth/grant/list': call({
    summary: 'What the account allows apps',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), grantList: z.array(AppGrant) }),
  }),
  'oauth/grant/revoke': call({
    summary: 'Withdraw what the account allows an app: its tokens and streams end',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ grantId: id }).strict(),
    output: z.object({}),
  }),
};
