// Proves RTSP over HTTP on real sockets: a gateway takes the two requests apart and talks to our RTSP server behind it.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { openRtspSession, type RtspSessionOptions } from './client.ts';
import { dialDirect } from './dial.ts';
import { SCRIPTED_SDP } from './scripted-device.fake.ts';
import { RtspServer } from './server/server.ts';

const cleanUps: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of cleanUps.splice(0).toReversed()) await end();
});

/** One RTP packet in its interleaved frame. */
const FRAME = Buffer.from([0x24, 0, 0, 16, 0x80, 96, 0, 7, 0, 0, 0, 1, 0, 0, 0, 9, 1, 2, 3, 4]);

async function rtspPort(): Promise<number> {
  const server = new RtspServer({
    authentication: { realm: 'r', schemes: () => [], passwordOf: () => null },
    serverName: 'behind the tunnel',
    mountOf: () => ({
      sdp: () => SCRIPTED_SDP,
      controls: ['trackID=0', 'trackID=1'],
      play: (sender) => {
        setImmediate(() => sender.send(FRAME));
        return { range: undefined, starts: [], stop: () => undefined };
      },
    }),
    udpPorts: null,
    timeoutSeconds: () => 60,
  });
  cleanUps.push(() => server.close());
  return await server.listen(0, '127.0.0.1');
}

interface Gateway {
  readonly port: number;
  readonly heads: string[];
}

/** Answers GET with `status` unless it carries the wanted Authorization; then joins GET and POST of one cookie. */
async function gateway(authorization?: string, status = 401): Promise<Gateway> {
  const behind = await rtspPort();
  const heads: string[] = [];
  const inner = new Map<string, Socket>();
  const server = createServer((socket) => {
    cleanUps.push(() => void socket.destroy());
    let head = '';
    const read = (bytes: Buffer): void => {
      head += bytes.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      socket.off('data', read);
      heads.push(head.slice(0, end));
      const cookie = /x-sessioncookie: (\S+)/.exec(head)?.[1] ?? '';
      if (authorization !== undefined && !head.includes(authorization)) {
        socket.end(`HTTP/1.1 ${status} No\r\nWWW-Authenticate: Basic realm="r"\r\n\r\n`);
      } else if (head.startsWith('GET')) {
        const raw = connect(behind, '127.0.0.1');
        inner.set(cookie, raw);
        socket.write('HTTP/1.0 200 OK\r\nContent-Type: application/x-rtsp-tunnelled\r\n\r\n');
        raw.pipe(socket);
        raw.on('error', () => socket.destroy());
      } else {
        const feed = (text: string): void => void inner.get(cookie)?.write(Buffer.from(text, 'base64'));
        feed(head.slice(end + 4));
        socket.on('data', (more: Buffer) => feed(more.toString('latin1')));
      }
    };
    socket.on('data', read);
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => void server.close());
  return { port: (server.address() as AddressInfo).port, heads };
}

async function open(port: number, options: Partial<RtspSessionOptions> = {}) {
  const packet = vi.fn();
  const session = await openRtspSession({
    url: `rtsp://127.0.0.1:${port}/live?x=1#transport=http`,
    credentials: null,
    dial: dialDirect,
    clock: systemClock,
    clientNonce: () => 'cookie-of-the-pair',
    signal: new AbortController().signal,
    chooseTracks: (sdp) => sdp.media,
    sink: { packet, senderReport: () => undefined, bye: () => undefined },
    onEnded: () => undefined,
    ...options,
  });
  cleanUps.push(() => session.close());
  return { session, packet };
}

test('a session plays through a pair of HTTP requests of one cookie', async () => {
  const { port, heads } = await gateway();
  const { session, packet } = await open(port);
  await session.play();
  await vi.waitFor(() => expect(packet).toHaveBeenCalled());
  expect(session.transport).toBe('tcp');
  expect(heads.map((head) => head.split('\r\n')[0])).toEqual(['GET /live?x=1 HTTP/1.1', 'POST /live?x=1 HTTP/1.1']);
  for (const head of heads) expect(head).toContain('x-sessioncookie: cookie-of-the-pair');
});

test('the tunnel signs in where HTTP asks for it, and says so where it is refused', async () => {
  const basic = `Basic ${Buffer.from('admin:secret').toString('base64')}`;
  const { port, heads } = await gateway(basic);
  const { session } = await open(port, { credentials: { user: 'admin', password: 'secret' } });
  await session.play();
  expect(heads.map((head) => head.split(' ')[0])).toEqual(['GET', 'GET', 'POST']);
  await expect(open(port, { credentials: { user: 'admin', password: 'wrong' } })).rejects.toMatchObject({
    code: 'authentication',
  });
  const none = await gateway('never', 404);
  await expect(open(none.port)).rejects.toMatchObject({ code: 'not-found', status: 404 });
});

test('[SE-79] gives up on a gateway that sends endless data, disconnects or speaks another protocol', async () => {
  const answers = ['SSH-2.0-x\r\n\r\n', 'x'.repeat(20_000), ''];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    const answer = answers.shift() ?? '';
    if (answer === '') socket.destroy();
    else socket.write(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await expect(open(port)).rejects.toMatchObject({ code: 'protocol' });
  await expect(open(port)).rejects.toMatchObject({ code: 'protocol' });
  await expect(open(port)).rejects.toMatchObject({ code: 'unreachable' });
});
