// Releases that are signed, changed, and signed by others; verified by Vedette and by OpenSSL alone.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signRelease, verifyRelease } from './release-signature.js';

/** @type {string} */
let folder;
/** @type {string} */
let dist;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-release-'));
  dist = path.join(folder, 'dist');
  fs.mkdirSync(dist);
  fs.writeFileSync(path.join(dist, 'vedette_0.1.0_amd64.deb'), 'program');
  fs.writeFileSync(path.join(dist, 'vedette-client-0.1.0.tgz'), Buffer.alloc(3 << 20, 7));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** @param {string} name */
function keysOf(name) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [key, pub] = [path.join(folder, `${name}.pem`), path.join(folder, `${name}.pub.pem`)];
  fs.writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  fs.writeFileSync(pub, publicKey.export({ type: 'spki', format: 'pem' }));
  return { key, pub };
}

it('[SE-74] [GO-23] what a publisher signed is verified by its key, and refused by any other', () => {
  const [ours, others] = [keysOf('ours'), keysOf('others')];
  expect(() => verifyRelease(dist, ours.pub)).toThrow('was not signed');
  const names = ['vedette-client-0.1.0.tgz', 'vedette_0.1.0_amd64.deb'];
  expect([signRelease(dist, ours.key), verifyRelease(dist, ours.pub)]).toEqual([names, names]);
  expect(() => verifyRelease(dist, others.pub)).toThrow('was not signed by the publisher');
  signRelease(dist, others.key);
  expect(() => verifyRelease(dist, ours.pub)).toThrow('was not signed by the publisher');
});

it.each([
  [
    'a changed file',
    'was changed after',
    (/** @type {string} */ at) => fs.appendFileSync(path.join(at, 'vedette_0.1.0_amd64.deb'), ' '),
  ],
  ['a missing file', 'is missing', (/** @type {string} */ at) => fs.rmSync(path.join(at, 'vedette_0.1.0_amd64.deb'))],
  [
    'an added file',
    'is no part of',
    (/** @type {string} */ at) => fs.writeFileSync(path.join(at, 'vedette_0.2.0_amd64.deb'), ''),
  ],
  [
    'a changed list',
    'was not signed by',
    (/** @type {string} */ at) => fs.appendFileSync(path.join(at, 'SHA256SUMS'), '\n'),
  ],
  [
    'a cut signature',
    'was not signed by',
    (/** @type {string} */ at) => fs.truncateSync(path.join(at, 'SHA256SUMS.sig'), 63),
  ],
  ['no signature', 'has no SHA256SUMS.sig', (/** @type {string} */ at) => fs.rmSync(path.join(at, 'SHA256SUMS.sig'))],
])('[SE-74] a release with %s is refused', (_what, said, spoil) => {
  const { key, pub } = keysOf('ours');
  signRelease(dist, key);
  spoil(dist);
  expect(() => verifyRelease(dist, pub)).toThrow(said);
});

it('keys that others may read, of another kind or of no kind sign nothing', () => {
  const { key } = keysOf('ours');
  fs.chmodSync(key, 0o644);
  expect(() => signRelease(dist, key)).toThrow('others may read');
  const rsa = path.join(folder, 'rsa.pem');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  fs.writeFileSync(rsa, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  expect(() => signRelease(dist, rsa)).toThrow('no Ed25519 key');
  fs.writeFileSync(rsa, 'nothing');
  expect(() => signRelease(dist, rsa)).toThrow('no such key');
  expect(fs.existsSync(path.join(dist, 'SHA256SUMS'))).toBe(false);
});

it.skipIf(spawnSync('openssl', ['version']).status !== 0)('openssl and sha256sum verify it too', () => {
  const { key, pub } = keysOf('ours');
  signRelease(dist, key);
  const args = ['pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', pub, '-in', 'SHA256SUMS', '-sigfile'];
  expect(spawnSync('openssl', [...args, 'SHA256SUMS.sig'], { cwd: dist }).status).toBe(0);
  expect(spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dist }).status).toBe(0);
});
