// The certificate of a server among others: made once, for its user alone, and never expired.
import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ensureNodeCertificate } from './node-certificate.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-tls-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const fingerprint = (/** @type {string} */ file) => new X509Certificate(fs.readFileSync(file)).fingerprint256;

it('stays the same over starts, and is made anew where a kill left half of it', () => {
  const { cert, key } = ensureNodeCertificate(folder, new Date());
  const first = fingerprint(cert);
  expect([cert, key].map((file) => fs.statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(new X509Certificate(fs.readFileSync(cert)).validToDate.getUTCFullYear()).toBe(9999);
  ensureNodeCertificate(folder, new Date());
  expect(fingerprint(cert)).toBe(first);
  fs.rmSync(cert);
  ensureNodeCertificate(folder, new Date());
  expect(fingerprint(cert)).not.toBe(first);
});
