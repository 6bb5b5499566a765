// Local authority: certificates accepted by strict verifiers, kept while valid and renewed otherwise.
import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkOwnCertificate, ensureServerCertificate } from './local-authority.js';

const now = new Date('2026-03-01T00:00:00Z');
const names = ['localhost', 'box.local', '127.0.0.1', '::1', '192.0.2.7', '2001:db8::a:0:1', 'fd00::2'];
let folder = '';

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-tls-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const server = () => new X509Certificate(fs.readFileSync(path.join(folder, 'server.pem')));
const authority = () => new X509Certificate(fs.readFileSync(path.join(folder, 'ca.pem')));

describe('a new certificate', () => {
  it('is signed by the authority and contains every name and address', () => {
    ensureServerCertificate(folder, names, now);
    expect(server().verify(authority().publicKey)).toBe(true);
    expect(server().checkIssued(authority())).toBe(true);
    expect(authority().ca).toBe(true);
    expect(server().ca).toBe(false);
    for (const host of ['localhost', 'box.local']) expect(server().checkHost(host)).toBe(host);
    for (const address of names.slice(2)) expect(server().checkIP(address), address).toBe(address);
    expect(server().checkIP('192.0.2.8')).toBeUndefined();
  });

  it('is valid for less than the 398 days that browsers accept', () => {
    ensureServerCertificate(folder, names, now);
    const days = (server().validToDate.getTime() - server().validFromDate.getTime()) / 86_400_000;
    expect(days).toBeLessThanOrEqual(397);
  });

  it('has keys readable only by their owner', () => {
    ensureServerCertificate(folder, names, now);
    for (const name of ['ca.key', 'server.key']) expect(fs.statSync(path.join(folder, name)).mode & 0o077).toBe(0);
  });
});

describe('an old certificate', () => {
  const serialAfter = (/** @type {string[]} */ list, /** @type {string} */ date) => {
    ensureServerCertificate(folder, list, new Date(date));
    return server().serialNumber;
  };

  it('is kept while it is valid', () => {
    const first = serialAfter(names, '2026-03-01T00:00:00Z');
    expect(serialAfter(names, '2027-02-01T00:00:00Z')).toBe(first);
    expect(serialAfter(names.slice(0, 3), '2027-02-01T00:00:00Z')).toBe(first);
  });

  it('is renewed by the same authority when an address is new or expiry is near', () => {
    const first = serialAfter(names, '2026-03-01T00:00:00Z');
    const { fingerprint256 } = authority();
    const second = serialAfter([...names, '198.51.100.4'], '2026-03-01T00:00:00Z');
    const third = serialAfter([...names, '198.51.100.4'], '2027-03-20T00:00:00Z');
    expect(new Set([first, second, third]).size).toBe(3);
    expect(authority().fingerprint256).toBe(fingerprint256);
  });

  it('is written again when its key does not match, as after a kill between the two writes', () => {
    const first = serialAfter(names, '2026-03-01T00:00:00Z');
    fs.copyFileSync(path.join(folder, 'ca.key'), path.join(folder, 'server.key'));
    expect(serialAfter(names, '2026-03-01T00:00:00Z')).not.toBe(first);
  });
});

describe("the operator's own certificate", () => {
  const file = (/** @type {string} */ name) => path.join(folder, name);

  it('must match its key and be readable', () => {
    ensureServerCertificate(folder, names, now);
    expect(checkOwnCertificate(file('server.pem'), file('server.key'))).toMatchObject({ ca: null });
    const wrong = expect.objectContaining({ code: 'certificateInvalid' });
    expect(() => checkOwnCertificate(file('server.pem'), file('ca.key'))).toThrow(wrong);
    expect(() => checkOwnCertificate(file('missing.pem'), file('server.key'))).toThrow(wrong);
  });
});
