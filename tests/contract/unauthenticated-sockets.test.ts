// Unauthenticated sockets of the server: limits of bytes, number and time.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { waitFor } from '../harness/wait-for.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const MEGABYTE = 1024 * 1024;
const CREDENTIAL = 'c'.repeat(43);
/** Where the enrolled site was seen last. */
const SITE_ADDRESS = '203.0.113.9';

let server: ServerUnderTest;
let operator: CallClient;
let serial: string;
const opened = new Set<Socket>();

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  const { site, registrationCode } = await operator.ok('site/add', { siteName: 'Harbour' });
  serial = site.serial;
  const enrolled = await dialSite(SITE_ADDRESS, registrationCode);
  enrolled.terminate();
});
afterAll(async () => {
  for (const socket of opened) socket.destroy();
  await server?.stop();
});

/** Connections that obey nothing but TCP: they answer no word of the other side. */
async function strangers(path: string, addresses: readonly string[]): Promise<Socket[]> {
  return await Promise.all(
    addresses.map(async (address) => {
      const socket = connect(server.socketPath);
      opened.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => opened.delete(socket));
      const head = [
        `GET ${path} HTTP/1.1`,
        'host: localhost:8443',
        'connection: Upgrade',
        'upgrade: websocket',
        'sec-websocket-version: 13',
        'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
        `x-forwarded-for: ${address}`,
        'x-forwarded-proto: https',
        'x-vedette-loopback: 0',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return socket;
    }),
  );
}

const openOf = (sockets: readonly Socket[]): Socket[] => sockets.filter(({ closed }) => !closed);

/** RFC 6455 5.2: masked text of 16 MB, all of it but the end. */
function largeFrame(): Buffer {
  const frame = Buffer.alloc(15 * MEGABYTE, 'x');
  Buffer.from([0x81, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]).copy(frame);
  return frame;
}

function memoryOfServer(): number {
  const [, pages = '0'] = readFileSync(`/proc/${server.processId}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4096) / MEGABYTE;
}

/** Resolves once the server has said its first word to it. */
async function dialSite(address: string, code?: string): Promise<WebSocket> {
  const from = { 'x-forwarded-for': address, 'x-forwarded-proto': 'https', 'x-vedette-loopback': '0' };
  const socket = server.webSocket('/site', from);
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello', protocol: 1, siteId: serial, secret: CREDENTIAL, code, version: '1' }));
  await Promise.race([once(socket, 'message'), once(socket, 'close')]);
  return socket;
}

async function openPage(client: CallClient, address: string): Promise<{ socket: WebSocket; heard: () => string }> {
  const socket = server.webSocket('/ws', { 'x-forwarded-for': address });
  let first = '';
  socket.on('error', () => undefined);
  const said = new Promise<void>((resolve) => {
    socket.once('message', (raw: Buffer) => {
      first = raw.toString('utf8');
      resolve();
    });
    socket.once('close', (code) => {
      first ||= `closed ${code}`;
      resolve();
    });
  });
  await Promise.race([once(socket, 'open'), said]);
  socket.send(JSON.stringify({ type: 'hello', accessToken: client.accessToken }));
  await said;
  return { socket, heard: () => first };
}

const addressesOf = (count: number, each = 1): string[] =>
  Array.from(
    { length: count * each },
    (_, nth) => `2001:db8:${Math.floor(nth / each).toString(16)}::${nth.toString(16)}`,
  );

const MOST = { '/site': { one: 16, all: 64 }, '/ws': { one: 128, all: 512 } } as const;
const PATHS = ['/site', '/ws'] as const;

it.each(PATHS)('[SE-85] %s accepts 4 KB before authentication: sixty frames of 15 MB use no memory', async (path) => {
  const before = memoryOfServer();
  const sockets = await strangers(path, addressesOf(60));
  const frame = largeFrame();
  for (const socket of sockets) socket.write(frame);
  let most = before;
  await waitFor('the connections to be cut', () => {
    most = Math.max(most, memoryOfServer());
    return openOf(sockets).length === 0;
  });
  expect(most - before).toBeLessThan(80);
});

it.each(PATHS)('%s counts the fragments of one message together', async (path) => {
  const [socket] = await strangers(path, ['192.0.2.66']);
  // A text of which no piece is the last: 0x01 begins it, 0x00 goes on.
  const piece = (begin: number) => Buffer.from([begin, 0x80 | 100, 0, 0, 0, 0, ...new Array<number>(100).fill(0x78)]);
  const closed = new Promise((resolve) => socket?.once('close', resolve));
  const since = performance.now();
  socket?.write(piece(1));
  for (let nth = 0; nth < 45; nth++) socket?.write(piece(0));
  await closed;
  expect(performance.now() - since, 'long before its time is over').toBeLessThan(4000);
});

it('[SE-85] silent sockets are closed within five seconds, and the oldest of one network before', async () => {
  const staying = PATHS.map(async (path) => {
    const most = MOST[path];
    const one = await strangers(path, addressesOf(1, most.one + 10));
    const many = await strangers(path, addressesOf(most.all + 50));
    const since = performance.now();
    const all = [...one, ...many];
    await waitFor('those beyond to be closed', () => openOf(all).length <= most.all);
    expect(openOf(one).length, path).toBeLessThanOrEqual(most.one);
    expect(openOf(many).length, path).toBeGreaterThan(most.all / 2);
    await waitFor('the rest to be closed', () => openOf(all).length === 0, 8000);
    expect(performance.now() - since, path).toBeLessThan(6500);
  });
  await Promise.all(staying);
});

it('[SE-85] an enrolled site and a page of an account stay, and reconnect, while others take all slots', async () => {
  const before = await openPage(operator, '203.0.113.50');
  const siteBefore = await dialSite(SITE_ADDRESS);
  let isRunning = true;
  const floods = ['/site', '/ws'].map(async (path) => {
    while (isRunning) await strangers(path, addressesOf(600));
  });
  try {
    for (let nth = 0; nth < 3; nth++) {
      const [site, page] = await Promise.all([dialSite(SITE_ADDRESS), openPage(operator, '203.0.113.50')]);
      expect(site.readyState, 'the site').toBe(site.OPEN);
      expect(page.heard()).toContain('welcome');
      site.terminate();
      page.socket.terminate();
    }
  } finally {
    isRunning = false;
    await Promise.all(floods);
    for (const socket of opened) socket.destroy();
  }
  expect(before.socket.readyState).toBe(before.socket.OPEN);
  for (const socket of [before.socket, siteBefore]) socket.terminate();
});

it('an account has 256 pages; the next is refused, and those of another account are accepted', async () => {
  await operator.ok('user/add', { username: 'stranger', password: 'Secret-1', userType: 2 });
  const stranger = await server.signIn('stranger', 'Secret-1');
  const pages = await Promise.all(
    Array.from({ length: 256 }, (_, nth) => openPage(stranger, `198.51.100.${nth % 200}`)),
  );
  expect(pages.filter(({ heard }) => !heard().includes('welcome'))).toEqual([]);
  expect((await openPage(stranger, '198.51.100.1')).heard()).toBe('closed 1013');
  const own = await openPage(operator, '198.51.100.1');
  expect(own.heard()).toContain('welcome');
  for (const { socket } of [...pages, own]) socket.terminate();
  await waitFor('a place', async () => {
    const again = await openPage(stranger, '198.51.100.1');
    again.socket.terminate();
    return again.heard().includes('welcome');
  });
});
