// Normalizes what a device reports of itself: bounded, printable, with a serial of the specified form.
import { createHash } from 'node:crypto';
import type { SiteCandidate } from '@vedette/contract/site/site.ts';

const SERIAL_LENGTH = 16;
const NAME_MAX = 64;
const SECRET_PARTS = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i;

/** The device's serial if valid, else one derived from its driver and address. */
export function serialOf(candidate: Pick<SiteCandidate, 'deviceSerial' | 'driver' | 'native'>): string {
  if (/^[A-Za-z0-9]{1,20}$/.test(candidate.deviceSerial)) return candidate.deviceSerial;
  // Excludes what only this probe observed.
  const native = { ...candidate.native, trust: undefined };
  const seed = `${candidate.driver} ${candidate.deviceSerial} ${JSON.stringify(native)}`;
  return createHash('sha256').update(seed).digest('hex').slice(0, SERIAL_LENGTH).toUpperCase();
}

/** At most 64 characters without angle brackets; the fallback if nothing is left. */
export function cleanName(text: string, fallback: string): string {
  const cleaned = Array.from(text.replace(/[<>\p{Cc}]/gu, ' ').trim())
    .slice(0, NAME_MAX)
    .join('')
    .trim();
  return cleaned === '' ? fallback : cleaned;
}

/** For display: no control characters, at most 128 characters. */
export function cleanText(text: string): string {
  return Array.from(text.replace(/\p{Cc}/gu, ' ').trim())
    .slice(0, 128)
    .join('');
}

/** A version, for comparison and display: one printable line, at most 64 characters. */
export function cleanVersion(text: string): string {
  return Array.from(text.replace(/[<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ').trim())
    .slice(0, NAME_MAX)
    .join('')
    .trim();
}

/** Host and port that the site dials; an invalid address stays as it is. */
export function hostOf(address: string): string {
  const host = URL.parse(address)?.host ?? '';
  return cleanText(host === '' ? address : host);
}

export interface Target {
  /** Without user and password. */
  readonly target: string;
  readonly user: string;
  readonly password: string;
}

/** Moves user and password from the address into empty fields. */
export function splitTarget(target: string, user: string, password: string): Target {
  const trimmed = target.trim();
  const match = SECRET_PARTS.exec(trimmed);
  if (match?.[1] === undefined || match[2] === undefined) return { target: trimmed, user, password };
  const rest = trimmed.slice(match[0].length);
  const colon = match[2].indexOf(':');
  const inner = colon < 0 ? [match[2], ''] : [match[2].slice(0, colon), match[2].slice(colon + 1)];
  const [innerUser, innerPassword] = inner.map(decodeSafely) as [string, string];
  const own =
    user === '' ? { user: innerUser, password: password === '' ? innerPassword : password } : { user, password };
  return { target: `${match[1]}${rest}`, ...own };
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A single percent sign in a password is no escape.
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Some cameras take their password inside the path or the query of their RTSP URL. */
const PASSWORD_IN_PATH = /((?:password|passwd|pass|pwd|psw)=)[^&/?#]+/gi;

/** The address with `•••` in place of such a password. */
export function hidePasswords(target: string): string {
  return target.replace(PASSWORD_IN_PATH, '$1•••');
}
