// Creates and verifies the WS-Security UsernameToken with password digest (OASIS WSS UsernameToken Profile 1.0, section 3.1).
import { createHash, timingSafeEqual } from 'node:crypto';
import type { XmlElement } from '../xml/xml.ts';
import { type XmlNode, element } from '../xml/xml-writer.ts';

const base = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-';
export const securityPrefixes = {
  wsse: `${base}wssecurity-secext-1.0.xsd`,
  wsu: `${base}wssecurity-utility-1.0.xsd`,
} as const;
const digestType = `${base}username-token-profile-1.0#PasswordDigest`;
const base64Type = `${base}soap-message-security-1.0#Base64Binary`;

export interface UsernameTokenInput {
  readonly user: string;
  readonly password: string;
  /** Time of the device, not ours: our clock plus the offset learned from GetSystemDateAndTime; milliseconds since 1970 UTC. */
  readonly createdMs: number;
  /** 16 random bytes, new for every message. */
  readonly nonce: Uint8Array;
}

/** The `Security` header block. The password itself is never sent. */
export function usernameTokenHeader(input: UsernameTokenInput): XmlNode {
  const created = new Date(input.createdMs).toISOString();
  const digest = passwordDigest(input.nonce, created, input.password);
  return element(
    'wsse:Security',
    { 's:mustUnderstand': '1' },
    element(
      'wsse:UsernameToken',
      {},
      element('wsse:Username', {}, input.user),
      element('wsse:Password', { Type: digestType }, digest.toString('base64')),
      element('wsse:Nonce', { EncodingType: base64Type }, Buffer.from(input.nonce).toString('base64')),
      element('wsu:Created', {}, created),
    ),
  );
}

function passwordDigest(nonce: Uint8Array, created: string, password: string): Buffer {
  return createHash('sha1').update(nonce).update(created).update(password).digest();
}

export interface UsernameToken {
  readonly user: string;
  readonly digest: Buffer;
  readonly nonce: Buffer;
  readonly created: string;
}

/** Null when the header carries no UsernameToken with a password digest. */
export function readUsernameToken(header: XmlElement | null): UsernameToken | null {
  const token = header?.path('Security', 'UsernameToken');
  const password = token?.child('Password');
  const user = token?.child('Username');
  if (token === undefined || password === undefined || user === undefined) return null;
  if (!(password.attribute('Type') ?? '').endsWith('#PasswordDigest')) return null;
  return {
    user: user.text,
    digest: Buffer.from(password.text.trim(), 'base64'),
    nonce: Buffer.from(textOf(token, 'Nonce'), 'base64'),
    created: textOf(token, 'Created'),
  };
}

function textOf(token: XmlElement, name: string): string {
  return token.child(name)?.text.trim() ?? '';
}

export interface TokenVerification {
  readonly user: string;
  readonly password: string;
  /** The verifier's clock, milliseconds since 1970 UTC. */
  readonly nowMs: number;
  /** How far `Created` may lie from it. */
  readonly toleranceMs: number;
}

export function isUsernameTokenValid(token: UsernameToken, against: TokenVerification): boolean {
  const createdMs = Date.parse(token.created);
  if (!(Math.abs(createdMs - against.nowMs) <= against.toleranceMs)) return false;
  const expected = passwordDigest(token.nonce, token.created, against.password);
  if (token.user !== against.user || token.digest.length !== expected.length) return false;
  return timingSafeEqual(token.digest, expected);
}
