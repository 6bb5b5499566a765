// Unguessable, unique ids.
import { randomBytes } from 'node:crypto';

const ID_BYTES = 12;
/** Random bytes are drawn for many ids at once, since the system call costs more than the id. */
const pool = { bytes: Buffer.alloc(0), at: 0 };

/** 96 random bits as 24 hex digits, so that it may also name a folder. */
export function newId(): string {
  if (pool.at === pool.bytes.length) Object.assign(pool, { bytes: randomBytes(ID_BYTES * 256), at: 0 });
  pool.at += ID_BYTES;
  return pool.bytes.toString('hex', pool.at - ID_BYTES, pool.at);
}

/** Starts with the time in ms, so that an index on the id grows at one end. */
export function newTimedId(at: number): string {
  return `${Math.trunc(at).toString(36).padStart(9, '0')}${newId()}`;
}
