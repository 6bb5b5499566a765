// Random bytes and numbers: nonces, ids of protocols, jitter.
import { randomBytes as bytes } from 'node:crypto';

export const randomBytes = (count: number): Buffer => bytes(count);
export const randomHex = (count: number): string => bytes(count).toString('hex');
export const random32 = (): number => bytes(4).readUInt32BE(0);
/** Exact as a number. */
export const random48 = (): number => bytes(6).readUIntBE(0, 6);
/** In [0, 1), guessable: for jitter only. */
export const randomFraction = (): number => Math.random();
