// Every address, upgrade, media path, message and topic of the product stands under a rule; one that does not makes this red.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WEB_TOPICS } from '@vedette/bridge/topics/web-topics.ts';
import { calls } from '@vedette/contract/calls/calls.ts';
import { readSiteMessage } from '@vedette/contract/site/site-messages.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesBelow } from '../project/source-files.ts';
import {
  OPEN_TOPICS,
  PAGE_MESSAGE_RULES,
  ROUTE_RULES,
  type RouteRule,
  SITE_MESSAGE_RULES,
  ROUTED_RULES,
} from './route-rules.ts';
import { type RawAnswer, ServerUnderTest } from './server-under-test.ts';

interface Route {
  readonly method: string;
  readonly url: string;
}

const RECORDER = new URL('./route-recorder.js', import.meta.url).pathname;
const PLANTED = '/api/v1/device/everything';
const folder = mkdtempSync(join(tmpdir(), 'vedette-routes-'));

let server: ServerUnderTest;
let routes: Route[];

/** As a started server registers them. */
async function startedWith(name: string, planted: string): Promise<{ server: ServerUnderTest; routes: Route[] }> {
  const file = join(folder, name);
  const options = [process.env['VEDETTE_MUTANT_OPTIONS'] ?? '', `--import=${RECORDER}`].join(' ').trim();
  const env = { NODE_OPTIONS: options, VEDETTE_ROUTES: file, VEDETTE_PLANTED: planted };
  const started = await ServerUnderTest.start(env);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return { server: started, routes: lines.map((line) => JSON.parse(line) as Route) };
}

beforeAll(async () => {
  ({ server, routes } = await startedWith('routes', ''));
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function callOf({ url }: Route): keyof typeof calls | null {
  const path = url.startsWith('/api/v1/') ? url.slice('/api/v1/'.length) : '';
  return path in calls ? (path as keyof typeof calls) : null;
}

const hasNoRule = (route: Route): boolean => callOf(route) === null && ROUTE_RULES[route.url] === undefined;

describe('[GO-10] [SE-19] an address of the server', () => {
  it('is a call with a permission, or stands in the table', () => {
    expect(routes.length).toBeGreaterThan(300);
    expect(routes.filter(hasNoRule)).toEqual([]);
    // A call has its own address under POST alone.
    expect(routes.filter((route) => callOf(route) !== null && route.method !== 'POST')).toEqual([]);
    const registered = new Set(routes.map(callOf));
    expect(Object.keys(calls).filter((path) => !registered.has(path as keyof typeof calls))).toEqual([]);
  });

  it('that nobody declared is found', async () => {
    const planted = await startedWith('planted', PLANTED);
    await planted.server.stop();
    expect(planted.routes.filter(hasNoRule)).toEqual([{ method: 'GET', url: PLANTED }]);
  });

  it('keeps to its rule', async () => {
    const ends: Readonly<Record<RouteRule, (answer: RawAnswer) => boolean>> = {
      everybody: ({ status, body }) => status !== 401 && status !== 403 && !body.includes('"code":1001'),
      token: ({ body }) => body.includes('"code":1001'),
      thisMachine: ({ status }) => status === 404,
      oauth: ({ status, headers }) => status >= 400 || headers.location?.startsWith('/oauth2/') === true,
    };
    const outside = { 'x-vedette-loopback': '0', 'x-forwarded-proto': 'https' };
    const wrong: unknown[] = [];
    for (const { method, url } of routes.filter((route) => callOf(route) === null)) {
      // What is read alone is asked for by GET.
      if (['HEAD', 'OPTIONS', 'TRACE', 'QUERY'].includes(method)) continue;
      const path = url.replace('*', 'missing').replace(/:\w+/gu, 'missing');
      const type = url === '/upload/firmware' ? 'multipart/form-data; boundary=x' : 'application/octet-stream';
      const answer = await server.send({ method, path, headers: { ...outside, 'content-type': type } });
      const rule = ROUTE_RULES[url] ?? 'token';
      if (!ends[rule](answer)) wrong.push([method, url, rule, answer.status, answer.body.slice(0, 80)]);
    }
    expect(wrong).toEqual([]);
  });
});

/** Addresses that are routed by hand, as the sources say. */
function routedIn(text: string): string[] {
  const compared = [...text.matchAll(/\bpath === '(\/[\w./]+)'/gu), ...text.matchAll(/\bLIVE_PATH = '([^']+)'/gu)];
  const tables = [...text.matchAll(/\bonUpgrade: \{([^}]*)\}/gu)].flatMap(([, rows = '']) => [
    ...rows.matchAll(/(?:'([^']+)'|\[(\w+)\]):/gu),
  ]);
  return [...compared, ...tables].map(([, literal, name]) => literal ?? name ?? '');
}

/** Paths of media, those of RTSP too, as patterns. */
function mediaPathsIn(text: string): string[] {
  return [...text.matchAll(/\/\^(\\\/[^\n]+?)\/[a-z]*(?:;|\.exec\(|\.test\()/gu)].map(([, pattern = '']) => pattern);
}

describe('[GO-10] beside the server', () => {
  const listening = ['gateway', 'site', 'server/http', 'media'].flatMap((room) =>
    filesBelow(room, /\.ts$/u).filter(({ name }) => !/\.(?:test|fake)\.ts$/u.test(name)),
  );

  it('each upgrade and each page that is routed by hand has a rule', () => {
    const found = new Set(listening.flatMap(({ text }) => routedIn(text)));
    expect([...found].sort()).toEqual(Object.keys(ROUTED_RULES).sort());
    expect(routedIn("onUpgrade: { '/media/raw': raw }")).toEqual(['/media/raw']);
  });

  it('each path of media names a ticket', () => {
    const isTicketed = (pattern: string): boolean => /(?:\[\\w-\]|\[A-Za-z0-9_-\])\{16,128\}/u.test(pattern);
    const patterns = listening
      .filter(({ name }) => !name.startsWith('server/'))
      .flatMap(({ text }) => mediaPathsIn(text));
    expect(patterns.length).toBeGreaterThan(6);
    expect(patterns.filter((pattern) => !isTicketed(pattern))).toEqual([]);
    // One that was planted is found.
    expect(mediaPathsIn(String.raw`const PATH = /^\/media\/raw\/(.+)$/;`).map(isTicketed)).toEqual([false]);
  });

  it('each message of a site and of a page is of a kind with a rule', () => {
    for (const type of ['rows', 'call', 'ack', '__proto__', '']) expect(readSiteMessage({ type })).toBeNull();
    expect(Object.keys(SITE_MESSAGE_RULES).sort()).toEqual(['answer', 'direct', 'event', 'hello']);
    expect(Object.keys(PAGE_MESSAGE_RULES).sort()).toEqual(['hello', 'ping']);
  });

  it('each topic that a shell may ask of a page needs somebody signed in, or is listed', () => {
    const open = Object.entries(WEB_TOPICS).filter(([, { right }]) => right === 'none');
    expect(open.map(([name]) => name).sort()).toEqual([...OPEN_TOPICS].sort());
  });
});
