// Live video through the gateway process: plain and over TLS, slow viewers, strangers, and the death of the site beside it.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { KEYFRAME_EVERY } from '../../media/stream/numbered-frames.fixture.ts';
import { FEED_PAGE, NumberedFeed, type NumberedViewer, seesOn, watchNumbered } from '../harness/numbered-feed.ts';
import { type GatewayProcess, makeCertificate, startGateway } from '../harness/gateway-process.ts';
import { waitFor } from '../harness/wait-for.ts';

let folder = '';
let authority = '';
let gateway: GatewayProcess;
let site: NumberedFeed;
const viewers: NumberedViewer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-live-'));
  authority = await makeCertificate(folder, ['localhost', '127.0.0.1']);
  gateway = await startGateway(folder);
  site = await NumberedFeed.start(folder);
});
afterEach(() => {
  for (const { socket } of viewers.splice(0)) socket.terminate();
});
afterAll(async () => {
  await gateway?.stop();
  await site?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function watch(isSecure = false): Promise<NumberedViewer> {
  const base = isSecure ? `wss://localhost:${gateway.port}` : `ws://127.0.0.1:${gateway.port}`;
  const viewer = await watchNumbered({ base, ca: authority });
  viewers.push(viewer);
  return viewer;
}

/** An upgraded socket that reads only when it is told to. */
async function openByHand(headers = ''): Promise<net.Socket> {
  const socket = net.connect({ port: gateway.port, host: '127.0.0.1' });
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET /media/live HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n${headers}\r\n`,
  );
  return socket;
}

/** A masked text frame (RFC 6455 5.2). */
function textFrame(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.of(0x81, 0x80 | body.length, 0, 0, 0, 0), body]);
}

describe('viewers', () => {
  it('plain and over TLS get the same whole pictures, of which the site sends one copy', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, nth) => watch(nth % 2 === 0)));
    const before = site.feed.counters.units;
    const from = all.map(({ seen }) => seen.length);
    await Promise.all(all.map((viewer) => seesOn(viewer, 3 * KEYFRAME_EVERY)));
    const sent = site.feed.counters.units - before;
    for (const [nth, { seen }] of all.entries())
      expect(Math.abs(seen.length - (from[nth] ?? 0) - sent)).toBeLessThan(20);
  });

  it('one that reads a byte a second is skipped, and disturbs nobody', async () => {
    const quick = await watch();
    const slow = await openByHand();
    await once(slow, 'data');
    slow.pause();
    slow.write(textFrame('{"type":"subscribe","id":1,"ticket":"slow","audio":false}'));
    const timer = setInterval(() => slow.read(1), 1000);
    try {
      await seesOn(quick, 6 * KEYFRAME_EVERY);
      expect(quick.skipped).toBe(0);
    } finally {
      clearInterval(timer);
      slow.destroy();
    }
  });

  it('[SE-48] of another origin get what a ticket names them for, and nothing else', async () => {
    const firstAnswer = async (origin: string, ticket: string): Promise<string> => {
      const socket = await openByHand(`origin: ${origin}\r\n`);
      await once(socket, 'data');
      socket.write(textFrame(JSON.stringify({ type: 'subscribe', id: 1, ticket, audio: false })));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return String(answer);
    };
    expect(await firstAnswer('https://elsewhere.example', 'of ours')).toContain('{"type":"end","id":1,"code":1004}');
    expect(await firstAnswer('https://elsewhere.example', 'of a page')).toContain('"code":1004');
    expect(await firstAnswer(FEED_PAGE, 'of a page')).not.toContain('"end"');
  });

  it('that were let in keep their certificate while another takes its place', async () => {
    const before = await watch(true);
    const serialOf = async (): Promise<string> => {
      const socket = tls.connect({ port: gateway.port, host: 'localhost', ca: authority });
      await once(socket, 'secureConnect');
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const old = await serialOf();
    await makeCertificate(folder, ['localhost', '127.0.0.1', 'cameras.example']);
    gateway.reloadCertificate();
    await waitFor('the new certificate', async () => (await serialOf()) !== old);
    await seesOn(before, KEYFRAME_EVERY);
    await seesOn(await watch(true), KEYFRAME_EVERY);
  });
});

describe('strangers', () => {
  it.each([
    ['half a TLS handshake', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
    ['a handshake of garbage', Buffer.concat([Buffer.of(0x16, 3, 1, 0, 80), randomBytes(80)])],
    ['64 KB of cookies', Buffer.from(`GET / HTTP/1.1\r\nhost: localhost\r\ncookie: ${'a'.repeat(65_536)}\r\n\r\n`)],
    ['HTTP/1.0 without a host', Buffer.from('GET /media/live HTTP/1.0\r\n\r\n')],
    [
      'an upgrade with a body',
      Buffer.from(
        'GET /media/live HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\ncontent-length: 5\r\n\r\nhello',
      ),
    ],
    [
      'an upgrade without a key',
      Buffer.from('GET /media/live HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    ],
  ])('with %s get nothing, and viewers lose no picture', async (_what, bytes) => {
    const viewer = await watch(true);
    const sockets = Array.from({ length: 20 }, () => net.connect({ port: gateway.port, host: '127.0.0.1' }));
    const answers = sockets.map(async (socket) => {
      let answer = '';
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString('latin1');
      });
      socket.write(bytes);
      await Promise.race([once(socket, 'close'), once(socket, 'data')]);
      return answer;
    });
    await seesOn(viewer, 2 * KEYFRAME_EVERY);
    for (const socket of sockets) socket.destroy();
    for (const answer of await Promise.all(answers)) expect(answer).not.toMatch(/^HTTP\/1.1 [123]/);
  });

  it('that renegotiate TLS are cut off, and viewers lose no picture', async () => {
    const viewer = await watch(true);
    const socket = tls.connect({ port: gateway.port, host: 'localhost', ca: authority, maxVersion: 'TLSv1.2' });
    socket.on('error', () => socket.destroy());
    socket.resume();
    await once(socket, 'secureConnect');
    let renegotiated = 0;
    const again = (): void => {
      if (socket.destroyed) return;
      const isSent = socket.renegotiate({}, (error) => {
        if (error) socket.destroy();
        else {
          renegotiated += 1;
          again();
        }
      });
      if (isSent === false) socket.destroy();
    };
    again();
    await waitFor('the end of the connection', () => socket.closed, 20_000);
    expect(renegotiated).toBeLessThan(5);
    await seesOn(viewer, KEYFRAME_EVERY);
  });
});

describe('the site dies', () => {
  it('in mid-picture: viewers are closed, refused while it is away, and served again when it is back', async () => {
    const before = await Promise.all([watch(), watch(true)]);
    // The head of a unit of four kilobytes for the stream that was opened first, and a part of its data.
    site.sockets.at(-1)?.write(Buffer.concat([Buffer.of(0, 0, 0x10, 0, 1, 0, 0, 0, 1), Buffer.alloc(500)]));
    await site.stop();
    await waitFor('the viewers to be closed', () => before.every(({ closedWith }) => closedWith !== null));
    expect(before.map(({ closedWith }) => closedWith)).toEqual([1001, 1001]);
    for (const { seen } of before) expect(seen).not.toContain(null);
    const refused = new WebSocket(`ws://127.0.0.1:${gateway.port}/media/live`);
    expect(((await once(refused, 'error')) as [Error])[0].message).toContain('502');
    site = await NumberedFeed.start(folder);
    await seesOn(await watch(), KEYFRAME_EVERY);
    expect(gateway.process.exitCode).toBeNull();
  });
});
