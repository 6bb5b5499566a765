// Calls of the launch of SaaS mode: an app brings the browser with a token of its own, which works once, and the console opens within its rights.
import { z } from 'zod';
import { call } from '../call.ts';
import { timeMs } from '../entities.ts';
import { APP_LIMITS } from '../limits.ts';
import { SignedIn } from './account.ts';
import { appScope } from './app.ts';
import { GrantedItem } from './oauth.ts';

/** Stands for the launch until it is confirmed or refused; works once. */
const authCode = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** Who launches, for whom, and what the console will show: the app as it is registered, never as the address names it. */
export const LaunchQuestion = z.object({
  appId: z.string(),
  appName: z.string(),
  logo: z.string(),
  ownerName: z.string(),
  /** The account that the app acts for. */
  accountName: z.string(),
  scopeList: z.array(appScope),
  /** Everything of the account, in place of `itemList`. */
  isEverything: z.boolean(),
  itemList: z.array(GrantedItem),
  /** Null: until the account withdraws it. */
  endTime: timeMs.nullable(),
  redirectUri: z.string(),
});
export type LaunchQuestion = z.infer<typeof LaunchQuestion>;

export const launchCalls = {
  'oauth/launch/begin': call({
    summary: 'Begin a launch with the token of an app, which this uses up',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1006, 1007],
    input: z
      .object({
        appId: z.string().min(1).max(64),
        /** One of those that are registered, letter by letter; empty: a refusal leads nowhere. */
        redirectUri: z.string().max(APP_LIMITS.uriLength).default(''),
        /** Separated by spaces, no more than the token has; empty: all of it. */
        scope: z.string().max(512).default(''),
      })
      .strict(),
    output: z.object({ authCode, expireTime: timeMs }),
  }),
  'oauth/launch/get': call({
    summary: 'What a launch would open',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1007],
    input: z.object({ authCode }).strict(),
    output: LaunchQuestion,
  }),
  'oauth/launch/confirm': call({
    summary: 'Open what a launch asks for: answers the token of SaaS mode',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1007],
    input: z.object({ authCode }).strict(),
    output: SignedIn,
  }),
  'oauth/launch/abort': call({
    summary: 'Refuse a launch; the browser then goes to `redirectUrl`, unless it is empty',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1007],
    input: z.object({ authCode, state: z.string().max(2048).default('') }).strict(),
    output: z.object({ redirectUrl: z.string() }),
  }),
};
