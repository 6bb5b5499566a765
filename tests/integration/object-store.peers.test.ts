// The site's S3 client against Ceph's gateway: what it stores it gets back, and whatever is wrong with a store has a reason of its own.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import type { ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeStore } from '../../site/cloud-storage/probe-store.ts';
import { S3Store } from '../../site/cloud-storage/s3-store.ts';
import { operatorPolicy } from '../../site/core/operator-policy.ts';
import { storeSender } from '../../site/cloud-storage/store-request.ts';
import { CephGateway, hasCeph } from '../harness/ceph-gateway.ts';

const LOOPBACK = ['127.0.0.0/8'];
const signal = AbortSignal.timeout(240_000);
let ceph: CephGateway;

interface Around {
  readonly networks?: readonly string[];
  readonly wallMs?: () => number;
}

function open(access: ObjectStoreAccess, { networks = LOOPBACK, wallMs = Date.now }: Around = {}): S3Store {
  return new S3Store({ access, wallMs, send: storeSender(() => operatorPolicy(networks, new Set()), 3000) });
}
const probe = (access: ObjectStoreAccess, around?: Around) => probeStore(open(access, around), access.prefix, signal);

describe.skipIf(!hasCeph)('an object store by S3', () => {
  beforeAll(async () => {
    ceph = await CephGateway.start();
  }, 150_000);
  afterAll(async () => await ceph?.stop());

  it('gives back what was stored, whole and in ranges, lists it, and deletes it', async () => {
    const store = open(await ceph.makeBucket('whole'));
    const bytes = randomBytes(3_000_017);
    const key = 'vedette/o1/c1/0/20261126/1790000000000.mp4';
    await store.put(key, bytes, signal);
    expect((await store.get(key, { from: 0, length: bytes.length }, signal)).equals(bytes)).toBe(true);
    const part = await store.get(key, { from: 2_999_000, length: 5000 }, signal);
    expect(part.equals(bytes.subarray(2_999_000))).toBe(true);
    const found = await store.head(key, signal);
    expect(found?.bytes).toBe(bytes.length);
    expect(found?.sha256).toMatch(/^[0-9a-f]{64}$/);
    await store.put(`${key}x`, bytes.subarray(0, 5), signal);
    expect(await store.list('vedette/o1/', '', signal)).toEqual([key, `${key}x`]);
    expect(await store.list('vedette/o1/', key, signal)).toEqual([`${key}x`]);
    await store.delete(key, signal);
    await store.delete(key, signal);
    expect(await store.head(key, signal)).toBeNull();
    await expect(store.get(key, { from: 0, length: 1 }, signal)).rejects.toMatchObject({ reason: 'gone' });
  });

  it('passes a store that can do all five steps, and leaves nothing in it', async () => {
    const access = await ceph.makeBucket('probed');
    expect(await probe(access)).toEqual({ step: null, reason: null });
    expect(await open(access).list('', '', signal)).toEqual([]);
  });

  it('names what is wrong with keys, bucket, clock and address', async () => {
    const access = await ceph.makeBucket('refusing');
    const failing = { step: 'write' };
    expect(await probe({ ...access, secretKey: 'wrong' })).toEqual({ ...failing, reason: 'keys' });
    expect(await probe({ ...access, accessKey: 'NOBODY' })).toEqual({ ...failing, reason: 'keys' });
    expect(await probe({ ...access, bucket: 'absent' })).toEqual({ ...failing, reason: 'noBucket' });
    expect(await probe({ ...access, endpoint: 'http://127.0.0.1:9' })).toEqual({ ...failing, reason: 'unreachable' });
    const late = () => Date.now() - 3_600_000;
    expect(await probe(access, { wallMs: late })).toEqual({ ...failing, reason: 'clock' });
    expect(await probe(access, { networks: [] })).toEqual({ ...failing, reason: 'address' });
  });

  it('tells keys that may write but not read by the step that fails', async () => {
    const writer = { accessKey: 'WRITER', secretKey: 'writer-secret' };
    await ceph.addUser(writer);
    const statement = (Effect: string, action: string) => ({
      Effect,
      Principal: { AWS: ['arn:aws:iam:::user/WRITER'] },
      Action: [`s3:${action}`],
      Resource: ['arn:aws:s3:::one-way/*'],
    });
    // Who wrote an object owns it and may read it, unless that is denied.
    const Statement = [statement('Allow', 'PutObject'), statement('Deny', 'GetObject')];
    const policy = { Version: '2012-10-17', Statement };
    const access = await ceph.makeBucket('one-way', policy);
    expect(await probe({ ...access, ...writer })).toEqual({ step: 'read', reason: 'denied' });
  });
});

describe('an address that is no object store', () => {
  let server: Server;
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url?.startsWith('/moved/')) response.writeHead(307, { location: 'http://10.0.0.1/' }).end();
      else if (request.url?.startsWith('/page/')) response.end('<html>it works</html>');
      else response.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  const access = (bucket: string): ObjectStoreAccess => ({
    storeId: 's',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'r',
    bucket,
    isPathStyle: true,
    accessKey: 'k',
    secretKey: 's',
    prefix: '',
  });

  it('[SE-64] is not followed to a private address', async () => {
    expect(await probe(access('moved'))).toEqual({ step: 'write', reason: 'redirected' });
    expect(asked.filter((path) => path.startsWith('/moved/'))).toHaveLength(1);
  });

  it('[SE-40] is asked for no key that leads out of its prefix or bucket, in any notation', async () => {
    const store = open(access('keys'));
    const ways = ['../o2/x.mp4', 'o1/../o2/x.mp4', 'o1/./x.mp4', 'o1//x.mp4', '/o2/x.mp4', 'o1/%2e%2e/o2/x.mp4', ''];
    const more = [
      'o1/%2E./o2/x.mp4',
      'o1\\..\\o2\\x.mp4',
      'o1/..%2fo2/x.mp4',
      'o1/x.mp4?acl',
      'o1/x.mp4#o2',
      'o1/\u0000.mp4',
    ];
    const before = asked.length;
    for (const key of [...ways, ...more]) {
      const gone = { reason: 'gone' };
      await expect(store.get(key, { from: 0, length: 9 }, signal), key).rejects.toMatchObject(gone);
      await expect(store.head(key, signal), key).rejects.toMatchObject(gone);
      await expect(store.put(key, Buffer.from('x'), signal), key).rejects.toMatchObject(gone);
      await expect(store.delete(key, signal), key).rejects.toMatchObject(gone);
    }
    expect(asked).toHaveLength(before);
  });

  it('fails at the first step that shows it', async () => {
    expect(await probe(access('page'))).toEqual({ step: 'read', reason: 'differs' });
    expect(await probe(access('cut'))).toEqual({ step: 'write', reason: 'unreachable' });
  });
});
