// Calls of the operator's account settings: mail, registration, captcha, documents, maintenance, region and brand.
import { z } from 'zod';
import { call } from '../call.ts';
import { smallInt, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { SESSION_DAYS } from '../limits.ts';
import { codeTarget, Document } from './account-access.ts';

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;
const webAddress = z
  .string()
  .max(512)
  .regex(/^https?:\/\/[^\s<>"']+$/);

export const MAIL_SECURITIES = ['tls', 'starttls', 'none'] as const;
export const CAPTCHA_KINDS = ['none', 'own', 'outside'] as const;

/** What consoles are told before anybody signs in, in `/serverConfig.json` (EN-08); the calling code comes with `server/version`. */
export const Environment = z
  .object({
    /** False in China: dates are then written year first. */
    isOverseas: z.boolean(),
    isNoBrand: z.boolean(),
    /** Digits after the plus sign, shown before phone numbers; empty for none. */
    phoneCode: z.string().regex(/^\d{0,4}$/),
    oldWebsite: webAddress.or(z.literal('')),
    centerServer: webAddress.or(z.literal('')),
  })
  .strict();
export type Environment = z.infer<typeof Environment>;

export const USUAL_ENVIRONMENT: Environment = {
  isOverseas: true,
  isNoBrand: false,
  phoneCode: '',
  oldWebsite: '',
  centerServer: '',
};

export const AccountConfig = z
  .object({
    /** Null: no mail is sent. */
    mail: z
      .object({
        host: z
          .string()
          .min(1)
          .max(253)
          .regex(/^[A-Za-z0-9.:-]+$/),
        port: z.number().int().min(1).max(65535),
        security: z.enum(MAIL_SECURITIES),
        /** Empty: no sign-in at the mail server. */
        user: z.string().max(128),
        /** Address alone, or a name and `<address>`. */
        from: z
          .string()
          .min(3)
          .max(128)
          .regex(/^[^\r\n@]*@[^\r\n]*$/),
      })
      .strict()
      .nullable(),
    /** Base of the links in messages, without a path; empty: this machine's first address. */
    consoleUrl: z
      .string()
      .max(256)
      .regex(/^(?:https?:\/\/[A-Za-z0-9.:[\]-]+)?$/)
      .default(''),
    /** Null: no text messages are sent. */
    sms: z.object({ url: webAddress }).strict().nullable(),
    /** Whether anybody may register, where codes can be sent. */
    canRegister: z.boolean(),
    /** Maximum age of a session in days, even if it is used. */
    sessionDays: z.number().int().min(SESSION_DAYS.least).max(SESSION_DAYS.most).default(SESSION_DAYS.usual),
    /** Whether accounts may use the apps of others that no operator approved. */
    allowsAllApps: z.boolean().default(false),
    captcha: z
      .object({
        kind: z.enum(CAPTCHA_KINDS),
        /** For an external captcha; empty otherwise. */
        scriptUrl: webAddress.or(z.literal('')),
        appId: z.string().max(128),
        verifyUrl: webAddress.or(z.literal('')),
      })
      .strict(),
    maintenance: z
      .object({ text: z.string().min(1).max(500), startTime: timeMs, endTime: timeMs })
      .strict()
      .nullable(),
    /** Addresses in place of the built-in documents. */
    documentList: z.array(Document.strict()).max(12),
    /** A newer one asks for consent at the next sign-in; 0 asks nobody. */
    privacyUpdateTime: timeMs,
    environment: Environment.default(USUAL_ENVIRONMENT),
  })
  .strict();
export type AccountConfig = z.infer<typeof AccountConfig>;

/** Absent keeps the stored value, null removes it. */
const secret = z.string().min(1).max(256).nullable().optional();
export const ACCOUNT_SECRETS = ['mailPassword', 'smsToken', 'captchaSecret'] as const;
export type AccountSecret = (typeof ACCOUNT_SECRETS)[number];

const Answer = z.object({
  config: AccountConfig,
  version: z.number().int(),
  /** Which secrets are stored; their values are never returned. */
  secretList: z.array(z.enum(ACCOUNT_SECRETS)),
  /** The last message that could not be sent since the server started. */
  lastFailure: z.object({ at: timeMs, reason: z.string() }).nullable(),
});

export const accountSettingsCalls = {
  'system/account/get': call({
    summary: 'Settings of accounts: messages, registration, check against robots, documents, maintenance',
    permission: operatorOnly,
    audit: 'read',
    input: z.object({}).strict(),
    output: Answer,
  }),
  'system/account/set': call({
    summary: 'Change the settings of accounts',
    permission: operatorOnly,
    audit: 'write',
    errors: [1010],
    input: z
      .object({
        config: AccountConfig,
        version: smallInt,
        mailPassword: secret,
        smsToken: secret,
        captchaSecret: secret,
      })
      .strict(),
    output: Answer,
  }),
  'system/account/test': call({
    summary: 'Send a test message with the stored settings, and wait for what comes of it',
    permission: operatorOnly,
    audit: 'write',
    errors: [1006],
    input: z.object({ target: codeTarget }).strict(),
    output: z.object({
      isSent: z.boolean(),
      /** Reply of the mail server or gateway, without addresses; empty on success. */
      reason: z.string(),
    }),
  }),
} as const;
