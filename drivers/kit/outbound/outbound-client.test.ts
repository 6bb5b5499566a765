// Tests of the outbound client against real sockets on loopback: policy on the resolved address, limits, deadlines, faults.
import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { type AddressInfo, type Server, type Socket, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { DeviceFault } from '../device-fault.ts';
import type { OutboundRequest } from '../driver-context.ts';
import { type CameraAccess, cameraPolicy } from './camera-policy.ts';
import { createOutboundClient, resolveBySystem } from './outbound-client.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const serveHttp = (listener: RequestListener) => listen(createServer(listener));
const serveTcp = (listener: (socket: Socket) => void) => listen(createTcpServer(listener));

const operator: CameraAccess = { isOperator: true, cameraNetworks: [], ownPorts: new Set(), ownAddresses: [] };
const client = createOutboundClient({ resolve: resolveBySystem, policy: () => cameraPolicy(operator) });
const guest = createOutboundClient({
  resolve: resolveBySystem,
  policy: () => cameraPolicy({ ...operator, isOperator: false }),
});

const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'GET',
  timeoutMs: 5000,
  maxBytes: 1 << 20,
  ...more,
});

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DeviceFault) return error.kind;
    throw error;
  }
  return 'none';
}

describe('policy', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    'localhost',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ])('%s is refused by what it resolves to', async (host) => {
    const kind = await faultOf(guest.dial({ host, port: 9, tls: false, timeoutMs: 5000 }));
    expect(kind).toBe('address-refused');
  });

  test('a name is resolved once, and the address that was checked is the one dialled', async () => {
    const port = await serveHttp((_, response) => response.end('hello'));
    let lookups = 0;
    const rebinding = createOutboundClient({
      resolve: async () => (lookups++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
      policy: () => cameraPolicy(operator),
    });
    const answer = await rebinding.http(get(`http://camera.example:${port}/`));
    expect([answer.body.toString(), lookups]).toEqual(['hello', 1]);
  });

  test('of several addresses only the allowed ones are tried', async () => {
    const mixed = createOutboundClient({
      resolve: async () => ['127.0.0.1', '192.0.2.1'],
      policy: () => cameraPolicy({ ...operator, isOperator: false }),
    });
    const port = await serveHttp((_, response) => response.end());
    const kind = await faultOf(mixed.http(get(`http://camera.example:${port}/`, { timeoutMs: 200 })));
    expect(['timeout', 'unreachable']).toContain(kind);
  });

  test('a redirect is returned, not followed', async () => {
    const port = await serveHttp((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect((await client.http(get(`http://127.0.0.1:${port}/`))).status).toBe(302);
  });
});

describe('http', () => {
  test('sends method, path, headers and body, and keeps repeated headers apart', async () => {
    const port = await serveHttp((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.setHeader('WWW-Authenticate', ['Digest realm="a"', 'Digest realm="b"']);
        const user = Buffer.from(String(request.headers['x-user']), 'latin1').toString();
        response.end(`${request.method} ${request.url} ${request.headers.host} ${user} ${Buffer.concat(chunks)}`);
      });
    });
    const body = '<大门/>';
    const answer = await client.http(
      get(`http://127.0.0.1:${port}/a%20b?c=1`, { method: 'POST', body, headers: { 'x-user': '管理' } }),
    );
    expect(answer.body.toString()).toBe(`POST /a%20b?c=1 127.0.0.1:${port} 管理 <大门/>`);
    expect(answer.headers.get('www-authenticate')).toEqual(['Digest realm="a"', 'Digest realm="b"']);
  });

  test('an answer without end is cut off at the limit', async () => {
    let sent = 0;
    const port = await serveHttp((_, response) => {
      const chunk = Buffer.alloc(65_536, 0x41);
      const more = () => {
        while (!response.destroyed && sent < 100 << 20 && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    expect(await faultOf(client.http(get(`http://127.0.0.1:${port}/`)))).toBe('device');
    expect(sent).toBeLessThan(32 << 20);
  });

  test('an endless header, and a connection closed in mid-answer, fail at once', async () => {
    let sent = 0;
    const endless = await serveTcp((socket) => {
      const line = Buffer.alloc(65_536, 0x41);
      const more = () => {
        while (!socket.destroyed && sent < 16 << 20 && socket.write(line)) sent += line.length;
      };
      socket.on('error', () => undefined);
      socket.on('drain', more);
      socket.write('HTTP/1.1 200 OK\r\nX-A: ', more);
    });
    expect(await faultOf(client.http(get(`http://127.0.0.1:${endless}/`)))).toBe('other-protocol');
    expect(sent).toBeLessThan(16 << 20);
    const restarting = await serveHttp((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('abc', () => response.socket?.resetAndDestroy());
    });
    expect(await faultOf(client.http(get(`http://127.0.0.1:${restarting}/`)))).toBe('unreachable');
  });

  test('silence after the request, or in the middle of the answer, ends at the deadline', async () => {
    const silent = await serveHttp(() => undefined);
    expect(await faultOf(client.http(get(`http://127.0.0.1:${silent}/`, { timeoutMs: 100 })))).toBe('timeout');
    const stalled = await serveHttp((_, response) => response.writeHead(200, { 'content-length': '10' }).write('abc'));
    expect(await faultOf(client.http(get(`http://127.0.0.1:${stalled}/`, { timeoutMs: 100 })))).toBe('timeout');
  });

  test('the caller can abort, and gets its own reason', async () => {
    const controller = new AbortController();
    const port = await serveHttp(() => controller.abort(new Error('enough')));
    const work = client.http(get(`http://127.0.0.1:${port}/`, { signal: controller.signal }));
    await expect(work).rejects.toThrow('enough');
    await expect(client.http(get(`http://127.0.0.1:${port}/`, { signal: controller.signal }))).rejects.toThrow(
      'enough',
    );
  });

  test('other protocols, closed ports and unknown names give different faults', async () => {
    const ssh = await serveTcp((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await faultOf(client.http(get(`http://127.0.0.1:${ssh}/`)))).toBe('other-protocol');
    expect(await faultOf(client.http(get(`https://127.0.0.1:${ssh}/`)))).toBe('other-protocol');
    const mute = await serveTcp((socket) => socket.destroy());
    expect(await faultOf(client.http(get(`http://127.0.0.1:${mute}/`)))).toBe('unreachable');
    expect(await faultOf(client.http(get('http://127.0.0.1:1/')))).toBe('unreachable');
    expect(await faultOf(client.http(get('http://no-such-name.invalid/')))).toBe('name-not-found');
  });

  test('URLs with credentials or another scheme are bugs of the caller', async () => {
    await expect(client.http(get('http://a:b@127.0.0.1/'))).rejects.toThrow(TypeError);
    await expect(client.http(get('ftp://127.0.0.1/'))).rejects.toThrow(TypeError);
  });
});

describe('dial', () => {
  test('gives a connection that carries bytes both ways', async () => {
    const port = await serveTcp((socket) => socket.pipe(socket));
    const connection = await client.dial({ host: '127.0.0.1', port, tls: false, timeoutMs: 5000 });
    connection.write('ping');
    const [echo] = (await once(connection, 'data')) as [Buffer];
    expect(echo.toString()).toBe('ping');
    connection.destroy();
  });
});
