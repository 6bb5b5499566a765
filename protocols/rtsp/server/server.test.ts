// Proves the RTSP server on a real socket: our client plays from it, and hand-written requests meet its refusals.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { ServerScheme } from '../../http-digest/server-authentication.ts';
import { openRtspSession, type RtspSession } from '../client.ts';
import { dialDirect } from '../dial.ts';
import { RtspError } from '../rtsp-error.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import type { RtspFault, RtspMount, RtspSender } from './server-mount.ts';
import { RtspServer } from './server.ts';

const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 0.0.0.0',
  's=test',
  't=0 0',
  'a=control:*',
  'm=audio 0 RTP/AVP 8',
  'a=rtpmap:8 PCMA/8000',
  'a=control:trackID=0',
  '',
].join('\r\n');

/** One RTP packet in its interleaved frame. */
const FRAME = Buffer.from([0x24, 0, 0, 16, 0x80, 0x88, 0, 7, 0, 0, 0, 1, 0, 0, 0, 9, 1, 2, 3, 4]);

class TestMount implements RtspMount {
  readonly controls = ['trackID=0'];
  readonly senders: RtspSender[] = [];
  stopped = 0;

  sdp(): string {
    return SDP;
  }

  play(sender: RtspSender, request: { range: string | undefined }) {
    if (request.range === 'clock=bad') return null;
    this.senders.push(sender);
    setImmediate(() => sender.send(FRAME));
    return { range: 'npt=now-', starts: [{ sequence: 7, rtpTime: 1 }], stop: () => this.stopped++ };
  }
}

interface Running {
  readonly server: RtspServer;
  readonly mount: TestMount;
  readonly port: number;
}

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of cleanUps.splice(0).toReversed()) await end();
});

async function start(
  schemes: readonly ServerScheme[],
  faultOf?: () => RtspFault | null,
  timeout = 60,
): Promise<Running> {
  const mount = new TestMount();
  const server = new RtspServer({
    authentication: { realm: 'r', schemes: () => schemes, passwordOf: (user) => (user === 'u' ? 'p"w' : null) },
    serverName: 'test',
    mountOf: (path) => (path === '/a' ? mount : null),
    udpPorts: 'any',
    timeoutSeconds: () => timeout,
    faultOf,
  });
  const port = await server.listen(0, '127.0.0.1');
  cleanUps.push(() => server.close());
  return { server, mount, port };
}

function open(
  port: number,
  password: string,
  onPacket: () => void,
  onEnded: (error: RtspError) => void,
): Promise<RtspSession> {
  return openRtspSession({
    url: `rtsp://127.0.0.1:${port}/a`,
    credentials: { user: 'u', password },
    dial: dialDirect,
    clock: systemClock,
    clientNonce: () => 'abcdef',
    signal: new AbortController().signal,
    chooseTracks: (sdp) => sdp.media,
    sink: { packet: onPacket, senderReport: () => undefined, bye: () => undefined },
    onEnded,
  });
}

async function talk(port: number): Promise<{ socket: Socket; ask: (request: string) => Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  cleanUps.push(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  let cseq = 0;
  const ask = async (request: string): Promise<string> => {
    const [first, ...headers] = request.split('\n');
    socket.write([`${first} RTSP/1.0`, `CSeq: ${++cseq}`, ...headers, '', ''].join('\r\n'));
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return bytes.toString('latin1');
  };
  return { socket, ask };
}

test.each<readonly ServerScheme[]>([
  ['digest-sha-256'],
  ['digest-md5'],
  ['basic'],
  ['digest-sha-256', 'digest-md5', 'basic'],
  [],
])('our client plays and tears down with these offered: %s %s %s', async (...schemes) => {
  const { mount, port } = await start(schemes.filter((scheme) => scheme !== undefined));
  const packet = vi.fn();
  const session = await open(port, 'p"w', packet, () => undefined);
  await session.play();
  await vi.waitFor(() => expect(packet).toHaveBeenCalled());
  await session.close();
  await vi.waitFor(() => expect(mount.stopped).toBe(1));
});

test.each<ServerScheme>([
  'digest-sha-256',
  'digest-md5',
  'basic',
])('a wrong password is refused by %s', async (scheme) => {
  const { port } = await start([scheme]);
  await expect(
    open(
      port,
      'wrong',
      () => undefined,
      () => undefined,
    ),
  ).rejects.toMatchObject({ code: 'authentication' });
});

test('[SE-50] unknown paths, transports, sessions and ranges get their own errors, and publishing is refused', async () => {
  const { port } = await start([]);
  const { ask } = await talk(port);
  const url = `rtsp://127.0.0.1:${port}`;
  expect(await ask(`DESCRIBE ${url}/b`)).toContain('RTSP/1.0 404 Not Found\r\nCSeq: 1\r\n');
  expect(await ask(`SETUP ${url}/a/trackID=0\nTransport: RTP/AVP;multicast;port=5000-5001`)).toContain(' 461 ');
  expect(await ask(`SETUP ${url}/a/trackID=0\nTransport: RAW/RAW/UDP;unicast;client_port=5000-5001`)).toContain(
    ' 461 ',
  );
  expect(await ask(`PLAY ${url}/a`)).toContain(' 455 ');
  expect(await ask(`PLAY ${url}/a\nSession: nobody`)).toContain(' 454 ');
  expect(await ask(`RECORD ${url}/a`)).toContain(' 405 ');
  expect(await ask(`ANNOUNCE ${url}/a\nContent-Type: application/sdp`)).toContain(' 405 ');
  expect(await ask(`DANCE ${url}/a`)).toContain(' 501 ');
  expect(await ask(`SETUP ${url}/a/trackID=0\nTransport: RTP/AVP/TCP;unicast;interleaved=4-5`)).toContain(
    'interleaved=4-5',
  );
  expect(await ask(`PLAY ${url}/a\nRange: clock=bad`)).toContain(' 457 ');
});

test('a client that asks for other channels gets its frames there', async () => {
  const { port } = await start([]);
  const { socket, ask } = await talk(port);
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  const url = `rtsp://127.0.0.1:${port}/a`;
  await ask(`SETUP ${url}/trackID=0\nTransport: RTP/AVP/TCP;unicast;interleaved=6-7`);
  expect(await ask(`PLAY ${url}`)).toContain('RTP-Info: url=');
  const expected = Buffer.from(FRAME);
  expected[1] = 6;
  await vi.waitFor(() => expect(Buffer.concat(received).includes(expected)).toBe(true));
});

test('a renewed nonce gives stale=true, a forgotten session 454, an injected fault its status', async () => {
  let fault: RtspFault | null = null;
  const { server, port } = await start([], () => fault);
  const { ask } = await talk(port);
  const url = `rtsp://127.0.0.1:${port}/a`;
  const setUp = await ask(`SETUP ${url}/trackID=0\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1`);
  const session = /Session: (\w+)/.exec(setUp)?.[1] ?? '';
  for (const connection of server.connections) connection.forgetSession();
  expect(await ask(`GET_PARAMETER ${url}\nSession: ${session}`)).toContain(' 454 ');
  fault = { kind: 'status', status: 503, reason: 'Busy' };
  expect(await ask(`OPTIONS ${url}`)).toContain('RTSP/1.0 503 Busy');
});

test('a nonce that the server gave up is answered with stale=true', async () => {
  const { server, port } = await start(['digest-md5']);
  const { ask } = await talk(port);
  const url = `rtsp://127.0.0.1:${port}/a`;
  const nonce = /nonce="(\w+)"/.exec(await ask(`DESCRIBE ${url}`))?.[1] ?? '';
  const old = `Authorization: Digest username="u", realm="r", nonce="${nonce}", uri="${url}", response="0"`;
  expect(await ask(`DESCRIBE ${url}\n${old}`)).not.toContain('stale');
  for (const connection of server.connections) connection.renewNonce();
  expect(await ask(`DESCRIBE ${url}\n${old}`)).toContain('stale=true');
});

test('a session without requests ends after its timeout, and a dropped connection ends it at once', async () => {
  const short = await start([], undefined, 0.05);
  const session = await open(
    short.port,
    '',
    () => undefined,
    () => undefined,
  );
  await session.play();
  await vi.waitFor(() => expect(short.mount.stopped).toBe(1));
  await session.close();
  const dropped = await start([]);
  const ended = vi.fn();
  await (await open(dropped.port, '', () => undefined, ended)).play();
  for (const connection of dropped.server.connections) connection.destroy();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledWith(expect.any(RtspError)));
  expect(dropped.mount.stopped).toBe(1);
});

test('[SE-49] [GO-14] (Live555 CVE-2026-41470) a session answers only to the connection that made it', async () => {
  const { mount, port } = await start([]);
  const { ask } = await talk(port);
  const url = `rtsp://127.0.0.1:${port}/a`;
  const setUp = await ask(`SETUP ${url}/trackID=0\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1`);
  const session = /Session: (\w+)/.exec(setUp)?.[1] ?? '';
  await ask(`PLAY ${url}\nSession: ${session}`);
  const stranger = await talk(port);
  for (const method of ['PLAY', 'PAUSE', 'GET_PARAMETER', 'TEARDOWN']) {
    expect(await stranger.ask(`${method} ${url}\nSession: ${session}`)).toContain(' 454 ');
  }
  const ports = 'RTP/AVP;unicast;client_port=5000-5001';
  expect(await stranger.ask(`SETUP ${url}/trackID=0\nSession: ${session}\nTransport: ${ports}`)).toContain(' 454 ');
  expect(mount.stopped).toBe(0);
});
