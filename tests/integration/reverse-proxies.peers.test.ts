// The documented configurations of nginx, HAProxy and Caddy before a running product: calls, sockets, live video, Low-Latency HLS, uploads, and whose address counts.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import type { CallInput, CallOutput, CallPath } from '@vedette/contract/calls/calls.ts';
import { LIVE_HEADER_BYTES, LIVE_KIND } from '@vedette/contract/media-wire.ts';
import { brokenRules } from '@vedette/protocols/hls/playlist-rules.fixture.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { hasProxies, PROXIES, PROXY_HOST, ReverseProxy } from '../harness/reverse-proxy.ts';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const OPERATOR = ['operator', 'Watch-2026'] as const;
/** The proxies are trusted by their address; browsers come from another one of this machine. */
const PROXY_ADDRESS = '127.0.0.1';
const BROWSER_ADDRESS = '127.0.0.2';
/** A browser's origin, as the proxy is reached in the open. */
const ORIGIN = `https://${PROXY_HOST}`;
/** More than proxies take without being told, and than they keep in memory. */
const FIRMWARE_BYTES = 20 * 1024 * 1024;

interface Wish {
  readonly method?: string;
  readonly body?: Buffer;
  readonly headers?: http.OutgoingHttpHeaders;
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

describe.skipIf(!hasProxies())('reverse proxies', () => {
  let product: Product;
  let virtual: VirtualSite;
  let channel: { deviceSerial: string; channelNo: number };
  let proxy: ReverseProxy;
  const sockets: WebSocket[] = [];

  beforeAll(async () => {
    const env = { VEDETTE_HTTP: '1', VEDETTE_TRUSTED_PROXIES: PROXY_ADDRESS };
    [product, virtual] = await Promise.all([Product.start({ env }), startVirtualSite(['--cameras', '1'])]);
    const operator = await product.setUp(...OPERATOR);
    const [first] = await addAll(operator, virtual.devices);
    channel = first ?? { deviceSerial: '', channelNo: 1 };
    await operator.ok('cdn/provider/save', { providerName: 'Origin', kind: 'origin', validMinutes: 60 });
  }, 240_000);
  afterAll(async () => {
    await Promise.all([product?.stop(), virtual?.stop()]);
  });

  const request = async (path: string, { method = 'GET', body, headers = {} }: Wish = {}): Promise<Answer> => {
    const options: https.RequestOptions = {
      host: '127.0.0.1',
      port: proxy.port,
      localAddress: BROWSER_ADDRESS,
      servername: PROXY_HOST,
      ca: proxy.authority,
      agent: false,
      path,
      method,
      headers: { host: PROXY_HOST, origin: ORIGIN, ...headers },
    };
    const sent = https.request(options);
    sent.end(body);
    return await answerOf(sent);
  };

  const call = async <P extends CallPath>(path: P, input: CallInput<P>, headers: http.OutgoingHttpHeaders = {}) => {
    const body = Buffer.from(JSON.stringify(input));
    const all = { 'content-type': 'application/json', 'content-length': body.length, ...headers };
    const answer = await request(`/api/v1/${path}`, { method: 'POST', body, headers: all });
    const { code, data } = JSON.parse(answer.body.toString()) as { code: number; data: CallOutput<P> };
    expect([path, answer.status, code]).toEqual([path, 200, 200]);
    return data;
  };

  const signIn = async (): Promise<http.OutgoingHttpHeaders> => {
    const [account, password] = OPERATOR;
    const { accessToken } = await call('account/login', { account, password, browserId: 'test', clientType: 'web' });
    return { authorization: `Bearer ${accessToken}` };
  };

  const open = async (path: string): Promise<WebSocket> => {
    // ws passes them on to the TLS socket, which its types do not say.
    const options: WebSocket.ClientOptions & ConnectionOptions & { readonly localAddress: string } = {
      ca: proxy.authority,
      servername: PROXY_HOST,
      localAddress: BROWSER_ADDRESS,
      headers: { host: PROXY_HOST, origin: ORIGIN },
    };
    const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}${path}`, options);
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'open');
    return socket;
  };

  describe.each(PROXIES)('%s', (name) => {
    beforeAll(async () => {
      proxy = await ReverseProxy.start(name, new URL(product.url).host.replace('localhost', '127.0.0.1'));
    });
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.terminate();
    });
    afterAll(async () => {
      await proxy?.stop();
    });

    it('redirects to HTTPS, and passes pages on with their policy', async () => {
      const plain = http.request({
        host: '127.0.0.1',
        port: proxy.plainPort,
        path: '/login',
        headers: { host: PROXY_HOST },
      });
      plain.end();
      const { status, headers } = await answerOf(plain);
      expect([301, 308]).toContain(status);
      expect(headers.location).toBe(`${ORIGIN}/login`);
      const page = await request('/login');
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers['content-security-policy']).toContain(`wss://${PROXY_HOST}`);
      expect((await request('/docs/index.html')).status).toBe(200);
    });

    it('tells whose address it is, and nothing that the browser invents', async () => {
      const forged = { 'x-forwarded-for': '198.51.100.6', 'x-real-ip': '198.51.100.6', forwarded: 'for=198.51.100.6' };
      for (const headers of [{}, forged])
        expect((await call('server/version', {}, headers)).clientIp).toBe(BROWSER_ADDRESS);
      // Nobody else may speak for others: not even from this machine.
      const past = http.request(`${product.url}/api/v1/server/version`, {
        method: 'POST',
        localAddress: BROWSER_ADDRESS,
        host: '127.0.0.1',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.6' },
      });
      past.end('{}');
      const { body } = await answerOf(past);
      expect(JSON.parse(body.toString())).toMatchObject({ code: 200, data: { clientIp: BROWSER_ADDRESS } });
    });

    it('signs in, and passes events on', async () => {
      const { authorization } = await signIn();
      const socket = await open('/ws');
      const heard: { type: string }[] = [];
      socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString()) as { type: string }));
      socket.send(JSON.stringify({ type: 'hello', accessToken: String(authorization).replace('Bearer ', '') }));
      await waitFor('the welcome', () => heard.some(({ type }) => type === 'welcome'));
      const { deviceSerial } = channel;
      await call(
        'device/update',
        { deviceSerial, deviceName: `Behind ${name}` },
        { authorization: authorization ?? '' },
      );
      await waitFor('an event', () => heard.some(({ type }) => type === 'event'));
    });

    it('passes live video on as it is made', async () => {
      const { ticket, forwardUrl } = await call('media/url', { ...channel, quality: 0 }, await signIn());
      expect(forwardUrl).toMatch(new RegExp(`^wss://${PROXY_HOST}/media/live`, 'u'));
      const socket = await open('/media/live');
      const arrivedAt: number[] = [];
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary && data[0] === LIVE_KIND.videoFragment && data.length > LIVE_HEADER_BYTES)
          arrivedAt.push(performance.now());
      });
      socket.send(JSON.stringify({ type: 'subscribe', id: 1, ticket, audio: false }));
      await waitFor('three seconds of frames', () => (arrivedAt.at(-1) ?? 0) - (arrivedAt[0] ?? 0) > 3000, 60_000);
      // Of a buffering proxy whole seconds would come at once.
      const second = arrivedAt.filter((at) => at > (arrivedAt.at(-1) ?? 0) - 2000);
      const longest = Math.max(...second.slice(1).map((at, index) => at - (second[index] ?? at)));
      expect(second.length).toBeGreaterThan(10);
      expect(longest).toBeLessThan(1000);
    }, 120_000);

    it('passes Low-Latency HLS on: a blocked reload is answered with the part that it waited for', async () => {
      const headers = await signIn();
      const { url } = await call('cdn/live/get', { ...channel, protocol: 1 }, headers);
      const { liveId } = (await call('cdn/live/start', { url }, headers)) as { liveId: string };
      const path = new URL(url).pathname;
      expect(url.startsWith(ORIGIN)).toBe(true);
      const playlist = await waitFor(
        'a playlist',
        async () => {
          const { status, body } = await request(path);
          return status === 200 && body.includes('#EXT-X-PART:') && body.toString();
        },
        60_000,
      );
      expect(brokenRules(playlist)).toEqual([]);
      const first = Number(/MEDIA-SEQUENCE:(\d+)/u.exec(playlist)?.[1]);
      const next = first + [...playlist.matchAll(/#EXTINF/gu)].length + 1;
      const blocked = await request(`${path}?_HLS_msn=${next}&_HLS_part=0`);
      expect([blocked.status, blocked.body.toString().includes('#EXT-X-PART:')]).toEqual([200, true]);
      const segment = /URI="([^"]+\.m4s)"/u.exec(blocked.body.toString())?.[1] ?? '';
      expect((await request(path.replace('live.m3u8', segment))).body.length).toBeGreaterThan(1000);
      await call('cdn/live/stop', { liveId }, headers);
    }, 120_000);

    it('takes an upload of twenty megabytes whole', async () => {
      const file = randomBytes(FIRMWARE_BYTES);
      const body = Buffer.concat([
        Buffer.from(field('deviceModel', 'Model') + field('version', '2.0.0') + fileHead('firmware.bin')),
        file,
        Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
      ]);
      const headers = {
        ...(await signIn()),
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': body.length,
      };
      const answer = await request('/upload/firmware', { method: 'POST', body, headers });
      const { code, data } = JSON.parse(answer.body.toString()) as { code: number; data: { sha256: string } };
      expect([answer.status, code]).toEqual([200, 200]);
      expect(data.sha256).toBe(createHash('sha256').update(file).digest('hex'));
    }, 120_000);
  });
});

const BOUNDARY = 'boundary-of-the-test';

function field(name: string, value: string): string {
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

function fileHead(name: string): string {
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
}

async function answerOf(sent: http.ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) };
}
