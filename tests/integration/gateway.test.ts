// Gateway process between real sockets: routing, stripped headers, refusals, and answers while a process is down.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { type GatewayProcess, makeCertificate, startGateway } from '../harness/gateway-process.ts';
import { waitFor } from '../harness/wait-for.ts';

const outside =
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '';

let folder = '';
let authority = '';
let gateway: GatewayProcess;
let behindProxy: GatewayProcess;
const servers: http.Server[] = [];

interface Echo {
  readonly name: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly bytes: number;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vedette-gateway-'));
  await Promise.all([echoServer('server'), echoServer('site')]);
  authority = await makeCertificate(folder, ['localhost', '127.0.0.1', outside]);
  [gateway, behindProxy] = await Promise.all([
    startGateway(folder, {}),
    startGateway(folder, { http: true, trustedProxies: [outside] }),
  ]);
});

afterAll(async () => {
  await Promise.all([gateway, behindProxy].map((one) => one?.stop()));
  for (const server of servers) server.close();
  await rm(folder, { recursive: true, force: true });
});

async function echoServer(name: string): Promise<void> {
  const server = http.createServer(async (request, response) => {
    let bytes = 0;
    try {
      for await (const chunk of request) bytes += (chunk as Buffer).length;
    } catch {
      return; // cut off by the gateway
    }
    response.setHeader('x-one', ['a', 'b']);
    response.end(JSON.stringify({ name, url: request.url, headers: request.headers, bytes }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => {
    socket.send(JSON.stringify({ name, url: request.url, headers: request.headers }));
    socket.on('message', (data) => socket.send(data));
  });
  servers.push(server);
  server.listen(path.join(folder, `${name}.sock`));
  await once(server, 'listening');
}

interface Call extends https.RequestOptions {
  readonly body?: Buffer;
  readonly tls?: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

async function call(port: number, { body, tls = false, ...options }: Call = {}): Promise<Answer> {
  const all = { host: '127.0.0.1', port, ca: authority, agent: false as const, ...options };
  const request = tls ? https.request(all) : http.request(all);
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const parts: Buffer[] = [];
  for await (const chunk of response) parts.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(parts).toString() };
}

async function echo(port: number, options: Call = {}): Promise<Echo> {
  return JSON.parse((await call(port, options)).text) as Echo;
}

describe('requests', () => {
  it('are routed to the site below /media/ and to the server otherwise, plain from this machine and over TLS on the same port', async () => {
    expect(await echo(gateway.port, { path: '/api/v1/x?y=1' })).toMatchObject({ name: 'server', url: '/api/v1/x?y=1' });
    expect(await echo(gateway.port, { path: '/media/snapshot/x' })).toMatchObject({ name: 'site' });
    expect(await echo(gateway.port, { path: '/mediax' })).toMatchObject({ name: 'server' });
    const secure = await echo(gateway.port, { tls: true, host: outside, path: '/media/x' });
    expect(secure).toMatchObject({ name: 'site', headers: { 'x-forwarded-proto': 'https' } });
  });

  it('[SE-104] are refused over TLS older than 1.2', async () => {
    const versionOf = async (version: tls.SecureVersion) => {
      const ciphers = 'DEFAULT@SECLEVEL=0';
      const versions = { minVersion: version, maxVersion: version };
      const socket = tls.connect({ port: gateway.port, host: '127.0.0.1', ca: authority, ciphers, ...versions });
      try {
        await once(socket, 'secureConnect');
        return socket.getProtocol();
      } catch {
        return null;
      } finally {
        socket.destroy();
      }
    };
    expect([await versionOf('TLSv1'), await versionOf('TLSv1.1')]).toEqual([null, null]);
    expect([await versionOf('TLSv1.2'), await versionOf('TLSv1.3')]).toEqual(['TLSv1.2', 'TLSv1.3']);
  });

  it('are answered with HSTS where enabled, over TLS alone', async () => {
    const hsts = await startGateway(folder, { hsts: true, http: true, trustedProxies: [outside] });
    const headerOf = async (port: number, options: Call) =>
      (await call(port, options)).headers['strict-transport-security'];
    for (const path of ['/', '/api/v1/x', '/media/live', '/trust', '/ca.pem']) {
      expect(await headerOf(hsts.port, { tls: true, path }), path).toBe('max-age=31536000');
      expect(await headerOf(hsts.port, { path }), `plain ${path}`).toBeUndefined();
      expect(await headerOf(gateway.port, { tls: true, path }), `off ${path}`).toBeUndefined();
    }
    const proxied = { localAddress: outside, host: outside, path: '/', headers: { 'x-forwarded-for': '203.0.113.9' } };
    const secure = { ...proxied, headers: { ...proxied.headers, 'x-forwarded-proto': 'https' } };
    expect(await headerOf(hsts.port, secure), 'behind a proxy that ends TLS').toBe('max-age=31536000');
    expect(await headerOf(hsts.port, proxied)).toBeUndefined();
    expect((await call(hsts.port, { tls: true, path: '/api/x' })).headers['x-one'], 'repeated headers').toBe('a, b');
    await hsts.stop();
  });

  it('carry bodies and repeated headers', async () => {
    const body = Buffer.alloc(1_000_000, 7);
    const answer = await call(gateway.port, { method: 'POST', path: '/api/x', body });
    expect((JSON.parse(answer.text) as Echo).bytes).toBe(body.length);
    expect(answer.headers['x-one']).toBe('a, b');
  });

  it('carry chunked bodies as bodies: no content is taken for a request of its own', async () => {
    const inner = 'GET /metrics HTTP/1.1\r\nhost: localhost\r\nx-vedette-loopback: 1\r\n\r\n';
    const chunked = `transfer-encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    const hidden = `connection: close, content-length\r\ncontent-length: ${inner.length}\r\n\r\n${inner}`;
    for (const method of ['GET', 'POST', 'DELETE'])
      for (const rest of [`connection: close\r\n${chunked}`, hidden]) {
        const text = await raw(gateway.port, `${method} /api/x HTTP/1.1\r\nhost: localhost\r\n${rest}`);
        expect(text).toContain(`"bytes":${inner.length}`);
        // An answer to the inner request would be given to the next caller.
        expect((await echo(gateway.port, { path: '/api/next' })).url).toBe('/api/next');
      }
    const upgrade = `connection: upgrade\r\nupgrade: websocket\r\n${chunked}`;
    expect(await raw(gateway.port, `GET /ws HTTP/1.1\r\nhost: localhost\r\n${upgrade}`)).toContain(' 400 ');
  });

  it('are stripped of every header that could forge their origin', async () => {
    const forged = {
      'X-Forwarded-For': '10.9.9.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil',
      forwarded: 'for=1.2.3.4',
      'x-real-ip': '1.2.3.4',
      'x-vedette-loopback': '1',
      connection: 'close, x-named',
      'x-named': 'hop',
    };
    const { headers } = await echo(gateway.port, { tls: true, host: outside, headers: forged });
    expect(headers).toMatchObject({
      'x-forwarded-for': outside,
      'x-forwarded-proto': 'https',
      'x-vedette-loopback': '0',
    });
    for (const name of ['x-forwarded-host', 'forwarded', 'x-real-ip', 'x-named'])
      expect(headers).not.toHaveProperty(name);
  });

  it('count as local only from this machine, under a name of this machine, and not through a proxy on it', async () => {
    const mark = async (headers: Record<string, string>) =>
      (await echo(gateway.port, { headers })).headers['x-vedette-loopback'];
    expect(await mark({ host: 'localhost:1' })).toBe('1');
    expect(await mark({ host: '127.0.0.1' })).toBe('1');
    expect(await mark({ host: 'rebound.example' })).toBe('0');
    expect(await mark({ host: 'localhost', 'x-forwarded-for': '203.0.113.9' })).toBe('0');
  });

  it('are refused with oversized headers and bodies, and with a target that is no path', async () => {
    expect((await call(gateway.port, { headers: { 'x-big': 'x'.repeat(20_000) } })).status).toBe(431);
    const headers = { 'content-length': String(17 * 1024 * 1024) };
    expect(
      await raw(
        gateway.port,
        `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${headers['content-length']}\r\n\r\n`,
      ),
    ).toContain(' 413 ');
    expect(
      await raw(gateway.port, 'GET http://evil/ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
    ).toContain(' 400 ');
    expect(await raw(gateway.port, 'nonsense\r\n\r\n')).toContain(' 400 ');
  });

  it('time out while their body is sent, but an upload that progresses is given time', async () => {
    const slow = await startGateway(folder, { bodyLimits: { callMs: 1000, stallMs: 2500 } });
    /** The answer, or null where the line was cut: so many bytes, one each 300 ms, of a body of ten. */
    const trickle = async (path: string, bytes: number): Promise<number | null> => {
      const length = { 'content-length': '10' };
      const request = http.request({ host: '127.0.0.1', port: slow.port, path, method: 'POST', headers: length });
      const answered = once(request, 'response').then(
        ([response]) => (response as http.IncomingMessage).statusCode ?? 0,
        () => null,
      );
      let sent = 0;
      const timer = setInterval(() => {
        sent += 1;
        if (sent <= bytes) request.write('x');
      }, 300);
      const outcome = await answered;
      clearInterval(timer);
      request.destroy();
      return outcome;
    };
    try {
      expect(await Promise.all([trickle('/upload/x', 10), trickle('/api/x', 10), trickle('/upload/x', 4)])).toEqual([
        200,
        null,
        null,
      ]);
    } finally {
      await slow.stop();
    }
  });

  it('time out when their headers are not sent', async () => {
    const text = await raw(gateway.port, 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
    expect(text === '' || text.includes(' 408 ')).toBe(true);
  });
});

describe('from other devices', () => {
  it('plain requests are redirected to TLS on the same port', async () => {
    const answer = await call(gateway.port, { host: outside, path: '/login?a=b' });
    expect(answer.status).toBe(307);
    expect(answer.headers.location).toBe(`https://${outside}:${gateway.port}/login?a=b`);
    const strange = await call(gateway.port, { host: outside, headers: { host: 'a"><script>' } });
    expect(strange.status).toBe(400);
  });

  it('the certificate authority and the page explaining it are served plain, in the language of the browser', async () => {
    expect((await call(gateway.port, { host: outside, path: '/ca.pem' })).text).toBe(authority);
    const page = await call(gateway.port, { host: outside, path: '/trust' });
    expect(page.text).toContain('/ca.pem');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const chinese = await call(gateway.port, {
      host: outside,
      path: '/trust',
      headers: { 'accept-language': 'zh-CN,zh;q=0.9' },
    });
    expect(chinese.text).toContain('lang="zh-CN"');
  });

  it('a trusted proxy may use plain HTTP and names the client; the rest of the chain is ignored', async () => {
    const headers = {
      'x-forwarded-for': `6.6.6.6, 203.0.113.7, ${outside}`,
      'x-forwarded-proto': 'https',
      host: 'cameras.example',
    };
    const answer = await echo(behindProxy.port, { host: outside, headers });
    expect(answer.headers).toMatchObject({
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      host: 'cameras.example',
      'x-vedette-loopback': '0',
    });
  });
});

describe('web sockets', () => {
  it.each([false, true])('are passed both ways unchanged (TLS %s)', async (tls) => {
    const url = tls ? `wss://${outside}:${gateway.port}` : `ws://127.0.0.1:${gateway.port}`;
    const socket = new WebSocket(`${url}/media/talk?x=1`, { ca: authority });
    const [hello] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(hello.toString())).toMatchObject({
      name: 'site',
      url: '/media/talk?x=1',
      headers: { 'x-forwarded-proto': tls ? 'https' : 'http' },
    });
    const big = Buffer.alloc(3_000_000, 5);
    socket.send(big);
    const [back] = (await once(socket, 'message')) as [Buffer];
    expect(back.equals(big)).toBe(true);
    const closed = once(socket, 'close');
    socket.close(1000);
    expect((await closed)[0]).toBe(1000);
  });

  it('are refused plain from other devices', async () => {
    const socket = new WebSocket(`ws://${outside}:${gateway.port}/ws`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('403');
  });
});

describe('[SE-85] connections that wait for their client', () => {
  const opened: net.Socket[] = [];

  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy();
  });

  async function wait(port: number, text: string, localAddress: string): Promise<net.Socket> {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress });
    opened.push(socket);
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    if (text !== '') socket.write(text);
    socket.resume();
    return socket;
  }

  const isOpen = ({ closed }: net.Socket): boolean => !closed;
  const head = 'POST /api/v1/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n';

  it.each([
    ['say nothing', ''],
    ['stop within a TLS handshake', '\x16\x03\x01\x02\x00'],
    ['stop within a head', 'GET / HTTP/1.1\r\nhost: local'],
    ['stop within a body', `${head}{`],
  ])('of one address 256 that %s: the newest stay, another address and running calls lose none', async (_what, text) => {
    const slow = await wait(gateway.port, head, '127.0.0.41');
    const crowd: net.Socket[] = [];
    for (let nth = 0; nth < 300; nth += 1) crowd.push(await wait(gateway.port, text, '127.0.0.42'));
    await waitFor('the oldest to be closed', () => crowd.filter(isOpen).length <= 256);
    expect(crowd.filter(isOpen).length).toBe(256);
    expect(crowd.slice(0, 44).filter(isOpen)).toEqual([]);
    expect((await echo(gateway.port, { localAddress: '127.0.0.42' })).name).toBe('server');
    const answered = once(slow, 'data');
    slow.write('123456789');
    expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 200/);
  });

  it('of many addresses 512: those of the fullest address go first', async () => {
    const alone = await wait(gateway.port, '', '127.0.0.43');
    const crowd: net.Socket[] = [];
    for (let nth = 0; nth < 600; nth += 1) crowd.push(await wait(gateway.port, '', `127.0.3.${(nth % 100) + 1}`));
    await waitFor('the oldest to be closed', () => crowd.filter(isOpen).length <= 511);
    expect(isOpen(alone)).toBe(true);
  });

  it('between two calls of one address 256 connections rest; sockets that were let in are not counted', async () => {
    const watching = new WebSocket(`ws://127.0.0.1:${gateway.port}/media/talk`, { localAddress: '127.0.0.44' });
    await once(watching, 'open');
    const crowd: net.Socket[] = [];
    for (let nth = 0; nth < 300; nth += 1)
      crowd.push(await wait(gateway.port, 'GET /x HTTP/1.1\r\nhost: localhost\r\n\r\n', '127.0.0.44'));
    await waitFor('the oldest to be closed', () => crowd.filter(isOpen).length <= 256);
    expect(crowd.filter(isOpen).length).toBe(256);
    const said = once(watching, 'message');
    watching.send('still here');
    expect(String((await said)[0])).toBe('still here');
    watching.terminate();
  });
});

describe('while the server is down', () => {
  it('calls get the envelope with 1012, pages a reload page', async () => {
    const empty = await mkdtemp(path.join(tmpdir(), 'vedette-gateway-'));
    const alone = await startGateway(folder, { run: empty });
    try {
      const answer = await call(alone.port, { method: 'POST', path: '/api/v1/account/login', body: Buffer.from('{}') });
      expect(answer.status).toBe(502);
      expect(JSON.parse(answer.text)).toEqual({ code: 1012, message: 'serviceBusy', data: null });
      const page = await call(alone.port, { path: '/homepage', headers: { accept: 'text/html' } });
      expect(page.text).toContain('http-equiv="refresh"');
      const socket = new WebSocket(`ws://127.0.0.1:${alone.port}/ws`);
      expect(((await once(socket, 'error')) as [Error])[0].message).toContain('502');
    } finally {
      await alone.stop();
      await rm(empty, { recursive: true });
    }
  });
});

/** Sends bytes as they are and answers what comes back until the end. */
async function raw(port: number, text: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.on('error', () => socket.destroy());
  await once(socket, 'close');
  return answer;
}
