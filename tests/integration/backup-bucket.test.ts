// Backups in a bucket: what is written comes back, whatever happens on the way, and whatever is wrong with a bucket has a name.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { probeStore } from '../../launcher/backup-store/probe-store.js';
import { readS3Address } from '../../launcher/backup-store/s3-address.js';
import { S3Client } from '../../launcher/backup-store/s3-client.js';
import { S3Store } from '../../launcher/backup-store/s3-store.js';
import { removeOldBackups } from '../../launcher/backup/retention.js';
import { backupsIn } from '../../launcher/backup/choose-backup.js';
import { unseal } from '../../launcher/backup/sealed-stream.js';
import { sealedSegment, WalArchive } from '../../launcher/backup/wal-archive.js';
import { Bucket } from '../harness/bucket.ts';
import { FaultyProxy } from '../harness/faulty-proxy.ts';
import { waitFor } from '../harness/wait-for.ts';

const PIECE = 1000;
let bucket: Bucket;
let proxy: FaultyProxy;

beforeAll(async () => {
  bucket = await Bucket.start();
});
afterAll(async () => await bucket?.stop());
beforeEach(async () => {
  proxy = await FaultyProxy.start(bucket.port);
  bucket.objects.clear();
});
afterEach(async () => await proxy.stop());

interface Around {
  readonly region?: string;
  readonly name?: string;
  readonly port?: number;
  readonly secretKey?: string;
  readonly accessKey?: string;
}

/** Waits of milliseconds between tries, and a silence of 300 ms ends a request. */
function open({ port = proxy.port, secretKey = 'owner-secret', accessKey = 'OWNER', ...other }: Around = {}): S3Store {
  const address = readS3Address(bucket.address('here/of-site', { port, ...other }));
  const client = new S3Client(address, { accessKey, secretKey }, 300);
  return new S3Store({ address, client, pieceBytes: PIECE, firstWaitMs: 1 });
}

it('gives back what was written through refusals, cuts, changes, losses and silence', async () => {
  proxy.faults.push('error', 'cut', 'changed', 'lost', 'frozen', 'none', 'error', 'lost', 'cut');
  const store = open();
  const bytes = randomBytes(4 * PIECE + 17);
  await store.write('one/file', [bytes.subarray(0, 1500), bytes.subarray(1500)]);
  expect(proxy.seen).toHaveLength(8);
  expect((await buffer(store.read('one/file'))).equals(bytes)).toBe(true);
  expect(await store.files('one')).toEqual([{ name: 'file', bytes: bytes.length }]);
  expect([...bucket.objects.keys()].toSorted().at(-1)).toBe('here/of-site/one/file.00004');
});

it.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])('keeps the end of a file of %i bytes', async (length) => {
  const store = open();
  const bytes = randomBytes(length);
  await store.write('one/file', [bytes]);
  expect((await buffer(store.read('one/file'))).equals(bytes)).toBe(true);
  expect(await store.files('one')).toEqual([{ name: 'file', bytes: length }]);
});

it('lists folders and files over pages, and removes a file or a folder alone', async () => {
  const store = open();
  for (const name of ['b/1', 'b/2', 'b/3', 'b/4', 'a/1', 'c/1', 'd/1', 'e/1'])
    await store.write(name, [Buffer.alloc(PIECE + 1)]);
  expect(await store.folders()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect((await store.files('b')).map(({ name }) => name)).toEqual(['1', '2', '3', '4']);
  await store.removeFile('b/2');
  await store.removeFolder('c');
  expect([await store.has('b/2'), await store.has('c/1'), await store.has('b/1')]).toEqual([false, false, true]);
  expect(await store.folders()).toEqual(['a', 'b', 'd', 'e']);
});

it('counts a backup by its manifest alone, keeps the newest, and removes what was cut off', async () => {
  const store = open();
  const names = [1, 2, 3, 4].map((day) => `vedette-2026-11-0${day}T10-00-00Z`);
  for (const name of names) await store.write(`${name}/database.tar.sealed`, [randomBytes(10)]);
  for (const name of [0, 2, 3].map((at) => names[at])) await store.write(`${name}/manifest.json`, [randomBytes(10)]);
  expect((await backupsIn(store)).map(({ name }) => name)).toEqual([names[0], names[2], names[3]]);
  expect(await removeOldBackups(store, 2)).toEqual([names[0]]);
  expect(await store.folders()).toEqual([names[2], names[3]]);
});

it('finds no fault in a bucket that can do all, and leaves nothing in it', async () => {
  await probeStore(open());
  expect(bucket.objects.size).toBe(0);
});

it.each([
  ['another secret', { secretKey: 'wrong' }, 'storeKeysWrong'],
  ['another access key', { accessKey: 'NOBODY' }, 'storeKeysWrong'],
  ['another region', { region: 'there-2' }, 'storeRegionWrong'],
  ['another bucket', { name: 'absent' }, 'storeNoBucket'],
  ['nobody at its address', { port: 9 }, 'storeUnreachable'],
])('refuses a bucket with %s', async (_, around, code) => {
  await expect(probeStore(open(around))).rejects.toMatchObject({ code });
});

it('gives up at once where trying again is of no use, and after six tries else', async () => {
  proxy.faults.push('denied');
  await expect(open().write('one/file', [Buffer.alloc(10)])).rejects.toMatchObject({ code: 'storeDenied' });
  expect(proxy.seen).toEqual(['denied']);
  proxy.faults.push('lost', 'lost', 'lost', 'lost', 'lost', 'lost', 'none');
  await expect(open().write('one/file', [Buffer.alloc(10)])).rejects.toMatchObject({ code: 'storeDiffers' });
  expect(proxy.faults).toEqual(['none']);
});

it('ends within a moment when it is asked to, though the bucket is silent', async () => {
  proxy.faults.push('frozen');
  const ending = new AbortController();
  const writing = open().write('one/file', [Buffer.alloc(10)], ending.signal);
  ending.abort();
  await expect(writing).rejects.toMatchObject({ code: 'storeEnded' });
});

it('takes the write-ahead log once it answers again, and none is lost meanwhile', async () => {
  const spool = mkdtempSync(join(tmpdir(), 'vedette-spool-'));
  const [key, segment] = [randomBytes(32), randomBytes(5 * PIECE)];
  const name = '000000010000000000000001';
  writeFileSync(join(spool, name), segment);
  const faults: string[] = [];
  let isAway = true;
  const openStore = async () => (isAway ? open({ port: 9 }) : open());
  const archive = new WalArchive({ spool, key, openStore, log: (line) => faults.push(line), onLost: () => undefined });
  archive.start();
  try {
    await waitFor('the fault to be told', () => faults.length > 0);
    expect([existsSync(join(spool, name)), bucket.objects.size]).toEqual([true, 0]);
    isAway = false;
    await waitFor('the segment to be taken', () => !existsSync(join(spool, name)));
  } finally {
    await archive.end();
    rmSync(spool, { recursive: true });
  }
  const sealed = open().read(sealedSegment(name));
  const opened = gunzipSync(await buffer(unseal(key, name)(sealed)));
  expect(opened.equals(segment)).toBe(true);
});
