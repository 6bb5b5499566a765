// Tests of files in an object store: any range reads as from a disk, and what was read lately is not asked for again.
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ObjectStore } from './object-store.ts';
import { RemoteChunks, remoteFile } from './remote-file.ts';

const BYTES = randomBytes(1_500_000);

function opened() {
  const asked: number[] = [];
  const get: ObjectStore['get'] = async (_key, { from, length }) => {
    asked.push(from);
    return BYTES.subarray(from, from + length);
  };
  const store = { get } as ObjectStore;
  return { asked, file: remoteFile({ store, chunks: new RemoteChunks(), key: 'k', bytes: BYTES.length }) };
}

it.each([
  [0, 10],
  [524_280, 20],
  [100, 1_300_000],
  [1_499_990, 50],
  [1_500_000, 10],
  [524_288, 524_288],
])('from %i, %i bytes', async (position, length) => {
  const buffer = Buffer.alloc(length);
  const count = await opened().file.read(buffer, position);
  const wanted = BYTES.subarray(position, position + length);
  expect(count).toBe(wanted.length);
  expect(buffer.subarray(0, count).equals(wanted)).toBe(true);
});

it('asks once for what is read twice', async () => {
  const { asked, file } = opened();
  await file.read(Buffer.alloc(100), 0);
  await file.read(Buffer.alloc(100_000), 50);
  expect(asked).toEqual([0]);
});
