// Seals and opens a stream of any length: AES-256-GCM in chunks that can neither be changed, exchanged nor cut off.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { LaunchError } from '../core/launch-error.js';

const magic = Buffer.from('VDTBK1\n');
const chunkBytes = 1024 * 1024;
const tagBytes = 16;
/** Of the nonce: random for each file; the number of the chunk fills the other four bytes. */
const prefixBytes = 8;
const algorithm = 'aes-256-gcm';
/** Authenticated with each chunk: whether another follows. */
const last = Buffer.from([1]);
const more = Buffer.from([0]);

/**
 * @param {Buffer} key
 * @returns {(source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>} for `pipeline`
 */
export function seal(key) {
  return async function* sealing(source) {
    const prefix = randomBytes(prefixBytes);
    yield Buffer.concat([magic, prefix]);
    let number = 0;
    for await (const { chunk, isLast } of chunksOf(source, chunkBytes)) {
      const cipher = createCipheriv(algorithm, key, nonce(prefix, number));
      cipher.setAAD(isLast ? last : more);
      yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
      number += 1;
    }
  };
}

/**
 * Throws LaunchError `backupDamaged` where a chunk is not what was sealed with this key, or the end is missing.
 * @param {Buffer} key
 * @param {string} name of the file, for the error
 * @returns {(source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>} for `pipeline`
 */
export function unseal(key, name) {
  return async function* unsealing(source) {
    let number = 0;
    /** @type {Buffer | null} */
    let prefix = null;
    for await (const { chunk, isLast } of chunksOf(source, chunkBytes + tagBytes, magic.length + prefixBytes)) {
      if (prefix === null) {
        if (!chunk.subarray(0, magic.length).equals(magic) || isLast) throw damaged(name);
        prefix = chunk.subarray(magic.length);
        continue;
      }
      yield openChunk({ key, prefix, number, chunk, isLast, name });
      number += 1;
    }
    if (number === 0) throw damaged(name);
  };
}

/** @param {{ key: Buffer, prefix: Buffer, number: number, chunk: Buffer, isLast: boolean, name: string }} sealed */
function openChunk({ key, prefix, number, chunk, isLast, name }) {
  if (chunk.length < tagBytes) throw damaged(name);
  const decipher = createDecipheriv(algorithm, key, nonce(prefix, number));
  decipher.setAAD(isLast ? last : more);
  decipher.setAuthTag(chunk.subarray(chunk.length - tagBytes));
  const opened = decipher.update(chunk.subarray(0, chunk.length - tagBytes));
  try {
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    throw damaged(name);
  }
}

/**
 * Whole chunks, the last one shorter or empty: an end that falls on a chunk is told by an empty one behind it.
 * @param {AsyncIterable<Buffer>} source
 * @param {number} size
 * @param {number} [firstSize]
 */
async function* chunksOf(source, size, firstSize = size) {
  /** @type {Buffer[]} */
  let parts = [];
  let held = 0;
  let wanted = firstSize;
  for await (const part of source) {
    parts.push(part);
    held += part.length;
    // More than one chunk: of a chunk alone it is not known yet whether it is the last.
    while (held > wanted) {
      const whole = Buffer.concat(parts);
      yield { chunk: whole.subarray(0, wanted), isLast: false };
      parts = [whole.subarray(wanted)];
      held -= wanted;
      wanted = size;
    }
  }
  yield { chunk: Buffer.concat(parts), isLast: true };
}

/**
 * @param {Buffer} prefix
 * @param {number} number
 */
function nonce(prefix, number) {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(number);
  return Buffer.concat([prefix, counter]);
}

/** @param {string} name */
function damaged(name) {
  return new LaunchError('backupDamaged', `${name} was changed, cut off, or sealed with another key.`, {
    hint: 'Check the recovery key, or take another backup. Nothing was restored.',
  });
}
