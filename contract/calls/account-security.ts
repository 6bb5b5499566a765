// Calls of account security: two-factor authentication, trusted browsers, contacts, and deleting the account.
import { z } from 'zod';
import { call } from '../call.ts';
import { id, timeMs } from '../entities.ts';
import { twoFactorCode, password, Profile, TWO_FACTOR_METHODS } from './account.ts';
import { codeTarget, verifyCode } from './account-access.ts';

const empty = z.object({}).strict();

export const TrustedBrowser = z.object({
  /** Hash of the browser's id. */
  browserId: z.string(),
  agent: z.string(),
  trustedAt: timeMs,
  lastUsedAt: timeMs,
  isCurrent: z.boolean(),
});

export const NOTICE_KINDS = ['passwordReset', 'factorReset', 'mailUnconfirmed'] as const;

export const AccountNotice = z.object({
  noticeId: z.string(),
  kind: z.enum(NOTICE_KINDS),
  /** Name of the account that did it. */
  byName: z.string(),
  at: timeMs,
});
export type AccountNotice = z.infer<typeof AccountNotice>;

export const accountSecurityCalls = {
  'account/twofactor/begin': call({
    summary: 'Prepare a second factor; nothing changes until a code of it was entered',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'session',
    errors: [1006, 1016, 1040],
    input: z.object({ method: z.enum(TWO_FACTOR_METHODS).default('totp') }).strict(),
    output: z.object({
      /** Base32, to type where the QR code can't be scanned; empty for codes by message. */
      secret: z.string(),
      /** Content of the QR code; empty for codes by message. */
      otpauthUrl: z.string(),
      /** Where codes are sent, masked; empty for time codes. */
      target: z.string(),
    }),
  }),
  'account/twofactor/enable': call({
    summary: 'Switch the prepared second factor on; the recovery codes are shown this once',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'session',
    errors: [1007, 1015, 1040],
    input: z.object({ code: verifyCode }).strict(),
    output: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
  'account/twofactor/disable': call({
    summary: 'Switch the second factor off; the code that `account/stepUp` was given will do, another is checked too',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'session',
    errors: [1007, 1015, 1040],
    input: z.object({ code: twoFactorCode.optional() }).strict(),
    output: z.object({}),
  }),
  'account/twofactor/recovery': call({
    summary: 'New recovery codes in place of those before; they are shown this once',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'session',
    errors: [1007, 1040],
    input: empty,
    output: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
  'account/stepUp': call({
    summary:
      'Give the password again, and a code where a second factor is on: for some minutes the session may do what it alone may not',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1015, 1044, 2004, 2076],
    input: z.object({ password, code: twoFactorCode.optional() }).strict(),
    output: z.object({ until: timeMs }),
  }),
  'account/video/open': call({
    summary: 'Open video at once after a reset by the operator, with a recovery code from before it',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007, 1015],
    input: z.object({ code: twoFactorCode }).strict(),
    output: z.object({}),
  }),
  'account/notice/list': call({
    summary: 'What others did to the account and it has not confirmed to have seen, oldest first',
    permission: { kind: 'session' },
    audit: 'none',
    input: empty,
    output: z.object({
      noticeList: z.array(AccountNotice),
      /** No video is shown until then; 0: video is open. */
      videoClosedUntil: timeMs,
    }),
  }),
  'account/notice/confirm': call({
    summary: 'The notice was seen; refused while video is closed, so that it lasts until its owner can see it',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007, 1041],
    input: z.object({ noticeId: id }).strict(),
    output: z.object({}),
  }),
  'trustDevice/list': call({
    summary: 'Browsers that are not asked for the second factor',
    permission: { kind: 'session' },
    audit: 'read',
    input: empty,
    output: z.object({ total: z.number().int(), trustDeviceList: z.array(TrustedBrowser) }),
  }),
  'trustDevice/delete': call({
    summary: 'Ask this browser for the second factor again',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'session',
    errors: [1007, 1040],
    input: z.object({ browserId: z.string().min(1).max(64) }).strict(),
    output: z.object({}),
  }),
  'account/contact/bind': call({
    summary: 'Bind an e-mail address or phone with the code that was sent to it, in place of the one before',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'password',
    errors: [1015, 1040, 2004],
    input: z.object({ target: codeTarget, verifyCode, password }).strict(),
    output: Profile,
  }),
  'account/contact/unbind': call({
    summary: 'Forget the bound e-mail address or phone',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'password',
    errors: [1004, 1040, 2004],
    input: z.object({ kind: z.enum(['email', 'phone']), password }).strict(),
    output: Profile,
  }),
  'account/erase': call({
    summary: 'Erase the own account with all that it owns; the last operator stays',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'password',
    errors: [1004, 1040, 2004],
    input: z.object({ password }).strict(),
    output: z.object({}),
  }),
} as const;
