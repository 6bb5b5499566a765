// Tests of finding devices: which address is dialled, what the policy leaves out, ranges of addresses, floods and liars.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { readDiscovery, writeProbeMatches } from '@vedette/protocols/ws-discovery/messages.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { discoverDevices, foundDevice } from './discover.ts';
import type { FoundDevice } from './found-device.ts';
import { checkAddress } from '@vedette/foundation/network/network-policy.ts';
import { cameraPolicy } from './kit/outbound/camera-policy.ts';
import { addressAt, isRangeAllowed, parseRange, scanRange } from './scan-range.ts';
import { testContext } from './testing/driver-context.fake.ts';

const open: (Socket | Server)[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const everything = () => 'allowed' as const;
const match = (endpoint: string, xAddrs: string[], relatesTo: string) =>
  writeProbeMatches({ messageId: 'urn:uuid:0', relatesTo, device: { endpoint, scopes: [], xAddrs } });

/** Many devices in one message. */
function matches(endpoints: readonly string[], relatesTo: string): string {
  const one = match('urn:uuid:one', ['http://127.0.0.1:81/x'], relatesTo);
  const [block = ''] = /<d:ProbeMatch>.*<\/d:ProbeMatch>/u.exec(one) ?? [];
  return one.replace(block, endpoints.map((endpoint) => block.replace('urn:uuid:one', endpoint)).join(''));
}

/** Somebody on the network who answers each Probe as a test likes. */
async function answering(answer: (messageId: string, from: RemoteInfo, socket: Socket) => void): Promise<number> {
  const socket = createSocket('udp4');
  open.push(socket);
  socket.on('message', (datagram, from) => {
    const probe = readDiscovery(datagram);
    if (probe?.kind === 'probe') answer(probe.messageId, from, socket);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

/** Ends as soon as `until` holds, or when the time for answers is over. */
async function search(port: number, until: (found: ReadonlyMap<string, FoundDevice>) => boolean) {
  const found = new Map<string, FoundDevice>();
  const ending = new AbortController();
  await discoverDevices({
    place: { address: '127.0.0.1', port },
    context: testContext(),
    judge: everything,
    onFound: (device) => {
      found.set(device.endpoint, device);
      if (until(found)) ending.abort();
    },
    signal: ending.signal,
  });
  return found;
}

describe('[DM-01] searching the network', () => {
  it('[SE-68] takes each device once, however often it answers, and never more than a thousand', async () => {
    const port = await answering((messageId, { port: to, address }, socket) => {
      for (let first = 1; first < 1500; first += 50) {
        const endpoints = Array.from({ length: 50 }, (_, index) => `urn:uuid:${first + index}`);
        socket.send(matches(endpoints, messageId), to, address);
      }
    });
    const found = await search(port, ({ size }) => size >= 1000);
    expect(found.size).toBe(1000);
  });

  it('[SE-68] leaves out answers to Probes of others', async () => {
    const port = await answering((messageId, { port: to, address }, socket) => {
      socket.send(match('urn:uuid:liar', ['http://127.0.0.1/x'], 'urn:uuid:somebody-else'), to, address);
      socket.send(Buffer.from(`<!DOCTYPE a><a>${messageId}</a>`), to, address);
      socket.send(match('urn:uuid:honest', ['http://127.0.0.1:81/x'], messageId), to, address);
    });
    const found = await search(port, (all) => all.has('urn:uuid:honest'));
    expect([...found.keys()]).toEqual(['urn:uuid:honest']);
  });

  it('takes the address that the answer came from, which a later answer may name', async () => {
    const port = await answering((messageId, { port: to, address }, socket) => {
      socket.send(match('urn:uuid:1', ['http://198.51.100.7:8080/onvif/device_service'], messageId), to, address);
      socket.send(match('urn:uuid:1', ['http://127.0.0.1:8888/onvif/device_service'], messageId), to, address);
    });
    const target = 'http://127.0.0.1:8888/onvif/device_service';
    const found = await search(port, (all) => all.get('urn:uuid:1')?.target === target);
    expect(found.get('urn:uuid:1')).toMatchObject({ driver: 'onvif', target });
  });
});

describe('[SE-64] [SE-65] the address of a device that was found', () => {
  const policy = cameraPolicy({
    isOperator: false,
    cameraNetworks: [],
    ownPorts: new Set([8443]),
    ownAddresses: ['192.0.2.1'],
  });
  const judge = (address: string, port: number) => checkAddress(address, port, policy);
  const found = (xAddrs: string[], from = '192.168.1.9', scopes: string[] = []) =>
    foundDevice({ device: { endpoint: 'urn:uuid:1', types: [], scopes, xAddrs }, from }, judge);

  it.each([
    [['http://10.0.0.5/a', 'http://192.168.1.9:81/b'], 'http://192.168.1.9:81/b'],
    [['http://10.0.0.5:8080/a'], 'http://192.168.1.9:8080/a'],
    [['http://localhost/onvif/device_service'], 'http://192.168.1.9/onvif/device_service'],
    [['ftp://192.168.1.9/', 'not an address', 'https://192.168.1.9/c'], 'https://192.168.1.9/c'],
    [['http://admin:secret@192.168.1.9/d#x'], 'http://192.168.1.9/d'],
  ])('%j leads to %s', (xAddrs, target) => expect(found(xAddrs)?.target).toBe(target));

  it.each([
    [[], '192.168.1.9'],
    [['file:///etc/passwd'], '192.168.1.9'],
    [['http://192.168.1.9/'], '127.0.0.1'],
    [['http://192.168.1.9/'], '169.254.1.1'],
    [['http://192.168.1.9:8443/'], '192.0.2.1'],
  ])('%j from %s leads nowhere', (xAddrs, from) => expect(found(xAddrs, from)).toBeNull());

  it('reads name and model out of the scopes', () => {
    const scopes = ['onvif://www.onvif.org/name/Gate%20%E6%AD%A3%E9%97%A8', 'onvif://www.onvif.org/hardware/C%2'];
    expect(found(['http://192.168.1.9/'], '192.168.1.9', scopes)).toMatchObject({ name: 'Gate 正门', model: 'C%2' });
  });
});

describe('[DM-01] a range of addresses', () => {
  it.each([
    ['192.168.1.0/24', '192.168.1.1', '192.168.1.254', 254],
    ['192.168.1.77/24', '192.168.1.1', '192.168.1.254', 254],
    ['10.255.252.0/22', '10.255.252.1', '10.255.255.254', 1022],
    ['10.0.0.4/31', '10.0.0.4', '10.0.0.5', 2],
    ['10.0.0.4', '10.0.0.4', '10.0.0.4', 1],
  ])('%s goes from %s to %s', (text, first, last, count) => {
    const range = parseRange(text);
    expect(range?.count).toBe(count);
    expect(range && [addressAt(range, 0), addressAt(range, range.count - 1)]).toEqual([first, last]);
  });

  it.each([
    '10.0.0.0/21',
    '10.0.0.0/0',
    '10.0.0.0/33',
    'fd00::/64',
    'camera',
    '10.0.0/24',
    '10.0.0.0/24/1',
    '',
  ])('[SE-100] %j is none', (text) => expect(parseRange(text)).toBeNull());

  it('[SE-64] is refused where the network policy allows none of it', () => {
    const policy = cameraPolicy({ isOperator: false, cameraNetworks: [], ownPorts: new Set(), ownAddresses: [] });
    const judge = (address: string, port: number) => checkAddress(address, port, policy);
    const allowed = (text: string) => {
      const range = parseRange(text);
      return range !== null && isRangeAllowed(range, judge);
    };
    expect(allowed('127.0.0.0/24')).toBe(false);
    expect(allowed('169.254.169.254/32')).toBe(false);
    expect(allowed('224.0.0.0/24')).toBe(false);
    expect(allowed('192.168.1.0/24')).toBe(true);
  });

  it('finds hosts that speak RTSP, skips others, and limits its concurrent requests', async () => {
    const heard: string[] = [];
    const rtsp = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', (data) => {
        heard.push(data.toString());
        socket.end(data.toString().startsWith('OPTIONS') ? 'RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n' : '');
      });
    });
    const mail = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.resume().end('220 mail.example ESMTP\r\n');
    });
    for (const server of [rtsp, mail]) {
      open.push(server);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    const port = (rtsp.address() as AddressInfo).port;
    const ports = [port, (mail.address() as AddressInfo).port];
    const found: FoundDevice[] = [];
    let checked = 0;
    let atOnce = 0;
    let most = 0;
    await scanRange({
      range: parseRange('127.0.0.1/30') ?? expect.unreachable(),
      ports,
      context: testContext(),
      inTurn: async (work) => {
        most = Math.max(most, ++atOnce);
        return await work().finally(() => atOnce--);
      },
      onFound: (device) => found.push(device),
      onChecked: () => checked++,
      signal: new AbortController().signal,
    });
    expect(found.map(({ target }) => target)).toEqual([`rtsp://127.0.0.1:${port}`]);
    expect([checked, most]).toEqual([2, 2]);
    // Nobody's password was tried.
    expect(heard.join('')).not.toMatch(/authorization|UsernameToken|password/iu);
  });

  it('[SE-100] ends when its signal aborts', async () => {
    const ending = new AbortController();
    const scanning = scanRange({
      range: parseRange('127.0.0.0/27') ?? expect.unreachable(),
      ports: [9],
      context: testContext(),
      inTurn: (work) => work(),
      onFound: () => undefined,
      onChecked: () => ending.abort(new Error('enough')),
      signal: ending.signal,
    });
    await expect(scanning).rejects.toThrow('enough');
  });
});
