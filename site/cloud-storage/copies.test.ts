// Tests of the list of copies in the folder of a day: across restarts, torn lines and deletions.
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Copies, COPIES_NAME, type Copy } from './copies.ts';

let day: string;
beforeEach(async () => {
  day = await mkdtemp(join(tmpdir(), 'day-'));
});
afterEach(async () => await rm(day, { recursive: true, force: true }));

const copy = (startMs: number): Copy => ({
  startMs,
  state: 'verified',
  storeId: 's',
  root: 'r/o',
  mediaBytes: 10,
  indexBytes: 2,
  until: 99,
});

async function reopened(): Promise<Copies> {
  const copies = new Copies(createDisk());
  await copies.load(day);
  return copies;
}

it('are the same after a restart, in their newest state', async () => {
  const copies = new Copies(createDisk());
  await copies.set(day, copy(1));
  await copies.set(day, copy(2));
  await copies.set(day, { ...copy(1), state: 'remote' });
  await copies.delete(day, 2);
  const again = await reopened();
  expect(again.find(day, 1)).toEqual({ ...copy(1), state: 'remote' });
  expect(again.find(day, 2)).toBeNull();
  expect([...again.remoteOf(day)]).toEqual([1]);
});

it('lose nothing but a line that was not finished', async () => {
  await new Copies(createDisk()).set(day, copy(1));
  await appendFile(join(day, COPIES_NAME), '\n{"startMs":2,"state":"veri');
  await (await reopened()).set(day, copy(3));
  await appendFile(join(day, COPIES_NAME), '\n{"startMs":4,"state":"verified"}\n');
  const again = await reopened();
  expect([1, 2, 3, 4].filter((startMs) => again.find(day, startMs) !== null)).toEqual([1, 3]);
});

it('leave no file behind when the last is deleted', async () => {
  const copies = new Copies(createDisk());
  await copies.set(day, copy(1));
  await copies.delete(day, 1);
  expect(await readdir(day)).toEqual([]);
});
