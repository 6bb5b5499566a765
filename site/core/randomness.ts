// The site's source of randomness: jitter, nonces, ids.
import { randomBytes as bytes } from 'node:crypto';

export const randomBytes = (count: number): Buffer => bytes(count);
export const randomHex = (count: number): string => bytes(count).toString('hex');
/** The time first: what stores such ids in order writes at one end of its index. */
export const newEventId = (at: number): string => `${Math.trunc(at).toString(36).padStart(9, '0')}${randomHex(12)}`;
export const random32 = (): number => bytes(4).readUInt32BE(0);
/** In [0, 1). */
export const randomFraction = (): number => Math.random();
/** 48 bits: exact as a number, unique among the runs of a stream. */
export const randomRunId = (): number => bytes(6).readUIntBE(0, 6);
