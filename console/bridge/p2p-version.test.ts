// Tests of the question for the version of direct connections, against programs that answer on its port with anything else.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type P2pVersion, p2pBuildFor, readP2pVersion } from './p2p-version.ts';

const asked: IncomingMessage[] = [];
let listener: Server | null = null;

afterEach(async () => {
  asked.length = 0;
  const ended = listener;
  listener = null;
  if (ended === null) return;
  ended.closeAllConnections();
  ended.close();
  await once(ended, 'close');
});

/** A real one, on a port that is free here: what is asked, and how, stays as it is. */
async function askOf(answer: RequestListener, answerMs?: number): Promise<P2pVersion | null> {
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  listener = server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return await readP2pVersion((url, options) => {
    expect(new URL(String(url)).origin).toBe('http://127.0.0.1:9999');
    return fetch(String(url).replace(':9999', `:${port}`), options);
  }, answerMs);
}

describe('[SE-92] [BR-03] the version of direct connections', () => {
  it('is read by a request that carries no data', async () => {
    expect(await askOf((_, response) => response.end('2.14.0\n'))).toEqual({ version: '2.14.0', build: null });
    const [{ method, url, headers } = { method: '', url: '', headers: {} }] = asked;
    expect([method, url, asked.length]).toEqual(['GET', '/version', 1]);
    for (const name of ['authorization', 'cookie', 'referer', 'content-length', 'content-type'])
      expect(headers, name).not.toHaveProperty(name);
  });
  it.each([
    ['cn', { isOverseasFlag: false, isNoBrandFlag: false }],
    ['in', { isOverseasFlag: true, isNoBrandFlag: false }],
    ['nb', { isOverseasFlag: true, isNoBrandFlag: true }],
  ] as const)('names the build %s, and which server it belongs to', async (build, environment) => {
    expect(await askOf((_, response) => response.end(`2.14.0-${build}`))).toEqual({ version: '2.14.0', build });
    expect(p2pBuildFor(environment)).toBe(build);
  });
  it.each<[string, RequestListener]>([
    ['a build that does not exist', (_, response) => response.end('1.2.3-us')],
    ['a page', (_, response) => response.end('<script>alert(1)</script>')],
    ['a script in a version', (_, response) => response.end('1.2.3<img src=x onerror=alert(1)>')],
    ['more than a version', (_, response) => response.end(`1.2.3${' '.repeat(100_000)}`)],
    ['JSON', (_, response) => response.end('{"__proto__":{"version":"1.2.3"}}')],
    ['the wish for a password', (_, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end('1.2.3')],
    ['another place', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['nothing', (_, response) => response.writeHead(204).end()],
    ['half a line', ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n1.2')],
  ])('is refused from a program that answers %s', async (_name, answer) => {
    expect(await askOf(answer)).toBeNull();
    expect(asked).toHaveLength(1);
  });
  it.each<[string, RequestListener]>([
    ['without an end', (_, response) => response.write('1.2.3')],
    ['never', () => undefined],
  ])('times out on a program that answers %s', async (_name, answer) => {
    expect(await askOf(answer, 200)).toBeNull();
  });
  it('is absent where nothing listens on the port', async () => {
    expect(await readP2pVersion(() => Promise.reject(new TypeError('fetch failed')))).toBeNull();
  });
});
