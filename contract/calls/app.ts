// Calls of apps: programs of others that accounts let work for them (OAuth 2 clients).
import { z } from 'zod';
import { APP_SCOPE_NAMES } from '../app-scopes.ts';
import { call } from '../call.ts';
import { id, nameText, smallInt, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { APP_LIMITS } from '../limits.ts';

const appId = id;
export const appScope = z.enum(APP_SCOPE_NAMES);
const scopeList = z.array(appScope).max(APP_SCOPE_NAMES.length);

/** `unapproved`: its owner alone may use it. */
export const APP_STATUSES = ['enabled', 'disabled', 'unapproved', 'unknown'] as const;
export type AppStatus = (typeof APP_STATUSES)[number];

export const App = z.object({
  appId: z.string(),
  appName: z.string(),
  /** Picture as a data URL; empty: none. */
  logo: z.string(),
  ownerName: z.string(),
  isOwn: z.boolean(),
  redirectUriList: z.array(z.string()),
  /** Origins of pages that may frame the console for the app. */
  embedOriginList: z.array(z.string()),
  scopeList: z.array(appScope),
  /** It keeps no secret: it runs on its user's machine or in a page. */
  isPublic: z.boolean(),
  isEnabled: z.boolean(),
  isApproved: z.boolean(),
  /** The secret before the last one works until then; null: there is none. */
  oldSecretUntil: timeMs.nullable(),
  version: z.number().int(),
  createTime: timeMs,
});
export type App = z.infer<typeof App>;

export const appCalls = {
  'app/list': call({
    summary: 'Own apps; for operators those of all accounts',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), appList: z.array(App) }),
  }),
  'app/save': call({
    summary: 'Add an app, or change the one that `appId` and `version` name; its secret is answered once',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    errors: [1007, 1010, 1011],
    input: z
      .object({
        appId: appId.optional(),
        version: smallInt.optional(),
        appName: nameText,
        /** PNG, JPEG or WebP as a data URL. */
        logo: z
          .string()
          .max(APP_LIMITS.logoLength)
          .regex(/^(?:data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2})?$/)
          .default(''),
        redirectUriList: z.array(z.string().min(1).max(APP_LIMITS.uriLength)).max(APP_LIMITS.redirectUris),
        embedOriginList: z.array(z.string().min(1).max(APP_LIMITS.uriLength)).max(APP_LIMITS.embedOrigins).default([]),
        scopeList,
        /** Of a new app; it does not change later. */
        isPublic: z.boolean().default(false),
        isEnabled: z.boolean().default(true),
      })
      .strict(),
    output: z.object({
      app: App,
      /** Of a new app that keeps one; else empty. */
      secret: z.string(),
    }),
  }),
  'app/delete': call({
    summary: 'Delete an app with everything that accounts allowed it',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ appId }).strict(),
    output: z.object({}),
  }),
  'app/secret/rotate': call({
    summary: 'Give an app a new secret; the old one works for `overlapHours` more',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1006, 1007],
    input: z.object({ appId, overlapHours: z.number().int().min(0).max(APP_LIMITS.overlapHours).default(24) }).strict(),
    output: z.object({ secret: z.string(), oldSecretUntil: timeMs }),
  }),
  'app/approve': call({
    summary: 'Let all accounts use an app, or its owner alone',
    permission: { kind: 'userType', userTypes: [USER_TYPE.super] },
    audit: 'write',
    errors: [1007],
    input: z.object({ appId, isApproved: z.boolean() }).strict(),
    output: z.object({}),
  }),
  'app/status': call({
    summary: 'Whether an app may be used, and what it is called',
    permission: { kind: 'public' },
    audit: 'none',
    input: z.object({ appId }).strict(),
    output: z.object({ appIdStatus: z.enum(APP_STATUSES), appName: z.string(), logo: z.string() }),
  }),
};
