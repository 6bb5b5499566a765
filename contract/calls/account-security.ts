// Calls of the signed-in account about its own safety: second factor, trusted browsers, contacts, and erasing itself.
import { z } from 'zod';
import { call } from '../call.ts';
import { timeMs } from '../entities.ts';
import { factorCode, password, Profile, SECOND_FACTORS } from './account.ts';
import { codeTarget, verifyCode } from './account-access.ts';

const empty = z.object({}).strict();

export const TrustedBrowser = z.object({
  /** The hash by which the server knows the browser. */
  browserId: z.string(),
  agent: z.string(),
  trustedAt: timeMs,
  lastUsedAt: timeMs,
  isCurrent: z.boolean(),
});

export const accountSecurityCalls = {
  'account/twofactor/begin': call({
    summary: 'Prepare a second factor; nothing changes until a code of it was entered',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1006, 1016],
    input: z.object({ method: z.enum(SECOND_FACTORS).default('totp') }).strict(),
    output: z.object({
      /** Base32, for a program that can't read the picture; empty for codes that are sent. */
      secret: z.string(),
      /** What the QR picture holds; empty for codes that are sent. */
      otpauthUrl: z.string(),
      /** Where codes are sent, masked; empty for time codes. */
      target: z.string(),
    }),
  }),
  'account/twofactor/enable': call({
    summary: 'Switch the prepared second factor on; the recovery codes are shown this once',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007, 1015],
    input: z.object({ code: verifyCode }).strict(),
    output: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
  'account/twofactor/disable': call({
    summary: 'Switch the second factor off, with a code of it or a recovery code',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007, 1015],
    input: z.object({ code: factorCode }).strict(),
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
    errors: [1007],
    input: z.object({ browserId: z.string().min(1).max(64) }).strict(),
    output: z.object({}),
  }),
  'account/contact/bind': call({
    summary: 'Bind an e-mail address or phone with the code that was sent to it, in place of the one before',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1015, 2004],
    input: z.object({ target: codeTarget, verifyCode, password }).strict(),
    output: Profile,
  }),
  'account/contact/unbind': call({
    summary: 'Forget the bound e-mail address or phone',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1004, 2004],
    input: z.object({ kind: z.enum(['email', 'phone']), password }).strict(),
    output: Profile,
  }),
  'account/erase': call({
    summary: 'Erase the own account with all that it owns; the last operator stays',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1004, 2004],
    input: z.object({ password }).strict(),
    output: z.object({}),
  }),
} as const;
