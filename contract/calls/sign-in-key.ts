// Calls by which a native shell signs in with a key in place of the password; the key is registered with account/login.
import { z } from 'zod';
import { call } from '../call.ts';
import { browserId, SignedIn } from './account.ts';

/** Thumbprint of the public key (RFC 7638): SHA-256, base64url. */
export const signInKeyId = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const secret = z.string().min(1).max(64);

export const signInKeyCalls = {
  'account/key/challenge': call({
    summary: 'A challenge for the key of a native shell; it can be answered once, within 60 s',
    permission: { kind: 'public' },
    audit: 'none',
    input: z.object({ keyId: signInKeyId }).strict(),
    output: z.object({ challenge: z.string() }),
  }),
  'account/key/ticket': call({
    summary:
      "A ticket for one sign-in within 60 s, for a JWT of the type vedette-sign-in+jwt that the key signed (ES256): `nonce` is the challenge, `aud` the server's origin, `sub` the user id",
    permission: { kind: 'public' },
    audit: 'none',
    errors: [2004],
    input: z.object({ keyId: signInKeyId, proof: z.string().min(1).max(2048) }).strict(),
    output: z.object({ ticket: z.string() }),
  }),
  'account/key/signIn': call({
    summary: 'Open a session with a ticket, in the browser for which the key was registered',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [2004, 2031],
    input: z.object({ ticket: secret, browserId }).strict(),
    output: SignedIn,
  }),
  'account/key/delete': call({
    summary: 'Let a key sign in no more, and end the other sessions that it opened',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ keyId: signInKeyId }).strict(),
    output: z.object({}),
  }),
} as const;
