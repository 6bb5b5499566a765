// The server's only source of randomness: ids, tokens, codes and the set-up secret.
import { randomBytes, randomInt } from 'node:crypto';

/** Id of a row: 96 random bits as 24 hex digits, so that it may also name a folder. */
export function newId(): string {
  return randomBytes(12).toString('hex');
}

/** 256 random bits, base64url: session tokens and media tickets. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Six digits, leading zeros included. */
export function newDigits(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** Letters and digits that nobody mistakes for each other: 50 bits in two groups of five. */
export function newRecoveryCode(): string {
  const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  const letters = Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)] ?? '');
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`;
}

/** From `least` to `most`, both included. */
export function newNumber(least: number, most: number): number {
  return randomInt(least, most + 1);
}

/** Letters and digits that nobody mistakes for one another, for people to type. */
export function newReadable(length: number): string {
  // 32 of them: a byte's lowest five bits choose one evenly.
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
