// Socket floods at the endpoints of the site: ticket holders still connect, and slots are freed.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { DeviceAssignment, TicketGrant } from '@vedette/contract/site/site.ts';
import { openRtspSession } from '@vedette/protocols/rtsp/client.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { CAMERA_ACCOUNT, type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';

const STRANGER = '203.0.113.9';
const OWNER = '198.51.100.20';
/** On loopback every address of 127/8 is ours to speak from. */
const STRANGER_OF_RTSP = '127.0.0.9';

let site: SiteProcess;
let camera: CountedCamera;
let device: DeviceAssignment;
const cleanUps: (() => Promise<unknown> | void)[] = [];

beforeAll(async () => {
  [site, camera] = await Promise.all([
    SiteProcess.create({ VEDETTE_RTSP_PORT: '0', VEDETTE_RTSP_HOST: '127.0.0.1' }),
    startCountedCamera(),
  ]);
  await site.serve();
  await site.start();
  const found = await site.ok('probe', { target: camera.url(), ...CAMERA_ACCOUNT, isOperator: true });
  device = {
    deviceSerial: found.deviceSerial,
    driver: found.driver,
    native: found.native,
    ...CAMERA_ACCOUNT,
    isOperatorAddress: true,
    channels: [{ channelNo: 1, channelId: 'counted', record: null, backfillFrom: null }],
  };
  await site.ok('assign', { devices: [device], settings: site.settings });
  await (await pictureOf(OWNER)).leave();
}, 60_000);

afterEach(async () => {
  for (const end of cleanUps.splice(0).toReversed()) await end();
});

afterAll(async () => {
  await Promise.all([site?.stop(), camera?.stop()]);
});

const ticketOf = (kind: TicketGrant['kind'], more: Partial<TicketGrant> = {}): Promise<string> =>
  site.ticket({ kind, deviceSerial: device.deviceSerial, channelNo: 1, ...more });

/** Resolves with the first picture; rejects where there is no way in. */
async function pictureOf(address: string, more: Partial<TicketGrant> = {}) {
  const ticket = await ticketOf('live', more);
  const socket = new WebSocket(`${await site.viewersUrl()}/media/live`, { headers: { 'x-forwarded-for': address } });
  cleanUps.push(() => socket.terminate());
  await once(socket, 'open');
  let pictures = 0;
  socket.on('message', (_data, isBinary) => {
    if (isBinary) pictures += 1;
  });
  socket.send(JSON.stringify({ type: 'subscribe', id: 1, ticket, audio: false }));
  await waitFor('a picture', () => pictures > 1, 10_000);
  return { socket, leave: async () => void (socket.close(), await once(socket, 'close')) };
}

/** Bare sockets that become WebSockets and then say nothing. */
async function flood(path: string, count: number, address: (at: number) => string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let from = 0; from < count; from += 100) {
    const batch = Array.from({ length: Math.min(100, count - from) }, async (_none, at) => {
      const socket = connect(site.socketPath);
      sockets.push(socket);
      socket.on('error', () => socket.destroy());
      const head = [`GET ${path} HTTP/1.1`, 'host: site', 'connection: Upgrade', 'upgrade: websocket'];
      head.push('sec-websocket-version: 13', 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==');
      head.push(`x-forwarded-for: ${address(from + at)}`);
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    });
    await Promise.all(batch);
  }
  return sockets;
}

const openOf = (sockets: readonly Socket[]): number => sockets.filter(({ closed }) => !closed).length;

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${site.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

it('[SE-85] 2,000 silent sockets of another address on /media/live: the owner’s video starts, and memory is released', async () => {
  const watching = await pictureOf(OWNER);
  // Code and heap that a first crowd makes the process grow by are no loss of a second one.
  for (const socket of await flood('/media/live', 2000, () => STRANGER)) socket.destroy();
  const before = await residentBytes();
  const sockets = await flood('/media/live', 2000, () => STRANGER);
  // A newcomer, from elsewhere and from behind the same address; and who watched before goes on.
  await pictureOf(OWNER, { userId: 'owner' });
  await pictureOf(STRANGER, { userId: 'owner' });
  expect(watching.socket.readyState).toBe(WebSocket.OPEN);
  await waitFor('the stranger’s sockets to be closed', () => openOf(sockets) === 0, 10_000);
  await waitFor('the memory back', async () => (await residentBytes()) <= before * 1.1, 60_000);
}, 90_000);

it('[SE-85] unauthenticated sockets from a thousand addresses evict each other, never a viewer', async () => {
  const watching = await pictureOf(OWNER);
  const sockets = await flood('/media/live', 2200, (at) => `10.${at >> 8}.${at & 255}.1`);
  expect(openOf(sockets)).toBeLessThan(2000);
  await pictureOf(OWNER, { userId: 'owner' });
  expect(watching.socket.readyState).toBe(WebSocket.OPEN);
}, 60_000);

it('[SE-85] before a ticket the live socket accepts a few kilobytes and no more', async () => {
  const [socket] = await flood('/media/live', 1, () => STRANGER);
  if (!socket) throw new Error('there is no socket');
  // A masked text frame of a ping, with a mask of zeros.
  const text = Buffer.from(JSON.stringify({ type: 'ping', at: 1 }));
  const frame = Buffer.concat([Buffer.of(0x81, 0x80 | text.length, 0, 0, 0, 0), text]);
  for (let sent = 0; sent < 8192 && !socket.destroyed; sent += frame.length) socket.write(frame);
  await waitFor('the end of the socket', () => socket.closed, 2000);
}, 20_000);

it('[SE-85] 512 RTSP connections that send OPTIONS, nothing or guesses: the owner’s video starts over TCP and UDP', async () => {
  const port = site.rtspPort ?? 0;
  const sockets: Socket[] = [];
  const asking = setInterval(() => {
    for (const [at, socket] of sockets.entries())
      if (at % 3 > 0 && socket.writable) socket.write(`OPTIONS * RTSP/1.0\r\nCSeq: 2\r\n\r\n`);
  }, 1000);
  cleanUps.push(() => {
    clearInterval(asking);
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(
    Array.from({ length: 512 }, async (_none, at) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: STRANGER_OF_RTSP });
      sockets.push(socket);
      socket.on('error', () => socket.destroy());
      socket.on('data', () => undefined);
      await Promise.race([
        once(socket, 'connect').catch(() => undefined),
        once(socket, 'close').catch(() => undefined),
      ]);
      if (at % 3 === 1) socket.write(`OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n`);
      if (at % 3 === 2) socket.write(`DESCRIBE rtsp://site/guess-number-${at + 1000_0000} RTSP/1.0\r\nCSeq: 1\r\n\r\n`);
    }),
  );
  for (const transport of ['tcp-only', 'udp'] as const) await nativePicture(port, transport);
  await waitFor('the stranger’s connections to be closed', () => openOf(sockets) === 0, 10_000);
}, 60_000);

it('[SE-85] before a ticket an RTSP connection accepts 4 KB and no more', async () => {
  const socket = connect({ port: site.rtspPort ?? 0, host: '127.0.0.1', localAddress: STRANGER_OF_RTSP });
  cleanUps.push(() => void socket.destroy());
  socket.on('error', () => socket.destroy());
  let answered = 0;
  socket.on('data', () => (answered += 1));
  await once(socket, 'connect');
  socket.write(`OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n`);
  await waitFor('an answer', () => answered > 0, 2000);
  socket.write(`OPTIONS * RTSP/1.0\r\nCSeq: 2\r\n\r\n`.repeat(200));
  await waitFor('the end of the connection', () => socket.closed, 2000);
}, 20_000);

async function nativePicture(port: number, transport: 'tcp-only' | 'udp'): Promise<void> {
  const ticket = await ticketOf('rtsp', { userId: 'owner' });
  let packets = 0;
  const session = await openRtspSession({
    url: `rtsp://127.0.0.1:${port}/${ticket}`,
    credentials: null,
    dial: dialDirect,
    clock: systemClock,
    clientNonce: () => 'abcdef',
    signal: AbortSignal.timeout(10_000),
    chooseTracks: (sdp) => sdp.media,
    transport,
    sink: { packet: () => (packets += 1), senderReport: () => undefined, bye: () => undefined },
    onEnded: () => undefined,
  });
  cleanUps.push(() => session.close());
  await session.play();
  await waitFor(`packets over ${transport}`, () => packets > 5, 10_000);
}

it('[SE-85] 200 silent sockets of another address on /media/talk: the owner’s ticket works', async () => {
  await flood('/media/talk', 250, () => STRANGER);
  const ticket = await ticketOf('talk', { userId: 'owner', userName: 'owner' });
  const socket = new WebSocket(`ws+unix://${site.socketPath}:/media/talk`, { headers: { 'x-forwarded-for': OWNER } });
  cleanUps.push(() => socket.terminate());
  await once(socket, 'open');
  const answer = once(socket, 'message');
  socket.send(JSON.stringify({ type: 'open', ticket }));
  const [text] = (await answer) as [Buffer];
  // The camera has no loudspeaker; that it is asked is the point.
  expect(JSON.parse(text.toString())).toEqual({ type: 'end', code: ERROR_CODES.functionNotSupported });
}, 20_000);

it('[SE-85] guests of one link use the slots of guests; the link’s creator and other accounts keep watching', async () => {
  const guests: WebSocket[] = [];
  const ended: unknown[] = [];
  cleanUps.push(() => {
    for (const guest of guests) guest.terminate();
  });
  for (let at = 0; at < 260; at += 1) {
    const ticket = await ticketOf('live', { userId: 'owner', sessionId: 'link abcdef', isGuest: true });
    const guest = new WebSocket(`${await site.viewersUrl()}/media/live`, {
      headers: { 'x-forwarded-for': `10.1.${at}.1` },
    });
    guests.push(guest);
    guest.on('error', () => undefined);
    guest.on('message', (data, isBinary) => {
      if (isBinary) return;
      const notice = JSON.parse(String(data)) as { type: string; code: number };
      if (notice.type === 'end') ended.push(notice.code);
    });
    await once(guest, 'open');
    guest.send(JSON.stringify({ type: 'subscribe', id: 1, ticket, audio: false }));
  }
  await waitFor('guests that are refused', () => ended.length > 0, 10_000);
  expect(new Set(ended)).toEqual(new Set([ERROR_CODES.serviceBusy]));
  await pictureOf(OWNER, { userId: 'owner' });
  await pictureOf(OWNER, { userId: 'another' });
}, 60_000);
