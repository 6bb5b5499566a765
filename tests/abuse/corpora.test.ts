// Whole corpora of addresses, held against the parts that dial and the parts that lead on; the started product gets them by the attack `corpora`.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createOutboundClient, resolveBySystem } from '@vedette/drivers/kit/outbound/outbound-client.ts';
import { cameraPolicy } from '@vedette/drivers/kit/outbound/camera-policy.ts';
import { dial } from '@vedette/foundation/network/dial.ts';
import type { NetworkPolicy } from '@vedette/foundation/network/network-policy.ts';
import { isRedirectUri } from '@vedette/rules/validation/redirect-uri.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messagePolicy } from '../../server/outbound/message-policy.ts';
import { OutboundClient } from '../../server/outbound/outbound-client.ts';
import { operatorPolicy } from '../../site/core/operator-policy.ts';
import { HostileReceiver, redirectTo } from '../peers/hostile-receiver.ts';
import { foreignAddresses, otherAddresses } from './corpora/foreign-addresses.ts';
import {
  disguisedUrls,
  HERE_ANSWERS,
  HERE_HOSTS,
  INSIDE_ANSWERS,
  INSIDE_HOSTS,
  urlsAround,
} from './corpora/inner-addresses.ts';
import { pathsOutside } from './corpora/paths-outside.ts';

const ACCOUNT = { isOperator: false, accountId: 'account' };
const LOOPBACK = '127.0.0.0/8';

/** Listens at every address of this machine. */
let trap: Server;
let caught = 0;
let port = 0;

beforeAll(async () => {
  trap = createServer((socket) => socket.destroy()).on('connection', () => {
    caught += 1;
  });
  trap.listen(0);
  await once(trap, 'listening');
  ({ port } = trap.address() as AddressInfo);
});
afterAll(() => {
  trap?.close();
});

function messages(openNetworks: readonly string[]): OutboundClient {
  return new OutboundClient({ policy: async () => ({ isOperator: false, openNetworks, ownPorts: new Set() }) });
}

/** `done`, or the kind of the refusal. */
async function sent(client: OutboundClient, url: string): Promise<unknown> {
  const request = { method: 'POST', url, headers: {}, body: '' } as const;
  return await client.http(request, ACCOUNT).then(
    ({ status }) => status,
    ({ kind }: { kind?: unknown }) => kind,
  );
}

it('[GO-15] the corpora are as large as the goal says', () => {
  expect(new Set([...HERE_HOSTS, ...INSIDE_HOSTS]).size).toBeGreaterThanOrEqual(200);
  expect(new Set(pathsOutside('/etc/passwd')).size).toBeGreaterThanOrEqual(120);
  expect(new Set(foreignAddresses('https://app.example/callback')).size).toBeGreaterThanOrEqual(140);
});

describe('[GO-15] [SE-64] an inner address', () => {
  it('is dialled for no account, in any spelling of a URL', async () => {
    const client = messages([]);
    const before = caught;
    const reached: unknown[] = [];
    for (const host of [...HERE_HOSTS, ...INSIDE_HOSTS]) {
      for (const url of [...urlsAround(host, port), ...disguisedUrls(host, port)]) {
        const end = await sent(client, url);
        if (end !== 'address') reached.push([url, end]);
      }
    }
    expect(reached).toEqual([]);
    expect(caught).toBe(before);
    // A connection would have been seen.
    await sent(messages([LOOPBACK]), `http://0x7f.1:${port}/`);
    expect(caught).toBe(before + 1);
  });

  it('is not gone on to by a redirect', async () => {
    const client = messages([LOOPBACK]);
    const before = caught;
    const receiver = await HostileReceiver.listen(redirectTo('/'));
    try {
      const locations = [...HERE_HOSTS, ...INSIDE_HOSTS].map((host) => `http://${host}:${port}/`);
      for (const location of locations) {
        receiver.script = redirectTo(location.replace(/[^\x20-\x7e]/gu, encodeURIComponent));
        expect(await sent(client, receiver.url()), location).toBe(307);
      }
      expect(receiver.requests.length).toBe(locations.length);
      expect(caught).toBe(before);
    } finally {
      await receiver.close();
    }
  });

  const none = { ownPorts: new Set<number>(), ownAddresses: [] };
  const camera = (): NetworkPolicy => cameraPolicy({ isOperator: false, cameraNetworks: [], ...none });
  const everything = [...HERE_ANSWERS, ...INSIDE_ANSWERS];
  it.each<[string, () => NetworkPolicy, readonly string[]]>([
    ['messages of an account', () => messagePolicy({ isOperator: false, openNetworks: [], ...none }), everything],
    ['messages of the operator', () => messagePolicy({ isOperator: true, openNetworks: [], ...none }), HERE_ANSWERS],
    ['object stores and CDN providers', () => operatorPolicy([], none.ownPorts), HERE_ANSWERS],
    ['cameras of an account', camera, HERE_ANSWERS],
  ])('is refused to %s when a name resolves to it', async (_who, policy, answers) => {
    const before = caught;
    const reached: unknown[] = [];
    for (const answer of answers) {
      const signal = AbortSignal.timeout(10_000);
      const options = { resolve: async () => [answer], policy, signal };
      const end = await dial({ host: 'hooks.example', port, tls: null }, options).catch((error: Error) => error.name);
      if (end !== 'AddressRefused') reached.push([answer, end]);
    }
    expect(reached).toEqual([]);
    expect(caught).toBe(before);
  });

  it('is dialled for no camera of an account, in any spelling that the system reads', async () => {
    const before = caught;
    const client = createOutboundClient({ resolve: resolveBySystem, policy: camera });
    const reached: unknown[] = [];
    // The others are asked of a name server, which the answers above stand for.
    const numeric = HERE_HOSTS.filter((host) => /^[\w.:[\]]*[^.]$/u.test(host));
    expect(numeric.length).toBeGreaterThan(150);
    for (const host of numeric) {
      const end = await client.dial({ host, port, tls: false, timeoutMs: 10_000 }).then(
        () => 'done',
        ({ kind }: { kind?: unknown }) => kind,
      );
      if (end !== 'address-refused') reached.push([host, end]);
    }
    expect(reached).toEqual([]);
    expect(caught).toBe(before);
  });
});

it('[GO-15] [SE-63] an address of somebody else is registered by an app only where it says what it is to everybody', () => {
  const app = 'https://app.example/callback';
  for (const isPublic of [true, false]) {
    for (const uri of otherAddresses(app).filter((one) => isRedirectUri(one, { isPublic }))) {
      const { protocol, host } = new URL(uri);
      expect([uri, protocol, uri.startsWith(`https://${host}`)]).toEqual([uri, 'https:', true]);
    }
  }
});
