// HTTP around the calls: methods, bodies, origins, headers, OpenAPI, health, the console's files, /ws.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '@vedette/contract/calls/calls.ts';
import { EVENT_HEADER } from '@vedette/contract/calls/page-events.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let site: ScriptedSite;
const consoleFolder = mkdtempSync('/tmp/vdt-console-');
const JSON_TYPE = { 'content-type': 'application/json' };

beforeAll(async () => {
  mkdirSync(join(consoleFolder, 'assets'));
  writeFileSync(join(consoleFolder, 'index.html'), '<script nonce="__CSP_NONCE__" src="/assets/a-1.js"></script>web');
  writeFileSync(join(consoleFolder, 'client.html'), '<style nonce="__CSP_NONCE__"></style>client');
  writeFileSync(join(consoleFolder, 'assets', 'a-1.js'), 'export {};');
  writeFileSync(join(consoleFolder, 'icon.svg'), '<svg/>');
  mkdirSync(join(consoleFolder, 'docs', 'operations'), { recursive: true });
  writeFileSync(join(consoleFolder, 'docs', 'index.html'), '<h1>Documentation</h1>');
  writeFileSync(join(consoleFolder, 'docs', 'operations', 'install.html'), '<h1>Install</h1>');
  server = await ServerUnderTest.start({ VEDETTE_CONSOLE: consoleFolder });
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
  rmSync(consoleFolder, { recursive: true, force: true });
});

describe('routes', () => {
  const post = (path: string, body: string, headers: Record<string, string> = JSON_TYPE) =>
    server.send({ method: 'POST', path, headers, body });

  it('[SE-19] a call is POST under its exact path; anything else is refused in the envelope', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await server.send({ method, path: '/api/v1/token/check' });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    }
    for (const path of [
      'token/check/',
      'Token/check',
      'token//check',
      'token',
      'nothing/here',
      '../../metrics',
      '__proto__',
    ]) {
      const answer = await post(`/api/v1/${path}`, '{}');
      expect([path, answer.status, JSON.parse(answer.body)]).toEqual([
        path,
        404,
        { code: 1007, message: 'notFound', data: null },
      ]);
    }
  });

  it('[CA-01] a body is JSON of at most 1 MiB', async () => {
    const check = '/api/v1/account/login';
    expect((await post(check, 'x=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await post(check, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
    for (const size of [1024 * 1024, 8 * 1024 * 1024, 8 * 1024 * 1024]) {
      const answer = await post(check, `{"account":"${'x'.repeat(size)}"}`);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([413, { code: 1003, data: { body: 'tooLong' } }]);
    }
    expect(JSON.parse((await post(check, '{"account":')).body)).toMatchObject({ code: 1003, data: { body: 'format' } });
    expect(JSON.parse((await post(check, '')).body)).toMatchObject({ code: 1003, data: { body: 'required' } });
    expect(JSON.parse((await post(check, '{"__proto__":{"a":1}}')).body)).toMatchObject({ code: 1003 });
    const named = JSON.parse((await post('/api/v1/server/version', '{"constructor":1}')).body) as object;
    expect(named).toMatchObject({ code: 1003, data: { constructor: 'unknownField' } });
  });

  it('[SE-48] pages of another origin may not call, and get no CORS header', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:8443.evil.example', 'http://localhost']) {
      const answer = await post('/api/v1/server/version', '{}', { ...JSON_TYPE, origin });
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
    const own = await post('/api/v1/server/version', '{}', { ...JSON_TYPE, origin: 'http://localhost:8443' });
    expect(own.status).toBe(200);
    expect(own.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('[SE-47] responses are not cached or sniffed, and send no referrer', async () => {
    const answer = await post('/api/v1/server/version', '{}');
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    expect(JSON.parse(answer.body)).toMatchObject({ data: { clientIp: '192.0.2.7' } });
  });
});

describe('descriptions and health', () => {
  it('[SE-19] OpenAPI, the page of the calls and the contract list the same calls', async () => {
    const { body } = await server.send({ path: '/api/openapi.json' });
    const description = JSON.parse(body) as {
      openapi: string;
      paths: Record<string, { post: { security: unknown[] } }>;
    };
    expect(description.openapi).toBe('3.1.0');
    expect(Object.keys(description.paths).sort()).toEqual(
      Object.keys(calls)
        .map((path) => `/${path}`)
        .sort(),
    );
    expect(description.paths['/account/login']?.post.security).toEqual([]);
    expect(description.paths['/device/list']?.post.security).not.toEqual([]);
    const page = await server.send({ path: '/api/docs' });
    for (const path of Object.keys(calls)) expect(page.body).toContain(`id="${path}"`);
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'/);
  });

  it('[EN-08] the server configuration is read by GET', async () => {
    const { body } = await server.send({ path: '/serverConfig.json' });
    expect(Object.keys(JSON.parse(body) as object).sort()).toEqual(
      [
        'isOverseasFlag',
        'isNoBrandFlag',
        'isCaptcha',
        'captchaAppId',
        'captchaPath',
        'apiURL',
        'oldWebsite',
        'centerServer',
      ].sort(),
    );
  });

  it('[SE-51] health reveals little, and metrics are served to this machine alone', async () => {
    expect((await server.send({ path: '/healthz' })).status).toBe(200);
    expect((await server.send({ path: '/readyz' })).body).toBe('{"state":"ready","missing":[]}');
    expect((await server.send({ path: '/metrics' })).body).toContain(
      'vedette_call_duration_seconds_count{call="account/setup",code="200"} 1',
    );
    expect((await server.send({ path: '/metrics', headers: { 'x-vedette-loopback': '0' } })).status).toBe(404);
  });
});

describe('the console', () => {
  it('[RT-01] [RT-02] [SE-87] every console route serves the entry page with a fresh nonce; missing files answer 404', async () => {
    const nonces = new Set<string>();
    for (const path of [
      '/',
      '/login',
      '/homepage/liveVideo?x=1',
      '/oauth2/authorize',
      '/index.html',
      '/no/such/page',
    ]) {
      const answer = await server.send({ path });
      expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      const nonce = /nonce="([^"]+)"/.exec(answer.body)?.[1] ?? '';
      expect(answer.headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonce}'`);
      expect(answer.headers['content-security-policy']).not.toMatch(/unsafe|127\.0\.0\.1/);
      expect(answer.headers['cache-control']).toBe('no-store');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(6);
    const client = await server.send({ path: '/client.html' });
    expect(client.body).toContain('client');
    expect(client.headers['content-security-policy']).toMatch(/connect-src [^;]* http:\/\/127\.0\.0\.1:9999;/);
    for (const path of ['/assets/missing.js', '/favicon.ico', '/api/nothing', '/media/nothing']) {
      expect([path, (await server.send({ path })).status]).toEqual([path, 404]);
    }
  });

  it('offers the documentation to everybody, under a policy that lets it load its own files alone', async () => {
    for (const path of ['/docs', '/docs/']) {
      const { status, headers } = await server.send({ path });
      expect([path, status, headers['location']]).toEqual([path, 302, '/docs/index.html']);
    }
    for (const path of ['/docs/index.html', '/docs/operations/install.html']) {
      const answer = await server.send({ path });
      expect([path, answer.status, answer.body.slice(0, 4)]).toEqual([path, 200, '<h1>']);
      expect(answer.headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(answer.headers['cache-control']).toBe('no-cache');
    }
    for (const path of ['/docs/operations', '/docs/nothing', '/docs/operations/missing.html'])
      expect([path, (await server.send({ path })).status]).toEqual([path, 404]);
  });

  it('[SE-75] hashed assets are immutable, other files are revalidated, and nothing outside the folder is served', async () => {
    const asset = await server.send({ path: '/assets/a-1.js' });
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await server.send({ path: '/icon.svg' })).headers['cache-control']).toBe('no-cache');
    for (const path of [
      '/assets/../../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%2f..%2fetc/passwd',
      '/assets/%00',
    ]) {
      const answer = await server.send({ path });
      expect(answer.body).not.toContain('root:');
    }
  });
});

interface Heard {
  readonly type: string;
  readonly seq?: number;
  readonly event?: { readonly kind: string; readonly status?: number };
}

describe('the event socket', () => {
  function listen(hello: object, headers: Record<string, string> = {}) {
    const heard: Heard[] = [];
    const socket = server.webSocket('/ws', headers);
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8')) as Heard));
    socket.on('open', () => socket.send(JSON.stringify(hello)));
    return { heard, socket, closed };
  }

  it('[SE-08] [SE-48] refuses unauthenticated sockets, invalid messages and foreign origins', async () => {
    const bad = listen({ type: 'hello', accessToken: 'guess' });
    expect(await bad.closed).toBe(4401);
    expect(bad.heard).toEqual([{ type: 'end', code: 1001 }]);
    expect(await listen({ type: 'nonsense' }).closed).toBe(4400);
    expect(await listen({ type: 'hello' }, { origin: 'https://evil.example', host: 'localhost:8443' }).closed).toBe(
      1006,
    );
  });

  it('pushes the status of a device, resumes without a gap, and resets after too many missed events', async () => {
    const { device } = await operator.ok('device/add', { target: 'rtsp://192.0.2.40/1', deviceName: 'Pushed' });
    const { deviceSerial } = device;
    const hello = { type: 'hello', accessToken: operator.accessToken };
    const first = listen(hello);
    const welcome = await waitFor('the welcome', () => first.heard.find((one) => one.type === 'welcome'));
    const report = (status: 0 | 1) =>
      site.report({
        kind: 'deviceStatus',
        deviceSerial,
        status,
        reason: status === 0 ? 'timeout' : null,
        at: Date.now(),
      });
    const seq = report(1);
    await waitFor('the status', () => first.heard.some((one) => one.event?.status === 1));
    await waitFor('the acknowledgement', () => site.acknowledged.includes(seq));
    first.socket.close();
    await first.closed;
    const missed = report(0);
    await waitFor('the acknowledgement', () => site.acknowledged.includes(missed));
    const again = listen({ ...hello, since: welcome.seq });
    await waitFor('both statuses', () => again.heard.filter((one) => one.event?.kind === 'deviceStatus').length === 2);
    expect(again.heard.map((one) => one.event?.status).filter((one) => one !== undefined)).toEqual([1, 0]);
    again.socket.close();
    for (const since of [1, Number.MAX_SAFE_INTEGER]) {
      const late = listen({ ...hello, since });
      await waitFor('the reset', () => late.heard.some((one) => one.type === 'reset'));
      late.socket.close();
    }
  });

  it('every response names its event number: a page that starts there misses nothing', async () => {
    const { device } = await operator.ok('device/add', { target: 'rtsp://192.0.2.42/1', deviceName: 'Between' });
    const headers = { ...JSON_TYPE, authorization: `Bearer ${operator.accessToken}` };
    const answer = await server.send({ method: 'POST', path: '/api/v1/device/list', headers, body: '{}' });
    const since = Number(answer.headers[EVENT_HEADER]);
    expect(since).toBeGreaterThan(0);
    const { deviceSerial } = device;
    const between = site.report({ kind: 'deviceStatus', deviceSerial, status: 1, reason: null, at: Date.now() });
    await waitFor('the acknowledgement', () => site.acknowledged.includes(between));
    const page = listen({ type: 'hello', accessToken: operator.accessToken, since });
    await waitFor('what came between', () => page.heard.some((one) => one.event?.status === 1));
    expect(page.heard.some((one) => one.type === 'reset')).toBe(false);
    page.socket.close();
  });

  it('[SE-20] pushes nothing of it to an unrelated account', async () => {
    await operator.ok('user/add', { username: 'stranger', password: 'Secret-1', userType: 2 });
    const stranger = await server.signIn('stranger', 'Secret-1');
    const { device } = await operator.ok('device/add', { target: 'rtsp://192.0.2.41/1', deviceName: 'Private' });
    const ear = listen({ type: 'hello', accessToken: stranger.accessToken });
    await waitFor('the welcome', () => ear.heard.length > 0);
    const { deviceSerial } = device;
    const seq = site.report({ kind: 'deviceStatus', deviceSerial, status: 1, reason: null, at: Date.now() });
    await waitFor('the acknowledgement', () => site.acknowledged.includes(seq));
    ear.socket.send(JSON.stringify({ type: 'ping' }));
    await waitFor('the pong', () => ear.heard.some((one) => one.type === 'pong'));
    expect(ear.heard.filter((one) => one.type === 'event')).toEqual([]);
    ear.socket.close();
  });
});

describe('system settings', () => {
  it('are stored, refuse a stale change with the newer, and are sent to the site', async () => {
    const { config, version, addressList } = await operator.ok('system/config/get', {});
    for (const address of addressList) expect(address).toMatch(/^https:\/\/[^/]+:8443$/);
    expect(config.storage.folder).toBe(join(server.dataFolder, 'recordings'));
    const changed = { ...config, network: { cameraNetworks: ['127.0.0.0/8'] } };
    const after = await operator.ok('system/config/set', { config: changed, version });
    expect(after.version).toBe(version + 1);
    expect(site.settings?.cameraNetworks).toEqual(['127.0.0.0/8']);
    const stale = await operator.call('system/config/set', { config, version });
    expect(stale).toMatchObject({ code: 1010, data: { version: version + 1, config: changed } });
    for (const wrong of [
      { ...config, network: { cameraNetworks: ['everything'] } },
      { ...config, storage: { ...config.storage, folder: 'relative' } },
    ]) {
      expect((await operator.call('system/config/set', { config: wrong, version: after.version })).code).toBe(1003);
    }
    expect(await operator.ok('system/health', {})).toMatchObject({ siteOnline: true, storage: { state: 'normal' } });
  });

  it('[SE-101] one entry per change and per viewing, immutable', async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: server.database.url });
    await client.connect();
    const { rows } = await client.query<{ call: string; object: string | null; code: number }>(
      "select call, object, code from audit_log where call in ('device/add', 'account/setup') order by seq",
    );
    expect(rows.map((row) => row.call)).toContain('account/setup');
    expect(rows.filter((row) => row.call === 'device/add').length).toBeGreaterThan(0);
    await expect(client.query('update audit_log set code = 1')).rejects.toThrow('append-only');
    await expect(client.query('delete from audit_log')).rejects.toThrow('append-only');
    await client.end();
  });
});
