// Backups in Ceph's S3 gateway: strict about signatures, with lists in pages; behind a proxy that spoils uploads.
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeStore } from '../../launcher/backup-store/probe-store.js';
import { readS3Address } from '../../launcher/backup-store/s3-address.js';
import { S3Client } from '../../launcher/backup-store/s3-client.js';
import { S3Store } from '../../launcher/backup-store/s3-store.js';
import { CephGateway, hasCeph } from '../harness/ceph-gateway.ts';
import { FaultyProxy } from '../harness/faulty-proxy.ts';

const PIECE = 100_000;
let ceph: CephGateway;
let proxy: FaultyProxy;

describe.skipIf(!hasCeph)('a bucket of Ceph', () => {
  beforeAll(async () => {
    ceph = await CephGateway.start();
    proxy = await FaultyProxy.start(ceph.port);
    await ceph.makeBucket('backups');
  }, 150_000);
  afterAll(async () => {
    await proxy?.stop();
    await ceph?.stop();
  });

  function open(name = 'backups', secretKey = ceph.owner.secretKey, pieceBytes = PIECE): S3Store {
    const address = readS3Address(`s3://${name}/here/of-site?endpoint=http://127.0.0.1:${proxy.port}&region=default`);
    const client = new S3Client(address, { ...ceph.owner, secretKey }, 5000);
    return new S3Store({ address, client, pieceBytes, firstWaitMs: 10 });
  }

  it('takes what is written through faults, piece by piece, and gives it back', async () => {
    await probeStore(open());
    proxy.faults.push('error', 'cut', 'changed', 'lost', 'none', 'frozen', 'none', 'lost');
    const bytes = randomBytes(3 * PIECE + 5);
    await open().write('one/database.tar.sealed', [bytes]);
    expect(proxy.faults).toEqual([]);
    expect((await buffer(open().read('one/database.tar.sealed'))).equals(bytes)).toBe(true);
    expect(await open().files('one')).toEqual([{ name: 'database.tar.sealed', bytes: bytes.length }]);
  }, 60_000);

  it('lists more than a page, and removes all of a folder', async () => {
    const store = open('backups', ceph.owner.secretKey, 1);
    await store.write('many/file', [randomBytes(1100)]);
    expect(await store.files('many')).toEqual([{ name: 'file', bytes: 1100 }]);
    expect(await store.folders()).toContain('many');
    await store.removeFolder('many');
    expect(await store.files('many')).toEqual([]);
  }, 120_000);

  it('names what is wrong with keys and bucket', async () => {
    await expect(probeStore(open('backups', 'wrong'))).rejects.toMatchObject({ code: 'storeKeysWrong' });
    await expect(probeStore(open('absent'))).rejects.toMatchObject({ code: 'storeNoBucket' });
  });
});
