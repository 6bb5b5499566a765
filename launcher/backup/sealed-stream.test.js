// Sealed streams: any length comes back, and what was changed, cut, exchanged or sealed with another key does not.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { seal, unseal } from './sealed-stream.js';

const key = randomBytes(32);
const chunk = 1024 * 1024;
const head = 15;
const sealedChunk = chunk + 16;

/** @param {AsyncIterable<Buffer>} stream */
async function whole(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/**
 * @param {Buffer} bytes
 * @param {number} size of the pieces that come
 */
function pieces(bytes, size) {
  const list = [];
  for (let at = 0; at < bytes.length; at += size) list.push(bytes.subarray(at, at + size));
  return Readable.from(list);
}

/** @param {Buffer} bytes */
const sealed = (bytes) => whole(seal(key)(pieces(bytes, 70_001)));
/** @param {Buffer} bytes */
const opened = (bytes, with_ = key) => whole(unseal(with_, 'data.tar.sealed')(pieces(bytes, 99_991)));

describe('sealed streams', () => {
  it.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 7])('bring back %i bytes', async (size) => {
    const bytes = randomBytes(size);
    const hidden = await sealed(bytes);
    if (size > 64) expect(hidden.includes(bytes.subarray(0, 64))).toBe(false);
    expect((await opened(hidden)).equals(bytes)).toBe(true);
  });

  it('are never the same twice', async () => {
    const bytes = Buffer.alloc(100);
    expect((await sealed(bytes)).equals(await sealed(bytes))).toBe(false);
  });

  it('refuse another key, a changed byte anywhere, chunks in another order, and a missing end', async () => {
    const hidden = await sealed(randomBytes(2 * chunk + 100));
    const first = hidden.subarray(head, head + sealedChunk);
    const second = hidden.subarray(head + sealedChunk, head + 2 * sealedChunk);
    const rest = hidden.subarray(head + 2 * sealedChunk);
    const wrong = [
      Buffer.concat([hidden.subarray(0, head), second, first, rest]),
      hidden.subarray(0, head + 2 * sealedChunk),
      hidden.subarray(0, hidden.length - 1),
      hidden.subarray(0, head),
      hidden.subarray(0, 3),
      Buffer.alloc(0),
      Buffer.concat([hidden, Buffer.from([0])]),
    ];
    for (const at of [0, 8, head, head + 10, hidden.length - 1]) {
      const changed = Buffer.from(hidden);
      changed[at] = (changed[at] ?? 0) ^ 1;
      wrong.push(changed);
    }
    for (const bytes of wrong) await expect(opened(bytes)).rejects.toMatchObject({ code: 'backupDamaged' });
    await expect(opened(hidden, randomBytes(32))).rejects.toMatchObject({ code: 'backupDamaged' });
  });
});
