// Calls of accounts and sessions: set-up, sign-in, profile, and server information.
import { z } from 'zod';
import { call } from '../call.ts';
import { CLOCK_HOURS, DATE_ORDERS, HOME_PAGES } from '../enumerations.ts';
import { Auth, channelNo, deviceSerial, id, smallInt, timeMs } from '../entities.ts';
import { HOME_CAMERAS } from '../limits.ts';
import { PERMISSIONS } from '../permissions.ts';

export const password = z.string().min(1).max(128);
export const browserId = z.string().min(1).max(64);
/** Result of the captcha, in the form of the configured provider. */
export const captcha = z.string().max(8192);
export const SignedIn = Auth.extend({
  userId: z.string(),
  userName: z.string(),
  userType: z.number().int(),
});
export type SignedIn = z.infer<typeof SignedIn>;

export const TWO_FACTOR_METHODS = ['totp', 'message'] as const;
/** Second step of the sign-in: TOTP, or a code sent to the bound contact. */
export type TwoFactorMethod = (typeof TWO_FACTOR_METHODS)[number];

/** A small image as a data URL; never SVG, which can contain scripts. */
export const avatar = z
  .string()
  .max(65_536)
  .regex(/^(?:data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2})?$/);

const dateOrder = z.enum(DATE_ORDERS);
const clockHours = z.literal(CLOCK_HOURS);
const homePage = z.enum(HOME_PAGES);
/** A camera whose latest snapshots the overview shows. */
const homeCamera = z.object({ deviceSerial, channelNo }).strict();

export const Profile = z.object({
  userId: z.string(),
  userName: z.string(),
  userType: z.number().int(),
  /** Empty: none. */
  avatar: z.string(),
  phone: z.string(),
  email: z.string(),
  /** Null: the password is enough to sign in. */
  secondFactor: z.enum(TWO_FACTOR_METHODS).nullable(),
  /** The privacy policy of this time was agreed to; 0: none. */
  privacyTime: timeMs,
  language: z.number().int().nullable(),
  theme: z.string().nullable(),
  menuOrder: z.array(z.string()).nullable(),
  /** The saved wall that the account begins with. */
  homeLayout: z.string().nullable(),
  /** What opens first after sign-in; null: live view. */
  homePage: homePage.nullable(),
  /** Null: never chosen. */
  homeCameras: z.array(homeCamera).nullable(),
  /** How dates and times are written; null: as `isOverseasFlag` says, with 24 hours. */
  dateOrder: dateOrder.nullable(),
  clockHours: clockHours.nullable(),
  version: z.number().int(),
});
export type Profile = z.infer<typeof Profile>;

export const Session = z.object({
  sessionId: z.string(),
  createdAt: timeMs,
  lastUsedAt: timeMs,
  address: z.string(),
  clientType: z.string(),
  /** Browser and system names, empty if unknown. */
  agent: z.string(),
  isCurrent: z.boolean(),
});

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
/** The public key of a native shell on P-256: its coordinates as in a JWK (RFC 7518), base64url. */
export const SignInKeyInput = z.object({ x: coordinate, y: coordinate }).strict();
export type SignInKeyInput = z.infer<typeof SignInKeyInput>;

export const SignInKey = z.object({
  keyId: z.string(),
  createdAt: timeMs,
  lastUsedAt: timeMs,
  /** Where it was registered from. */
  address: z.string(),
  agent: z.string(),
});

const empty = z.object({}).strict();

/** Six digits, or a recovery code: four groups of four, in earlier versions two of five. */
export const TWO_FACTOR_CODE = /^(?:\d{6}|[0-9A-Za-z]{4}(?:-?[0-9A-Za-z]{4}){3}|[0-9A-Za-z]{5}-?[0-9A-Za-z]{5})$/;
export const twoFactorCode = z.string().regex(TWO_FACTOR_CODE);

export const accountCalls = {
  'account/login': call({
    summary: 'Sign in by name, phone or e-mail',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1011, 1013, 1014, 1015, 1044, 2004, 2031, 2076],
    input: z
      .object({
        account: z.string().min(1).max(64),
        password,
        browserId,
        clientType: z.enum(['web', 'client']),
        captcha: captcha.optional(),
        /** The second factor: six digits, or a recovery code. */
        verifyCode: twoFactorCode.optional(),
        /** Trusts this browser: it skips two-factor authentication from now on. */
        trustDevice: z.boolean().optional(),
        /** Lets this key of the native shell sign the account in from now on; a second factor is asked for also in a trusted browser. */
        signInKey: SignInKeyInput.optional(),
      })
      .strict(),
    output: SignedIn,
  }),
  'account/setup': call({
    summary: 'Create the first administrator with the one-time secret of the first start',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1007],
    input: z
      .object({
        secret: z.string().min(1).max(128),
        username: z.string().min(1).max(64),
        password,
        /** Marks this browser as known, so that failures of others do not lock it out. */
        browserId: browserId.optional(),
      })
      .strict(),
    output: SignedIn,
  }),
  'account/logout': call({
    summary: 'End the session',
    permission: { kind: 'session' },
    audit: 'write',
    input: empty,
    output: z.object({}),
  }),
  'token/check': call({
    summary: 'Is this token good; counts as use of the session',
    permission: { kind: 'session' },
    audit: 'none',
    input: empty,
    output: z.object({ userId: z.string(), userType: z.number().int(), expireTime: timeMs }),
  }),
  'account/info': call({
    summary: 'The signed-in account',
    permission: { kind: 'session' },
    audit: 'none',
    input: empty,
    output: Profile,
  }),
  'account/update': call({
    summary: 'Change name, picture, language, theme, time format, menu order and home page of the signed-in account',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1010],
    input: z
      .object({
        userName: z.string().min(1).max(64).optional(),
        avatar: avatar.optional(),
        /** The privacy policy of this time is agreed to. */
        privacyTime: timeMs.optional(),
        language: z.number().int().min(0).max(1).optional(),
        theme: z.string().max(64).optional(),
        menuOrder: z.array(z.string().max(64)).max(64).optional(),
        homeLayout: z.string().max(4096).optional(),
        homePage: homePage.optional(),
        homeCameras: z.array(homeCamera).max(HOME_CAMERAS).optional(),
        dateOrder: dateOrder.nullable().optional(),
        clockHours: clockHours.nullable().optional(),
        version: smallInt.optional(),
      })
      .strict(),
    output: Profile,
  }),
  'account/password/change': call({
    summary: 'Change the own password; ends every other session',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'password',
    errors: [1040, 2004],
    input: z.object({ oldPassword: password, password }).strict(),
    output: z.object({}),
  }),
  'account/session/list': call({
    summary: 'Sessions of the signed-in account, and keys of native shells that sign it in',
    permission: { kind: 'session' },
    audit: 'read',
    input: empty,
    output: z.object({ total: z.number().int(), sessionList: z.array(Session), signInKeyList: z.array(SignInKey) }),
  }),
  'account/session/revoke': call({
    summary: 'End one of the own sessions, and the key that opened it',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ sessionId: id }).strict(),
    output: z.object({}),
  }),
  'permission/list': call({
    summary: 'Permissions and page flags of the signed-in account, or of one of its users',
    permission: { kind: 'session' },
    audit: 'none',
    errors: [1007],
    input: z.object({ userId: id.optional() }).strict(),
    output: z.object({
      permissionList: z.array(z.enum(PERMISSIONS)),
      flags: z.record(z.enum(PERMISSIONS), z.boolean()),
    }),
  }),
  'server/version': call({
    summary: 'Version of the server and what it sees of the caller',
    permission: { kind: 'public' },
    audit: 'none',
    input: empty,
    output: z.object({
      version: z.string(),
      commit: z.string(),
      softVersion: z.string(),
      clientIp: z.string(),
      phoneCode: z.string(),
      /** True until the first administrator exists. */
      needsSetup: z.boolean(),
      maintenance: z.object({ text: z.string(), startTime: timeMs, endTime: timeMs }).nullable(),
      /** Contacts that codes can be sent to; if none, accounts are created by invitation only. */
      codeTargets: z.array(z.enum(['email', 'phone'])),
      /** Anybody may register. */
      canRegister: z.boolean(),
      /** Identity providers that sign accounts in. */
      identityProviderList: z.array(z.object({ providerId: z.string(), providerName: z.string() })),
      /** Names of the directories whose users sign in by `account/login`. */
      directoryNameList: z.array(z.string()),
    }),
  }),
  'event/server': call({
    summary: 'Address of the event stream',
    permission: { kind: 'session' },
    audit: 'none',
    input: empty,
    output: z.object({ url: z.string() }),
  }),
} as const;
