// Computes, writes and verifies Digest and Basic credentials for HTTP and RTSP (RFC 7616, RFC 2069 without qop, RFC 7617).
import { createHash, timingSafeEqual } from 'node:crypto';
import { type DigestAlgorithm, type DigestChallenge, splitChallenges } from './challenge.ts';

export interface DigestRequest {
  readonly method: string;
  /** Exactly as on the request line. */
  readonly uri: string;
  readonly body?: string | Uint8Array;
}

export interface DigestSecret {
  readonly user: string;
  readonly password: string;
}

export interface DigestUse {
  /** How often this nonce has been used, this time included. */
  readonly nonceCount: number;
  readonly clientNonce: string;
}

interface DigestInput extends DigestRequest, DigestSecret {
  readonly realm: string;
  readonly nonce: string;
  readonly algorithm: DigestAlgorithm;
  readonly isSession: boolean;
  readonly qop: 'auth' | 'auth-int' | null;
  /** Eight hexadecimal digits. */
  readonly nonceCount: string;
  readonly clientNonce: string;
}

const hashNames = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' } as const;

function digestResponse(input: DigestInput): string {
  const hash = (data: string | Uint8Array) => createHash(hashNames[input.algorithm]).update(data).digest('hex');
  const base = hash(`${input.user}:${input.realm}:${input.password}`);
  const secret = input.isSession ? hash(`${base}:${input.nonce}:${input.clientNonce}`) : base;
  const bodyPart = input.qop === 'auth-int' ? `:${hash(input.body ?? '')}` : '';
  const request = hash(`${input.method}:${input.uri}${bodyPart}`);
  if (input.qop === null) return hash(`${secret}:${input.nonce}:${request}`);
  return hash(`${secret}:${input.nonce}:${input.nonceCount}:${input.clientNonce}:${input.qop}:${request}`);
}

/** The value of an `Authorization` header that answers the challenge. */
export function digestAuthorization(
  challenge: DigestChallenge,
  secret: DigestSecret,
  request: DigestRequest,
  use: DigestUse,
): string {
  const nonceCount = use.nonceCount.toString(16).padStart(8, '0');
  const response = digestResponse({ ...challenge, ...secret, ...request, nonceCount, clientNonce: use.clientNonce });
  const parts = [
    `username=${quote(secret.user)}`,
    `realm=${quote(challenge.realm)}`,
    `nonce=${quote(challenge.nonce)}`,
    `uri=${quote(request.uri)}`,
    `response="${response}"`,
  ];
  if (challenge.algorithmText !== null) parts.push(`algorithm=${challenge.algorithmText}`);
  if (challenge.opaque !== null) parts.push(`opaque=${quote(challenge.opaque)}`);
  if (challenge.qop !== null) parts.push(`qop=${challenge.qop}`, `nc=${nonceCount}`);
  if (challenge.qop !== null || challenge.isSession) parts.push(`cnonce=${quote(use.clientNonce)}`);
  return `Digest ${parts.join(', ')}`;
}

export function basicAuthorization(secret: DigestSecret): string {
  return `Basic ${Buffer.from(`${secret.user}:${secret.password}`).toString('base64')}`;
}

/** What a client sent in `Authorization`, for a server to verify. */
export type SentAuthorization =
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'digest'; readonly user: string; readonly parameters: ReadonlyMap<string, string> };

export function parseAuthorization(value: string): SentAuthorization | null {
  const basic = /^basic\s+([\w+/=-]+)\s*$/iu.exec(value)?.[1];
  if (basic !== undefined) {
    const [, user, password] = /^([^:]*):(.*)$/su.exec(Buffer.from(basic, 'base64').toString()) ?? [];
    return user === undefined || password === undefined ? null : { scheme: 'basic', user, password };
  }
  const first = splitChallenges(value)[0];
  const user = first?.parameters.get('username');
  if (first?.scheme !== 'digest' || user === undefined) return null;
  return { scheme: 'digest', user, parameters: first.parameters };
}

/** Whether sent digest credentials match the challenge we gave and the password we know; the caller knows which nonces it issued. */
export function isDigestValid(
  sent: SentAuthorization,
  challenge: DigestChallenge,
  secret: DigestSecret,
  request: DigestRequest,
): boolean {
  if (sent.scheme !== 'digest' || sent.user !== secret.user) return false;
  const given = sent.parameters;
  if (!isOfChallenge(given, challenge)) return false;
  const use = { nonceCount: given.get('nc') ?? '', clientNonce: given.get('cnonce') ?? '' };
  // The client's own spelling of the URI is what it hashed; servers compare it with the request line where that matters.
  const uri = given.get('uri') ?? request.uri;
  const expected = Buffer.from(digestResponse({ ...challenge, ...secret, ...request, ...use, uri }));
  const actual = Buffer.from((given.get('response') ?? '').toLowerCase());
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function isOfChallenge(given: ReadonlyMap<string, string>, challenge: DigestChallenge): boolean {
  if (given.get('nonce') !== challenge.nonce || given.get('realm') !== challenge.realm) return false;
  return (given.get('qop') ?? null) === challenge.qop;
}

/** The value of a `WWW-Authenticate` header for a challenge. */
export function writeDigestChallenge(challenge: DigestChallenge): string {
  const parts = [`realm=${quote(challenge.realm)}`, `nonce=${quote(challenge.nonce)}`];
  if (challenge.opaque !== null) parts.push(`opaque=${quote(challenge.opaque)}`);
  if (challenge.algorithmText !== null) parts.push(`algorithm=${challenge.algorithmText}`);
  if (challenge.qop !== null) parts.push(`qop="${challenge.qop}"`);
  if (challenge.isStale) parts.push('stale=true');
  return `Digest ${parts.join(', ')}`;
}

/** A quoted string; line breaks would let a value start a header of its own and are dropped. */
function quote(text: string): string {
  return `"${text.replace(/[\r\n]/gu, '').replace(/["\\]/gu, '\\$&')}"`;
}
