// Tests of dialling against real sockets on loopback: one look-up, verdicts over all addresses, deadlines.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type SecureVersion, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureServerCertificate } from '../../launcher/tls/local-authority.js';
import type { AddressKind } from './address-kind.ts';
import { AddressRefused, dial, type DialOptions, NameNotResolved } from './dial.ts';
import { IpNetworks } from './ip-networks.ts';
import type { NetworkPolicy } from './network-policy.ts';

const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.write('hello');
});
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const policy = (names: NetworkPolicy['names'], kinds: AddressKind[] = ['loopback']): NetworkPolicy => ({
  openKinds: new Set(kinds),
  openNetworks: new IpNetworks([]),
  closedKinds: new Set(),
  translations: 'as-ipv4',
  names,
  ownPorts: new Set(),
  ownAddresses: [],
});

function dialled(addresses: readonly string[], names: NetworkPolicy['names'], more: Partial<DialOptions> = {}) {
  const { signal } = new AbortController();
  const options = { resolve: async () => addresses, policy: () => policy(names), signal, ...more };
  return dial({ host: 'name.test', port, tls: null }, options);
}

async function peerOf(work: Promise<Socket>): Promise<string | undefined> {
  const socket = await work;
  const { remoteAddress } = socket;
  socket.destroy();
  return remoteAddress;
}

it('dials the first address only where all have to be allowed', async () => {
  expect(await peerOf(dialled(['127.0.0.1', '127.0.0.2'], 'all-allowed'))).toBe('127.0.0.1');
  await expect(dialled(['127.0.0.2', '127.0.0.1'], 'all-allowed')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const refusal: unknown = await dialled(['127.0.0.1', '10.0.0.1'], 'all-allowed').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AddressRefused);
  expect((refusal as AddressRefused).verdicts).toEqual(['allowed', 'private']);
});

it('tries the allowed addresses one after another where some suffice', async () => {
  expect(await peerOf(dialled(['10.0.0.1', '127.0.0.2', '127.0.0.1'], 'some-allowed'))).toBe('127.0.0.1');
  await expect(dialled(['10.0.0.1'], 'some-allowed')).rejects.toBeInstanceOf(AddressRefused);
});

it('looks nothing up for an address, brackets or not', async () => {
  const resolve = () => Promise.reject(new Error('looked up'));
  const options = { resolve, policy: () => policy('all-allowed'), signal: new AbortController().signal };
  expect(await peerOf(dial({ host: '127.0.0.1', port, tls: null }, options))).toBe('127.0.0.1');
  await expect(dial({ host: '[fe80::1]', port, tls: null }, options)).rejects.toBeInstanceOf(AddressRefused);
});

it('says that a name is not known, or has no address', async () => {
  const cause = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  const unknown = dialled([], 'some-allowed', { resolve: () => Promise.reject(cause) });
  await expect(unknown).rejects.toMatchObject({ name: 'NameNotResolved', cause });
  await expect(dialled([], 'some-allowed')).rejects.toBeInstanceOf(NameNotResolved);
});

it('gives up with the reason of its signal, while it looks up and before', async () => {
  const controller = new AbortController();
  const hanging = dialled([], 'all-allowed', {
    resolve: () => new Promise(() => undefined),
    signal: controller.signal,
  });
  controller.abort(new Error('too late'));
  await expect(hanging).rejects.toThrow('too late');
  await expect(dialled(['127.0.0.1'], 'all-allowed', { signal: controller.signal })).rejects.toThrow('too late');
});

it('[SE-104] [GO-14] (Axis CVE-2025-30024) refuses TLS older than 1.2 of whoever is dialled, and a certificate that nobody vouches for unless it is pinned', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dial-'));
  const { files } = ensureServerCertificate(folder, ['name.test'], new Date());
  const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)];
  const open = async (versions: { minVersion: SecureVersion; maxVersion: SecureVersion }, isPinned: boolean) => {
    const old = createTlsServer({ cert, key, ciphers: 'DEFAULT@SECLEVEL=0', ...versions });
    old.on('tlsClientError', () => undefined);
    old.listen(0, '127.0.0.1');
    await once(old, 'listening');
    const options = {
      resolve: async () => ['127.0.0.1'],
      policy: () => policy('all-allowed'),
      signal: new AbortController().signal,
    };
    const target = {
      host: 'name.test',
      port: (old.address() as AddressInfo).port,
      tls: { rejectUnauthorized: !isPinned },
    };
    try {
      const socket = (await dial(target, options)) as TLSSocket;
      const version = socket.getProtocol();
      socket.destroy();
      return version;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    } finally {
      old.close();
    }
  };
  try {
    for (const version of ['TLSv1', 'TLSv1.1'] as const) {
      const refused = await open({ minVersion: version, maxVersion: version }, true);
      expect([version, refused]).toEqual([version, expect.stringMatching(/^ERR_SSL/u)]);
    }
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      expect(await open({ minVersion: version, maxVersion: version }, true)).toBe(version);
      expect(await open({ minVersion: version, maxVersion: version }, false)).toMatch(/SELF_SIGNED|UNABLE_TO/u);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
