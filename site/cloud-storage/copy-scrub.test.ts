// Tests of reading copies back: what a store lost is told or copied again, and a store that is away is not a loss.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Copies, COPIES_NAME, type CopyState } from './copies.ts';
import { CopyScrub } from './copy-scrub.ts';
import { objectKey, trackOf } from './object-key.ts';
import { type ObjectStore, StoreFault } from './object-store.ts';

const MEDIA = Buffer.from('a minute of video');
const INDEX = Buffer.from('its index');
let folder: string;
let day: string;
let copies: Copies;
let objects: Map<string, { bytes: Buffer; sha256: string }>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrub-'));
  day = join(folder, 'camera1', '0', '20261127');
  await mkdir(day, { recursive: true });
  copies = new Copies(createDisk());
  objects = new Map();
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

const keyOf = (startMs: number, kind: 'mp4' | 'idx') => objectKey('r/o', trackOf(day), startMs, kind);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function copied(startMs: number, state: CopyState): Promise<void> {
  objects.set(keyOf(startMs, 'mp4'), { bytes: MEDIA, sha256: sha256(MEDIA) });
  objects.set(keyOf(startMs, 'idx'), { bytes: INDEX, sha256: sha256(INDEX) });
  const sizes = { mediaBytes: MEDIA.length, indexBytes: INDEX.length };
  await copies.set(day, { startMs, state, storeId: 's', root: 'r/o', ...sizes, until: 99 });
}

function scrub(fault: StoreFault | null = null) {
  const onMissing = vi.fn();
  const onLost = vi.fn();
  const warn = vi.fn();
  const get: ObjectStore['get'] = async (key) => objects.get(key)?.bytes ?? Buffer.alloc(0);
  const head: ObjectStore['head'] = async (key) => {
    if (fault !== null) throw fault;
    const found = objects.get(key);
    return found === undefined ? null : { bytes: found.bytes.length, sha256: found.sha256 };
  };
  const store = { get, head } as ObjectStore;
  const clock = new FakeClock();
  const parts = { clock, copies, folders: () => [folder], storeOf: () => store, randomFraction: () => 0 };
  return { made: new CopyScrub({ ...parts, onMissing, onLost, log: { warn } }), onMissing, onLost, warn };
}

it('says nothing of copies that are whole', async () => {
  await copied(1, 'remote');
  const { made, onMissing, onLost, warn } = scrub();
  await made.run();
  expect(onLost).not.toHaveBeenCalled();
  expect([made.lostBelow(folder), onMissing.mock.calls, warn.mock.calls]).toEqual([0, [], []]);
});

it.each([
  ['lost', () => objects.delete(keyOf(1, 'mp4'))],
  ['lost the index of', () => objects.delete(keyOf(1, 'idx'))],
  ['cut', () => objects.set(keyOf(1, 'mp4'), { bytes: MEDIA.subarray(1), sha256: sha256(MEDIA) })],
  ['changed', () => objects.set(keyOf(1, 'mp4'), { bytes: Buffer.alloc(MEDIA.length), sha256: sha256(MEDIA) })],
])('finds what a store %s; the only copy is told until it is there again, a file of the disk is copied again', async (_what, harm) => {
  await copied(1, 'remote');
  harm();
  const { made, onMissing, onLost, warn } = scrub();
  await made.run();
  expect([made.lostBelow(folder), made.lostBelow(join(folder, 'camera2')), warn.mock.calls.length]).toEqual([1, 0, 1]);
  await made.run();
  expect(onLost.mock.calls).toEqual([[{ track: { channelId: 'camera1', quality: 0 }, startMs: 1, storeId: 's' }]]);
  await copied(1, 'remote');
  await made.run();
  expect([made.lostBelow(folder), onMissing.mock.calls]).toEqual([0, []]);

  await copied(1, 'verified');
  harm();
  await made.run();
  expect([made.lostBelow(folder), onMissing.mock.calls.length, copies.find(day, 1)]).toEqual([0, 1, null]);
  expect(onLost).toHaveBeenCalledTimes(1);
});

it('a store that is away or refuses is no loss', async () => {
  await copied(1, 'remote');
  const { made, warn } = scrub(new StoreFault('unreachable', 'away'));
  await made.run();
  expect([made.lostBelow(folder), warn.mock.calls]).toEqual([0, []]);
});

it('reads one in a hundred a day, in turns of an hour', async () => {
  const sizes = { mediaBytes: 1, indexBytes: 1 };
  const lines = Array.from({ length: 4801 }, (_, at) =>
    JSON.stringify({ startMs: at + 1, state: 'remote', storeId: 's', root: 'r/o', ...sizes, until: 99 }),
  );
  await writeFile(join(day, COPIES_NAME), lines.join('\n'));
  await copies.load(day);
  const { made } = scrub();
  await made.run();
  expect(made.lostBelow(folder)).toBe(3);
});
