// How long calls take that pages make all the time, and what is recorded and stored meanwhile.
import { folderBytes } from '../../../bench/measure/folder-bytes.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { readdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { oneOf, type SoakWorld } from '../world.ts';

/** Those that a restart was in the way of say nothing. */
export async function sampleCalls(world: SoakWorld): Promise<void> {
  const { operator, cameras, random } = world;
  const camera = oneOf(cameras, random);
  const now = Date.now();
  const day = { startTime: now - DAY_MS, endTime: now };
  const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['device/list', () => operator.ok('device/list', {})],
    ['record/query', () => operator.ok('record/query', { ...camera, ...day })],
    ['media/url', () => operator.ok('media/url', { ...camera, quality: 0 })],
    ['alarm/list', () => operator.ok('alarm/list', {})],
  ];
  for (const [name, call] of calls) {
    const [startedMs, startedAt] = [performance.now(), Date.now()];
    await call();
    if (!world.outages.touch(startedAt, Date.now())) world.book.note(`callMs/${name}`, performance.now() - startedMs);
  }
}

const MB = 1_000_000;

/** Of each folder of the data, and what the product says of its recordings. */
export async function sampleDisk({ operator, product, book }: SoakWorld): Promise<void> {
  const entries = await readdir(product.data, { withFileTypes: true });
  for (const entry of entries.filter((one) => one.isDirectory()))
    book.note(`diskMb/${entry.name}`, (await folderBytes(join(product.data, entry.name))) / MB);
  // Delays of a machine that others use too say nothing.
  book.note('machine/load', loadavg()[0] ?? 0);
  const { storage } = await operator.ok('system/health', {});
  if (storage === null) throw new Error('the product knows nothing of its storage');
  book.note('storage/usedMb', storage.usedBytes / MB);
  if (storage.oldestAt !== null) book.note('storage/keptMinutes', (Date.now() - storage.oldestAt) / 60_000);
}
