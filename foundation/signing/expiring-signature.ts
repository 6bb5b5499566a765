// Signs a text together with the time until which it holds: for addresses that are handed out and expire.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Eight hexadecimal digits of seconds since 1970, a dash, and 160 bits of HMAC-SHA256 in base64url. */
const FORM = /^([0-9a-f]{8})-[\w-]{27}$/;
const SIGNATURE_CHARACTERS = 27;

/** @param expiresS seconds since 1970, at most eight hexadecimal digits */
export function signUntil(key: string, text: string, expiresS: number): string {
  const expiry = expiresS.toString(16).padStart(8, '0');
  const signature = createHmac('sha256', key).update(`${expiry} ${text}`).digest('base64url');
  return `${expiry}-${signature.slice(0, SIGNATURE_CHARACTERS)}`;
}

/** Until when it holds, in seconds since 1970; null where it was not made with this key for this text. */
export function signedUntil(key: string, text: string, signature: string): number | null {
  const expiry = FORM.exec(signature)?.[1];
  if (expiry === undefined) return null;
  const expiresS = Number.parseInt(expiry, 16);
  const expected = Buffer.from(signUntil(key, text, expiresS));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? expiresS : null;
}

/** A key of its own for each purpose, from which the first key cannot be found. */
export function derivedKey(key: string, purpose: string): string {
  return createHmac('sha256', key).update(purpose).digest('hex');
}
