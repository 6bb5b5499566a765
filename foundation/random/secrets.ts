// Unguessable secrets: tokens, codes for people to type, salts.
import { randomBytes, randomInt } from 'node:crypto';

/** 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Six digits, leading zeros included. */
export function newDigits(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** Salt for deriving a key from a secret. */
export function newSalt(): Buffer {
  return randomBytes(16);
}

/** From `least` to `most`, both included. */
export function newNumber(least: number, most: number): number {
  return randomInt(least, most + 1);
}

/** Letters and digits that nobody mistakes for one another, for people to type. */
export function newReadable(length: number): string {
  // 32 characters: the lowest five bits of a byte pick one evenly.
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
