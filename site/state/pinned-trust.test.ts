// A certificate that a device showed after it was added stays pinned across restarts, until it is probed anew or removed.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PinnedTrust } from './pinned-trust.ts';
import { SealedFile } from './sealed-file.ts';

const masterKey = randomBytes(32);
const camera = {
  deviceSerial: 'CAM1',
  native: { url: 'http://192.0.2.1/', trust: { certificates: { 'a:443': 'one' } } },
};
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function open(): Promise<PinnedTrust> {
  const file = new SealedFile({ disk: createDisk(), path: join(folder, 'trust'), masterKey, purpose: 'trust' });
  const made = new PinnedTrust({
    file,
    onFault: (error) => {
      throw error;
    },
  });
  await made.load();
  return made;
}

test('[SE-66] a certificate first shown after the device was added is pinned against the next one', async () => {
  const before = await open();
  const learning = before.of(camera, () => undefined);
  learning.checkCertificate('A', 322, 'stream');
  learning.hadDigest = true;
  await before.close();

  const after = await open();
  const breaches: string[] = [];
  const trust = after.of(camera, (breach) => breaches.push(breach));
  expect(trust.hadDigest).toBe(true);
  trust.checkCertificate('a', 443, 'one');
  trust.checkCertificate('a', 322, 'stream');
  expect(() => trust.checkCertificate('a', 322, 'other')).toThrow('certificate');
  expect(breaches).toEqual(['certificate']);

  const anew = after.of({ ...camera, native: { ...camera.native, trust: { lookedMs: 2 } } }, () => undefined);
  expect(anew.hadDigest).toBe(false);
  anew.checkCertificate('a', 322, 'other');

  after.forget('CAM1');
  await after.close();
  expect((await open()).of(camera, () => undefined).hadDigest).toBe(false);
});
