// Registration, codes, password reset and captcha, with a real mail server.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let sink: SmtpSink;
let operator: CallClient;
const client = { clientType: 'client' } as const;

beforeAll(async () => {
  [server, sink] = await Promise.all([ServerUnderTest.start(), SmtpSink.start()]);
  operator = await server.setUp();
});
afterAll(async () => {
  await server?.stop();
  await sink?.stop();
});

async function configure(change: object): Promise<void> {
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, ...change }, version });
}

/** Somebody else's service, on a port of its own. */
async function listening(answer: (request: IncomingMessage, body: string) => { status: number; body: string }) {
  const service = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, body } = answer(request, Buffer.concat(chunks).toString());
    response.writeHead(status).end(body);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const close = () => new Promise((resolve) => service.close(resolve));
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Codes may be sent once a minute: tests that send again forget what was sent. */
const forgetSending = () => runSql(server, 'delete from attempt');

const send = (target: string, purpose: 'register' | 'retrieve', more: object = client) =>
  server.client().call('account/verifyCode/send', { target, purpose, ...more });

describe('without a mail server', () => {
  it('[RT-04] offers nothing that needs a code', async () => {
    expect(await server.client().ok('server/version', {})).toMatchObject({ codeTargets: [], canRegister: false });
    expect((await send('ann@example.org', 'register')).code).toBe(1006);
    expect((await operator.call('system/account/test', { target: 'ann@example.org' })).code).toBe(1006);
  });
});

describe('with a mail server', () => {
  beforeAll(async () => {
    await configure({ mail: sink.settings });
  });

  it('[SE-97] stores the password encrypted, returns it to nobody, and refuses a stale change', async () => {
    const before = await operator.ok('system/account/get', {});
    const input = {
      config: before.config,
      version: before.version,
      mailPassword: 'canary-7f3a',
      smsToken: 'canary-sms',
    };
    const after = await operator.ok('system/account/set', input);
    expect(after.secretList).toEqual(['mailPassword', 'smsToken']);
    expect(JSON.stringify(after)).not.toContain('canary');
    const stored = await runSql(server, "select value::text as text from setting where name = 'account'");
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain('canary');
    expect((await operator.call('system/account/set', input)).code).toBe(1010);
    const cleared = await operator.ok('system/account/set', {
      config: after.config,
      version: after.version,
      smsToken: null,
    });
    expect(cleared.secretList).toEqual(['mailPassword']);
  });

  it('sends a test message, and says why when it fails', async () => {
    expect(await operator.ok('system/account/test', { target: 'op@example.org' })).toEqual({
      isSent: true,
      reason: '',
    });
    expect((await sink.mail('op@example.org')).text).toContain('test');
    await configure({ mail: { ...sink.settings, port: 1 } });
    const failed = await operator.ok('system/account/test', { target: 'op@example.org' });
    expect(failed.isSent).toBe(false);
    expect(failed.reason).toBe('connection refused');
    await configure({ mail: sink.settings });
  });

  it('[RT-04] a new user registers with the code of the mail, and signs in by name and by mail', async () => {
    expect(await server.client().ok('server/version', {})).toMatchObject({ codeTargets: ['email'], canRegister: true });
    expect((await send('13812345678', 'register')).code).toBe(1006);
    expect(await send('Ann@Example.org', 'register')).toMatchObject({ code: 200, data: { resendAfter: 60 } });
    const verifyCode = await sink.code('ann@example.org');
    const wish = { username: 'ann', password: 'Garden-1', target: 'ann@example.org', verifyCode };
    expect((await server.client().call('account/register', { ...wish, password: 'short' })).code).toBe(1003);
    expect((await server.client().call('account/register', { ...wish, target: 'other@example.org' })).code).toBe(1015);
    await server.client().ok('account/register', { ...wish, language: 0 });
    const ann = await server.signIn('ANN@example.org', 'Garden-1');
    expect(await ann.ok('account/info', {})).toMatchObject({
      userName: 'ann',
      userType: 2,
      email: 'ann@example.org',
      language: 0,
    });
    // Single use, whoever asks.
    expect((await server.client().call('account/register', { ...wish, username: 'ann2' })).code).toBe(1015);
  });

  it('[SE-03] an address with an account answers like one without; only its owner is informed', async () => {
    await forgetSending();
    const seen = sink.mails.length;
    const known = await send('ann@example.org', 'register');
    const unknown = await send('nobody@example.org', 'register');
    expect(known).toEqual(unknown);
    expect((await sink.mail('ann@example.org', seen)).text).not.toMatch(/\b\d{6}\b/);
    await sink.code('nobody@example.org', seen);
    const retrieveKnown = await send('13800000000', 'retrieve');
    expect(retrieveKnown.code).toBe(1006);
    await forgetSending();
    expect(await send('ann@example.org', 'retrieve')).toEqual(await send('stranger@example.org', 'retrieve'));
    await sink.code('ann@example.org', seen);
    expect(sink.mails.some((mail) => mail.to === 'stranger@example.org')).toBe(false);
    const wrong = { verifyCode: '000000', password: 'Garden-2' };
    const answers = await Promise.all(
      ['ann@example.org', 'stranger@example.org'].map((target) =>
        server.client().call('account/password/retrieve', { target, ...wrong }),
      ),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  it('[SE-03] a name in use is reported to the owner of the address, and uses one of the five attempts', async () => {
    await forgetSending();
    const seen = sink.mails.length;
    await send('ben@example.org', 'register');
    const verifyCode = await sink.code('ben@example.org', seen);
    const wish = { password: 'Garden-1', target: 'ben@example.org', verifyCode };
    for (let count = 0; count < 4; count += 1) {
      expect((await server.client().call('account/register', { ...wish, username: 'ANN' })).code).toBe(1016);
    }
    await server.client().ok('account/register', { ...wish, username: 'ben' });
  });

  it('[SE-04] a code allows five parallel attempts in all, is bound to its purpose, and is sent at most once a minute', async () => {
    await forgetSending();
    const seen = sink.mails.length;
    await send('cat@example.org', 'register');
    expect(await send('cat@example.org', 'retrieve')).toMatchObject({ code: 1005, data: { retryAfter: 60 } });
    const verifyCode = await sink.code('cat@example.org', seen);
    const crossed = { target: 'cat@example.org', verifyCode, password: 'Garden-2' };
    expect((await server.client().call('account/password/retrieve', crossed)).code).toBe(1015);
    const wrong = verifyCode === '111111' ? '222222' : '111111';
    const wish = { username: 'cat', password: 'Garden-1', target: 'cat@example.org' };
    const tries = await Promise.all(
      Array.from({ length: 50 }, () => server.client().call('account/register', { ...wish, verifyCode: wrong })),
    );
    expect(new Set(tries.map((answer) => answer.code))).toEqual(new Set([1015]));
    expect((await server.client().call('account/register', { ...wish, verifyCode })).code).toBe(1015);
  });

  it('[SE-04] fifty registrations with one code create one account; ended codes and the eleventh of a day are refused', async () => {
    await forgetSending();
    const seen = sink.mails.length;
    await send('dan@example.org', 'register');
    const verifyCode = await sink.code('dan@example.org', seen);
    const wish = { password: 'Garden-1', target: 'dan@example.org', verifyCode };
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_none, at) =>
        server
          .client()
          .call('account/register', { ...wish, username: `dan_${at}` })
          .catch(() => ({ code: 0 })),
      ),
    );
    expect(tries.filter((answer) => answer.code === 200)).toHaveLength(1);
    await forgetSending();
    await send('eve@example.org', 'register');
    const ended = await sink.code('eve@example.org', seen);
    await runSql(server, 'update verify_code set expires_at = 0');
    const late = { username: 'eve', password: 'Garden-1', target: 'eve@example.org', verifyCode: ended };
    expect((await server.client().call('account/register', late)).code).toBe(1015);
    await runSql(server, 'update attempt set at = at - 61000');
    for (let count = 2; count <= 10; count += 1) {
      expect((await send('eve@example.org', 'register')).code, `sending ${count}`).toBe(200);
      await runSql(server, 'update attempt set at = at - 61000');
    }
    expect((await send('eve@example.org', 'register')).code).toBe(1005);
  });

  it('[SE-16] [SE-13] a password reset by mail ends every session, keeps 2FA, and works once', async () => {
    await forgetSending();
    const seen = sink.mails.length;
    const first = await server.signIn('ben', 'Garden-1');
    const socket = server.webSocket('/ws');
    const heard: { type: string; code?: number }[] = [];
    socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8')) as { type: string }));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: first.accessToken })));
    await waitFor('the welcome', () => heard.some((message) => message.type === 'welcome'));
    await send('ben@example.org', 'retrieve');
    const verifyCode = await sink.code('ben@example.org', seen);
    const wish = { target: 'ben@example.org', verifyCode, password: 'Garden-9' };
    await server.client().ok('account/password/retrieve', wish);
    await waitFor('the end', () => heard.some((message) => message.type === 'end' && message.code === 1001), 2000);
    expect((await first.call('token/check', {})).code).toBe(1001);
    expect((await server.client().call('account/password/retrieve', wish)).code).toBe(1015);
    await server.signIn('ben', 'Garden-9');
    expect((await sink.mail('ben@example.org', seen + 1)).text).not.toMatch(/https?:/);
  });
});

describe('text messages', () => {
  it('[RT-04] [VA-02] are sent through a gateway: registers with a phone, and signs in with its number', async () => {
    await forgetSending();
    const taken: { authorization: string | undefined; body: string }[] = [];
    const gateway = await listening((request, body) => {
      taken.push({ authorization: request.headers.authorization, body });
      return { status: 202, body: '' };
    });
    const { config, version } = await operator.ok('system/account/get', {});
    const sms = { url: `${gateway.url}/send` };
    await operator.ok('system/account/set', { config: { ...config, sms }, version, smsToken: 'canary-sms' });
    expect((await server.client().ok('server/version', {})).codeTargets).toEqual(['email', 'phone']);
    expect((await send('13812345678', 'register')).code).toBe(200);
    const message = await waitFor('the message', () => taken[0]);
    expect(message.authorization).toBe('Bearer canary-sms');
    const { to, text } = JSON.parse(message.body) as { to: string; text: string };
    expect(to).toBe('13812345678');
    const verifyCode = /\b(\d{6})\b/.exec(text)?.[1] ?? '';
    await server.client().ok('account/register', { username: 'fon', password: 'Garden-1', target: to, verifyCode });
    const fon = await server.signIn('13812345678', 'Garden-1');
    expect(await fon.ok('account/info', {})).toMatchObject({ userName: 'fon', phone: '13812345678', email: '' });
    await configure({ sms: null });
    await gateway.close();
  });

  it("[SE-64] are never sent to the product's own port", async () => {
    await forgetSending();
    await configure({ sms: { url: 'http://127.0.0.1:8443/api/v1/account/logout' } });
    const answer = await operator.ok('system/account/test', { target: '13812345678' });
    expect(answer).toEqual({ isSent: false, reason: 'own-port' });
    await configure({ sms: null });
  });
});

describe('captcha', () => {
  const web = { clientType: 'web' } as const;
  async function solved(): Promise<string> {
    const { challenge } = await server.client().ok('account/captcha/get', {});
    if (challenge === null) throw new Error('no puzzle');
    const given = challenge as unknown as Parameters<typeof solveChallenge>[0]['challenge'];
    const solution = await solveChallenge({ challenge: given, deriveKey });
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  }

  it('[VA-07] [SE-05] a browser solves it before a code is sent; a proof works once and cannot be forged', async () => {
    await forgetSending();
    expect((await send('fay@example.org', 'register', web)).code).toBe(1013);
    for (const captcha of ['x', Buffer.from('{}').toString('base64'), Buffer.from('null').toString('base64')]) {
      expect((await send('fay@example.org', 'register', { ...web, captcha })).code, captcha).toBe(1014);
    }
    const captcha = await solved();
    const forged = JSON.parse(Buffer.from(captcha, 'base64').toString()) as { challenge: { parameters: object } };
    forged.challenge.parameters = { ...forged.challenge.parameters, cost: 1 };
    const tampered = Buffer.from(JSON.stringify(forged)).toString('base64');
    expect((await send('fay@example.org', 'register', { ...web, captcha: tampered })).code).toBe(1014);
    expect((await send('fay@example.org', 'register', { ...web, captcha })).code).toBe(200);
    await forgetSending();
    expect((await send('gus@example.org', 'register', { ...web, captcha })).code).toBe(1014);
  });

  it('[VA-07] [SE-05] is required after three failed sign-ins, in browsers alone; attempts count the same for all', async () => {
    await forgetSending();
    const login = { account: 'hal', password: 'Wrong-1', browserId: 'b' };
    const codes = [];
    for (let count = 0; count < 4; count += 1) {
      codes.push((await server.client().call('account/login', { ...login, clientType: 'web' })).code);
    }
    expect(codes).toEqual([2004, 2004, 2004, 1013]);
    const proved = { ...login, clientType: 'web' as const, captcha: await solved() };
    expect((await server.client().call('account/login', proved)).code).toBe(2004);
    expect((await server.client().call('account/login', proved)).code).toBe(1014);
    expect((await server.client().call('account/login', { ...login, ...client })).code).toBe(2004);
    expect((await server.client().call('account/login', { ...login, ...client })).code).toBe(2031);
  });

  it('[EN-08] [UI-07] region, brand and addresses are told to consoles as they are set', async () => {
    const told = async () => JSON.parse((await server.send({ path: '/serverConfig.json' })).body) as object;
    const usual = await told();
    const environment = {
      isOverseas: false,
      isNoBrand: true,
      phoneCode: '86',
      oldWebsite: 'https://old.example.org',
      centerServer: 'https://center.example.org',
    };
    const { config } = await operator.ok('system/account/get', {});
    for (const bad of [{ phoneCode: '+86' }, { oldWebsite: 'javascript:alert(1)' }, { centerServer: 'center' }]) {
      const input = { config: { ...config, environment: { ...environment, ...bad } }, version: 1 };
      expect((await operator.raw('system/account/set', input)).code).toBe(1003);
    }
    await configure({ environment });
    expect(await told()).toEqual({
      ...usual,
      isOverseasFlag: false,
      isNoBrandFlag: true,
      oldWebsite: 'https://old.example.org',
      centerServer: 'https://center.example.org',
    });
    expect(await server.client().ok('server/version', {})).toMatchObject({
      phoneCode: '86',
      clientIp: expect.any(String),
    });
    await configure({ environment: config.environment });
    expect(await told()).toEqual(usual);
  });

  it('[EN-08] an external captcha is named to the console, verified, and allowed by the content security policy', async () => {
    const captcha = { kind: 'outside', scriptUrl: 'https://check.example.org/api.js', appId: 'site-1', verifyUrl: '' };
    const { config, version } = await operator.ok('system/account/get', {});
    const refused = await operator.raw('system/account/set', { config: { ...config, captcha }, version });
    expect(refused).toMatchObject({ code: 1003, data: { 'config.captcha.verifyUrl': 'required' } });
    await configure({ captcha: { ...captcha, verifyUrl: 'http://127.0.0.1:1/verify' } });
    const { body } = await server.send({ path: '/serverConfig.json' });
    expect(JSON.parse(body)).toMatchObject({
      isCaptcha: true,
      captchaAppId: 'site-1',
      captchaPath: 'https://check.example.org/api.js',
    });
    expect((await server.client().ok('account/captcha/get', {})).challenge).toBeNull();
    const verdicts: string[] = [];
    const service = await listening((_request, body) => {
      verdicts.push(body);
      return { status: 200, body: JSON.stringify({ success: body.includes('response=person') }) };
    });
    const asked = await operator.ok('system/account/get', {});
    const outside = { ...captcha, kind: 'outside' as const, verifyUrl: `${service.url}/verify` };
    await operator.ok('system/account/set', {
      config: { ...asked.config, captcha: outside },
      version: asked.version,
      captchaSecret: 'canary-check',
    });
    expect((await send('ivy@example.org', 'register', { ...web, captcha: 'robot' })).code).toBe(1014);
    expect((await send('ivy@example.org', 'register', { ...web, captcha: 'person' })).code).toBe(200);
    expect(verdicts[0]).toContain('secret=canary-check');
    await service.close();
    await forgetSending();
    await configure({ captcha: { kind: 'none', scriptUrl: '', appId: '', verifyUrl: '' } });
    expect((await send('ivy@example.org', 'register', web)).code).toBe(200);
    expect(JSON.parse((await server.send({ path: '/serverConfig.json' })).body)).toMatchObject({ isCaptcha: false });
  });
});

describe('documents and maintenance', () => {
  it('[LM-04] every document exists in both languages, with and without the brand, and can be replaced', async () => {
    const { documentList } = await server.client().ok('server/documents', {});
    expect(documentList).toHaveLength(12);
    // The manual is a part of the console, which this server does not have: `manual.test.ts` finds no brand in it.
    const manuals = documentList.filter(({ kind }) => kind === 'manual');
    expect(manuals.map(({ url }) => url)).toEqual(['/help', '/help', '/help', '/help']);
    for (const { url, isNoBrand } of documentList.filter(({ kind }) => kind !== 'manual')) {
      const page = await server.send({ path: url });
      expect(page.status, url).toBe(200);
      expect(page.body.includes('Vedette'), url).toBe(!isNoBrand && page.body.includes('Vedette'));
      if (isNoBrand) expect(page.body, url).not.toContain('Vedette');
    }
    const own = { kind: 'privacy', language: 1, isNoBrand: false, url: 'https://example.org/privacy' } as const;
    await configure({ documentList: [own], privacyUpdateTime: 1_700_000_000_000 });
    const after = await server.client().ok('server/documents', {});
    expect(after.documentList).toContainEqual(own);
    expect(after.privacyUpdateTime).toBe(1_700_000_000_000);
    const { config, version } = await operator.ok('system/account/get', {});
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '//evil.example']) {
      const bad = { ...config, documentList: [{ ...own, url }] };
      expect((await operator.raw('system/account/set', { config: bad, version })).code, url).toBe(1003);
    }
  });

  it('[UI-04] consent is stored with the account', async () => {
    expect((await operator.ok('account/info', {})).privacyTime).toBe(0);
    expect((await operator.ok('account/update', { privacyTime: 1_700_000_000_000 })).privacyTime).toBe(
      1_700_000_000_000,
    );
  });

  it('[RT-15] maintenance is announced with the version until it is over', async () => {
    const maintenance = { text: 'New disks', startTime: 1000, endTime: 4_000_000_000_000 };
    await configure({ maintenance });
    expect((await server.client().ok('server/version', {})).maintenance).toEqual(maintenance);
    await configure({ maintenance: { ...maintenance, endTime: 2000 } });
    expect((await server.client().ok('server/version', {})).maintenance).toBeNull();
  });
});

it('[SE-98] logs no code, password or mail address', () => {
  const log = server.log.join('\n');
  expect(log).not.toMatch(/canary|Garden-|@example\.org/);
  for (const { text } of sink.mails) {
    const code = /\b(\d{6})\b/.exec(text)?.[1];
    if (code !== undefined) expect(log).not.toContain(`"${code}"`);
  }
});
