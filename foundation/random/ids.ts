// Ids that nobody guesses and that never meet.
import { randomBytes } from 'node:crypto';

const ID_BYTES = 12;
/** Drawn for many ids at once: the system's source costs more than the id itself. */
const pool = { bytes: Buffer.alloc(0), at: 0 };

/** 96 random bits as 24 hex digits, so that it may also name a folder. */
export function newId(): string {
  if (pool.at === pool.bytes.length) Object.assign(pool, { bytes: randomBytes(ID_BYTES * 256), at: 0 });
  pool.at += ID_BYTES;
  return pool.bytes.toString('hex', pool.at - ID_BYTES, pool.at);
}

/** The time in ms first: what stores such ids in order writes at one end of its index. */
export function newTimedId(at: number): string {
  return `${Math.trunc(at).toString(36).padStart(9, '0')}${newId()}`;
}
