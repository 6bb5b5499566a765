// The server's only source of randomness: ids, tokens and the set-up secret.
import { randomBytes } from 'node:crypto';

/** Id of a row: 96 random bits as 24 hex digits, so that it may also name a folder. */
export function newId(): string {
  return randomBytes(12).toString('hex');
}

/** 256 random bits, base64url: session tokens and media tickets. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
