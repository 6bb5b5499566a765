// The site's state on disk, sealed assignment and event spool, across kills and damage.
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceAssignment, SiteEvent } from '@vedette/contract/site/site.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AssignmentCache } from './assignment-cache.ts';
import { EventSpool } from './event-spool.ts';
import { SealedFile } from './sealed-file.ts';

const disk = createDisk();
let folder: string;
const faults: unknown[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-state-'));
  faults.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const onFault = (error: unknown): void => {
  faults.push(error);
};
const device: DeviceAssignment = {
  deviceSerial: 'D1',
  driver: 'rtsp',
  native: { urls: ['rtsp://10.0.0.1/'] },
  user: 'admin',
  password: 'canary-password',
  isOperatorAddress: false,
  channels: [],
};
const settings = { storage: { folder: '/x', budgetBytes: 1, reserveBytes: 2 }, cameraNetworks: [] };

function openCache(key = 1): AssignmentCache {
  const masterKey = Buffer.alloc(32, key);
  return new AssignmentCache({
    file: new SealedFile({ disk, path: join(folder, 'sealed'), masterKey, purpose: 'test' }),
    onFault,
  });
}

test('the assignment survives a restart, and its passwords are never readable on disk', async () => {
  const first = openCache();
  await first.load();
  await first.replaceAll([device], settings);
  await first.rememberStorage('/x', 'disk1');
  expect((await readFile(join(folder, 'sealed'))).includes('canary')).toBe(false);
  const second = openCache();
  await second.load();
  expect(second.devices).toEqual([device]);
  expect(second.settings).toEqual(settings);
  expect(second.storageId('/x')).toBe('disk1');
  expect(faults).toEqual([]);
});

test('a damaged file or one of another key is reported and treated as empty', async () => {
  await openCache().replaceAll([device], settings);
  const other = openCache(2);
  await other.load();
  expect(other.devices).toEqual([]);
  await writeFile(join(folder, 'sealed'), 'garbage');
  await openCache().load();
  expect(faults).toHaveLength(2);
});

const event = (at: number): SiteEvent => ({ kind: 'deviceStatus', deviceSerial: 'D1', status: 1, reason: null, at });

function openSpool(): EventSpool {
  return new EventSpool({ disk, path: join(folder, 'events.jsonl'), onFault });
}

test('events stay until acknowledged, in order, also when the last line is truncated', async () => {
  const first = openSpool();
  await first.load();
  const heard: number[] = [];
  first.onKept(({ seq }) => heard.push(seq));
  for (let at = 1; at <= 5; at += 1) first.add(event(at));
  await first.flushed();
  expect(heard).toEqual([1, 2, 3, 4, 5]);
  first.ack(2);
  await first.flushed();
  await appendFile(join(folder, 'events.jsonl'), '{"seq":6,"eve');
  const second = openSpool();
  await second.load();
  expect(second.pending().map(({ seq }) => seq)).toEqual([3, 4, 5]);
  second.add(event(6));
  expect(second.pending().at(-1)?.seq).toBe(6);
  second.ack(6);
  await second.close();
  const third = openSpool();
  await third.load();
  expect(third.pending()).toEqual([]);
  third.add(event(7));
  expect(third.pending()[0]?.seq).toBe(7);
  await third.close();
  await first.close();
});

test('[FT-29] while the server is away the spool grows with pending events, not with all that happened', async () => {
  const spool = openSpool();
  await spool.load();
  const event: SiteEvent = { kind: 'deviceStatus', deviceSerial: 'D1', status: 1, reason: null, at: 1 };
  for (let round = 0; round < 40; round += 1) {
    for (let count = 0; count < 2500; count += 1) spool.add({ ...event, at: round * 2500 + count });
    await spool.flushed();
  }
  const { size } = await stat(join(folder, 'events.jsonl'));
  expect([spool.pending().length, spool.dropped, size < 14e6]).toEqual([50_000, 50_000, true]);
  await spool.close();
  const again = openSpool();
  await again.load();
  expect(again.pending().map(({ seq }) => seq)).toEqual(
    Array.from({ length: 50_000 }, (_none, index) => 50_001 + index),
  );
  again.ack(99_999);
  expect(again.pending().map(({ seq }) => seq)).toEqual([100_000]);
  await again.close();
  expect(faults).toEqual([]);
});
