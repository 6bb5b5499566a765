// Source of randomness in the server: ids, tokens, codes and the set-up secret.
import { randomBytes, randomInt } from 'node:crypto';

const ID_BYTES = 12;
/** Drawn for many ids at once: the system's source costs more than the id itself. */
const pool = { bytes: Buffer.alloc(0), at: 0 };

/** Id of a row: 96 random bits as 24 hex digits, so that it may also name a folder. */
export function newId(): string {
  if (pool.at === pool.bytes.length) Object.assign(pool, { bytes: randomBytes(ID_BYTES * 256), at: 0 });
  pool.at += ID_BYTES;
  return pool.bytes.toString('hex', pool.at - ID_BYTES, pool.at);
}

/** 256 random bits, base64url: session tokens and media tickets. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Six digits, leading zeros included. */
export function newDigits(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** 80 random bits in four groups of four. */
export function newRecoveryCode(): string {
  const letters = newReadable(16);
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4)).join('-');
}

/** Of what is derived from a secret. */
export function newSalt(): Buffer {
  return randomBytes(16);
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
