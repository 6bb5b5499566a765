// TOTP codes (RFC 6238): six digits, 30 seconds, SHA-1, as authenticator apps expect.
import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;
/** Accepted time steps before and after ours, since phone clocks drift. */
const WINDOW = 1;
/** RFC 4226 asks for 160 bits. */
const SECRET_BYTES = 20;

/** Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Content of the QR code. */
export function otpauthUrl(secret: string, userName: string, issuer: string): string {
  return totp(secret, userName, issuer).toString();
}

/** The time step of the code, or null: callers store it to refuse a code that is used twice. */
export function matchingStep(secret: string, code: string, now: number): number | null {
  const delta = totp(secret, '', '').validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / STEP_MS) + delta;
}

function totp(secret: string, label: string, issuer: string): TOTP {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
}
