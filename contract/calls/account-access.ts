// Calls without a session: captcha, codes, registration, password reset, documents.
import { z } from 'zod';
import { call } from '../call.ts';
import { timeMs } from '../entities.ts';
import { captcha, password } from './account.ts';

export const CODE_PURPOSES = ['register', 'retrieve', 'login', 'bind'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

const empty = z.object({}).strict();
/** A phone number or an e-mail address; for the purpose `login` also a user name. */
export const codeTarget = z.string().min(1).max(64);
export const verifyCode = z.string().regex(/^\d{6}$/);
/** Token of the password reset link. */
const resetToken = z.string().min(1).max(64);
const language = z.number().int().min(0).max(1);

/** The kinds of document of LM-04. */
export const DOCUMENT_KINDS = ['privacy', 'manual', 'agreement'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
/** http or https, or a path of this server. */
export const documentUrl = z
  .string()
  .max(512)
  .regex(/^(?:https?:\/\/[^\s<>"']+|\/(?!\/)[A-Za-z0-9/._-]+)$/);

export const Document = z.object({
  kind: z.enum(DOCUMENT_KINDS),
  /** 0 simplified Chinese, 1 English. */
  language,
  /** The variant without a brand name. */
  isNoBrand: z.boolean(),
  url: documentUrl,
});
export type Document = z.infer<typeof Document>;

export const accountAccessCalls = {
  'account/captcha/get': call({
    summary: 'A puzzle that a browser solves by work, for the field captcha; null where another check is configured',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1005],
    input: empty,
    output: z.object({
      challenge: z.object({ parameters: z.record(z.string(), z.unknown()), signature: z.string() }).nullable(),
    }),
  }),
  'account/verifyCode/send': call({
    summary: 'Send a code of six digits; answers alike whether an account stands behind the target or not',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1006, 1013, 1014],
    input: z
      .object({
        target: codeTarget,
        purpose: z.enum(CODE_PURPOSES),
        captcha: captcha.optional(),
        clientType: z.enum(['web', 'client']).default('web'),
        language: language.optional(),
      })
      .strict(),
    output: z.object({
      /** Seconds until another code can be sent to this target. */
      resendAfter: z.number().int(),
    }),
  }),
  'account/register': call({
    summary: 'Make an account with the code that was sent to its e-mail address or phone',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1006, 1015, 1016],
    input: z
      .object({
        username: z.string().min(1).max(64),
        password,
        target: codeTarget,
        verifyCode,
        language: language.optional(),
        /** Time of the privacy policy that was accepted. */
        privacyTime: timeMs.optional(),
      })
      .strict(),
    output: z.object({ userId: z.string() }),
  }),
  'account/password/retrieve': call({
    summary: 'Set a new password with a code; ends every session and keeps the second factor',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1006, 1015],
    input: z.object({ target: codeTarget, verifyCode, password }).strict(),
    output: z.object({}),
  }),
  'account/password/reset/open': call({
    summary: 'Whose password the link of a reset sets',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1007],
    input: z.object({ token: resetToken }).strict(),
    output: z.object({ userName: z.string(), expiresAt: timeMs }),
  }),
  'account/password/reset/use': call({
    summary:
      'Set a new password with the link of a reset, which works once; ends every session and keeps the second factor',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1007],
    input: z.object({ token: resetToken, password }).strict(),
    output: z.object({}),
  }),
  'server/documents': call({
    summary: 'Addresses of privacy policy, manual and service agreement by language and brand',
    permission: { kind: 'public' },
    audit: 'none',
    input: empty,
    output: z.object({ documentList: z.array(Document), privacyUpdateTime: timeMs }),
  }),
} as const;
