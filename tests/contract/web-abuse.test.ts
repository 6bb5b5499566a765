// Web attacks over HTTP and /ws: foreign origins, frames, forged forms, tokens of the wrong kind.
import { createHash } from 'node:crypto';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HELLO_TIMEOUT_MS } from '@vedette/contract/calls/page-events.ts';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { goodInputs } from './good-inputs.ts';
import { type InputFixture, createInputFixture } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let stranger: CallClient;
let stage: InputFixture;
/** Opened at the beginning, and never says a word. */
let silent: Promise<{ readonly code: number; readonly afterMs: number }>;
const consoleFolder = mkdtempSync('/tmp/vdt-console-');
const paths = Object.keys(goodInputs) as CallPath[];
const JSON_TYPE = { 'content-type': 'application/json' };

beforeAll(async () => {
  mkdirSync(join(consoleFolder, 'assets'));
  for (const page of ['index.html', 'client.html']) writeFileSync(join(consoleFolder, page), '<p>page</p>');
  writeFileSync(join(consoleFolder, 'assets', 'a-1.js'), 'export {};');
  server = await ServerUnderTest.start({ VEDETTE_CONSOLE: consoleFolder });
  silent = staySilent();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  stage = await createInputFixture(server, operator, site);
  await operator.ok('user/add', { username: 'stranger', password: 'Secret-1', userType: 2 });
  stranger = await server.signIn('stranger', 'Secret-1');
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
  rmSync(consoleFolder, { recursive: true, force: true });
});

function staySilent() {
  const socket = server.webSocket('/ws');
  const openedAt = new Promise<number>((resolve) => socket.on('open', () => resolve(performance.now())));
  return new Promise<{ code: number; afterMs: number }>((resolve) => {
    socket.on('close', async (code) => resolve({ code, afterMs: performance.now() - (await openedAt) }));
  });
}

function open(messages: readonly unknown[], headers: Record<string, string> = {}) {
  const heard: string[] = [];
  const socket = server.webSocket('/ws', headers);
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  socket.on('error', () => undefined);
  socket.on('message', (raw: Buffer) => heard.push(raw.toString('utf8')));
  socket.on('open', () => {
    for (const message of messages) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  });
  return { heard, socket, closed };
}

const hello = (client: CallClient, more: object = {}) => ({ type: 'hello', accessToken: client.accessToken, ...more });

describe('[SE-83] the event socket and other origins', () => {
  const own = { host: 'localhost:8443' };

  it('accepts pages of its own origin alone, and no token but that of the first message', async () => {
    const near = [
      'https://localhost:8443.evil.example',
      'https://localhost',
      'http://127.0.0.1:8443',
      'null',
      '',
      'file://',
    ];
    for (const origin of ['https://evil.example', ...near]) {
      expect(await open([hello(operator)], { ...own, origin }).closed, origin).toBe(1006);
    }
    const taken = open([hello(operator)], { ...own, origin: 'https://localhost:8443' });
    await waitFor('the welcome', () => taken.heard.length > 0);
    taken.socket.close();
    const elsewhere = {
      ...own,
      authorization: `Bearer ${operator.accessToken}`,
      cookie: `token=${operator.accessToken}`,
    };
    const socket = server.webSocket(`/ws?token=${operator.accessToken}`, elsewhere);
    const heard: string[] = [];
    socket.on('message', (raw: Buffer) => heard.push(raw.toString('utf8')));
    socket.on('open', () => socket.send('{"type":"ping"}'));
    const later = open([hello(operator)]);
    await waitFor('the welcome elsewhere', () => later.heard.length > 0);
    later.socket.send('{"type":"ping"}');
    await waitFor('a pong elsewhere', () => later.heard.some((text) => text.includes('pong')));
    expect(heard).toEqual([]);
    for (const one of [socket, later.socket]) one.close();
  });
});

describe('[SE-84] the event socket and foreign data', () => {
  it('sends own events only: no subscription, no wildcard, no number of another account', async () => {
    const { deviceSerial } = stage;
    for (const wish of [
      { type: 'subscribe', deviceSerial },
      { type: 'subscribe', topic: '*' },
      { type: 'event', seq: 1, event: { kind: 'rightsChanged' } },
      { type: 'end', code: 1001 },
      [hello(stranger)],
      '{"type":"hello","accessToken":{"length":43}}',
      '{"type":"hello","__proto__":{"accessToken":"x"}}',
    ]) {
      expect(await open([hello(stranger), wish]).closed, JSON.stringify(wish)).toBe(4400);
    }
    const more = { userId: stage.userId, deviceSerial: '*', organizationId: stage.organizationId, action: null };
    const ears = [{}, { since: 0 }, { since: -1 }, { since: 1e300 }, more].map((extra) =>
      open([hello(stranger, extra)]),
    );
    await waitFor('all welcomes', () => ears.every(({ heard }) => heard.length > 0));
    await site.reportEvent(deviceSerial, { topic: 'tns1:VideoSource/MotionAlarm', key: 'seen' });
    for (const { socket } of ears) socket.send('{"type":"ping"}');
    await waitFor('all pongs', () => ears.every(({ heard }) => heard.some((text) => text.includes('pong'))));
    for (const { heard } of ears) expect(heard.filter((text) => text.includes('"event"'))).toEqual([]);
    for (const { socket } of ears) socket.close();
  });
});

describe('[SE-89] frames', () => {
  it('no response may be framed by another page', async () => {
    const gets = ['/', '/login', '/client.html', '/homepage/liveVideo', '/oauth2/authorize', '/guest', '/no/such/page'];
    const others = ['/assets/a-1.js', '/assets/missing.js', '/serverConfig.json', '/healthz', '/readyz', '/metrics'];
    const described = ['/api/docs', '/api/openapi.json', '/api/nothing', '/documents/privacy/en', '/%00', '/a.php'];
    const asked = [...gets, ...others, ...described].map((path) => ({ method: 'GET', path, headers: {}, body: '' }));
    const post = (path: string, body: string, headers: object = JSON_TYPE) => ({ method: 'POST', path, headers, body });
    const posts = [
      post('/api/v1/server/version', '{}'),
      post('/api/v1/server/version', '{'),
      post('/api/v1/server/version', 'a=1', { 'content-type': 'text/plain' }),
      post('/api/v1/server/version', '{}', { ...JSON_TYPE, origin: 'https://evil.example' }),
      post('/api/v1/nothing', '{}'),
      post('/upload/firmware', 'x', { 'content-type': 'multipart/form-data; boundary=x' }),
    ];
    for (const request of [...asked, ...posts]) {
      const { headers } = await server.send(request as Parameters<ServerUnderTest['send']>[0]);
      const where = `${request.method} ${request.path}`;
      expect(headers['x-frame-options'], where).toBe('DENY');
      expect(headers['content-security-policy'], where).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options'], where).toBe('nosniff');
    }
  });
});

describe('[SE-91] forged forms', () => {
  const target = '/api/v1/org/add';
  const body = JSON.stringify({ organizationName: 'Forged' });

  it('[GO-14] (Frigate CVE-2023-45670) form posts and links of another origin change nothing', async () => {
    const { total } = await operator.ok('org/list', {});
    const token = { authorization: `Bearer ${operator.accessToken}` };
    const cookie = { cookie: `token=${operator.accessToken}; accessToken=${operator.accessToken}` };
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain; application/json',
    ];
    for (const type of types) {
      const { status } = await server.send({
        method: 'POST',
        path: target,
        headers: { 'content-type': type, ...token },
        body,
      });
      expect([400, 415], `${type} answered ${status}`).toContain(status);
    }
    const crossed = { ...JSON_TYPE, ...token, origin: 'https://evil.example' };
    expect((await server.send({ method: 'POST', path: target, headers: crossed, body })).status).toBe(403);
    // A browser sends cookies by itself; nothing here reads one or sets one.
    const byCookie = await server.send({ method: 'POST', path: target, headers: { ...JSON_TYPE, ...cookie }, body });
    expect(JSON.parse(byCookie.body)).toMatchObject({ code: 1001 });
    const override = { 'x-http-method-override': 'POST', 'x-method-override': 'POST', ...token };
    for (const method of ['GET', 'PUT', 'HEAD', 'OPTIONS', 'TRACE']) {
      const { status, headers } = await server.send({
        method,
        path: `${target}?_method=POST&organizationName=Forged`,
        headers: override,
      });
      expect([404, 405], `${method} answered ${status}`).toContain(status);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect((await operator.ok('org/list', {})).total).toBe(total);
    for (const path of ['/', '/api/v1/server/version', '/serverConfig.json']) {
      expect((await server.send({ path })).headers['set-cookie'], path).toBeUndefined();
    }
  });
});

describe('[SE-11] a token of the wrong kind', () => {
  it('no ticket, link, invitation, key or code works as a session, or in place of another', async () => {
    const one = { deviceSerial: stage.deviceSerial, channelNo: 1 };
    const live = await operator.ok('media/url', one);
    const { url } = await operator.ok('capture/get', one);
    const { registrationCode } = await operator.ok('site/code', { siteId: stage.siteId });
    const { token } = await operator.ok('event/key/add', { name: 'Door' });
    const words: Record<string, string> = {
      liveTicket: live.ticket,
      stillTicket: url.split('/').at(-1) ?? '',
      invitation: stage.invitationToken,
      guestLink: stage.linkId,
      ingestKey: token,
      siteCode: registrationCode,
      setupSecret: stage.setupSecret,
      sessionId: stage.sessionId,
    };
    for (const word of Object.values(words)) expect(word.length).toBeGreaterThan(5);
    // The long run asks every call with each; else each call meets one of them.
    const closed = paths.filter((path) => calls[path].permission.kind !== 'public');
    for (const [index, [kind, word]] of Object.entries(words).entries()) {
      const holder = server.client(word);
      const codes = await Promise.all(
        closed
          .filter((_path, at) => isLongRun || at % Object.keys(words).length === index)
          .map(async (path) => (await holder.raw(path, goodInputs[path](stage))).code),
      );
      expect(new Set(codes), kind).toEqual(new Set([1001]));
    }
    const session = operator.accessToken ?? '';
    const nobody = server.client();
    for (const [kind, word] of Object.entries({ ...words, session })) {
      if (kind !== 'invitation')
        expect((await nobody.call('user/invitation/open', { token: word })).code, kind).toBe(1007);
      if (kind !== 'guestLink') expect((await nobody.call('share/link/open', { linkId: word })).code, kind).toBe(1007);
      if (kind !== 'ingestKey') {
        const answer = await server.client(word).raw('event/ingest', goodInputs['event/ingest'](stage));
        expect(answer.code, kind).toBe(1001);
      }
    }
    // A session is no ticket: the site is told of the hash of a ticket alone.
    const hashes = [...site.tickets.values()].map(({ ticketHash }) => ticketHash);
    expect(hashes).toContain(createHash('sha256').update(live.ticket).digest('hex'));
    for (const word of [session, stage.linkId])
      expect(hashes).not.toContain(createHash('sha256').update(word).digest('hex'));
    await runSql(server, 'delete from attempt');
  });
});

describe('[SE-03] unknown account names', () => {
  it('repeated sharing or transfer to unknown names is refused, whether the next exists or not', async () => {
    const order = { target: 'rtsp://198.51.100.77/1', deviceName: 'Bait' };
    const { deviceSerial } = (await stranger.ok('device/add', order)).device;
    const give = async (account: string) =>
      (await stranger.call('share/add', { account, items: [{ deviceSerial }], permission: ['talk'] })).code;
    const transfer = async (account: string) =>
      (await stranger.call('device/transfer', { deviceSerial, account })).code;
    for (let count = 0; count < 15; count += 1) {
      expect([await give(`nobody${count}`), await transfer(`noone${count}`)]).toEqual([1007, 1007]);
    }
    for (const ask of [give, transfer]) expect([await ask('nobody'), await ask('operator')]).toEqual([1005, 1005]);
    // Nobody else is held up.
    const items = [{ deviceSerial: stage.deviceSerial }];
    const other = await operator.call('share/add', { account: 'nobody', items, permission: ['talk'] });
    expect(other.code).toBe(1007);
    await runSql(server, 'delete from attempt');
  });
});

describe('[SE-14] a sliding session', () => {
  it('ten parallel tabs stay signed in with one token', async () => {
    const tab = await server.signIn('stranger', 'Secret-1');
    const { sessionList } = await tab.ok('account/session/list', {});
    const { sessionId } = sessionList.find((session) => session.isCurrent) ?? { sessionId: '' };
    const soon = Date.now() + 60_000;
    await runSql(
      server,
      `update session set expires_at = ${soon}, last_used_at = ${soon - 1_000_000} where session_id = '${sessionId}'`,
    );
    const answers = await Promise.all(Array.from({ length: 10 }, () => tab.call('token/check', {})));
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200]));
    expect(answers.every(({ data }) => data.expireTime > soon)).toBe(true);
    expect((await tab.ok('account/session/list', {})).total).toBe(sessionList.length);
  });
});

it('[SE-83] a socket silent for five seconds is closed', async () => {
  const { code, afterMs } = await silent;
  expect(code).toBe(4401);
  expect(afterMs).toBeGreaterThan(HELLO_TIMEOUT_MS - 500);
});

it('[SE-98] none of this put a secret into the log', () => {
  const log = server.log.join('\n');
  for (const word of [
    operator.accessToken,
    stranger.accessToken,
    stage.invitationToken,
    stage.linkId,
    'Secret-1',
    'Watch-2026',
  ]) {
    expect(log).not.toContain(word);
  }
});
