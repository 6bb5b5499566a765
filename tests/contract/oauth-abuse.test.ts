// What hostile apps, pages and people try with authorisation, and what they get.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { ISSUER, REDIRECT_URI, type RegisteredApp, registerApp, ThirdPartyApp } from './third-party-app.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let gate: string;
let registered: RegisteredApp;
let other: RegisteredApp;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  gate = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  registered = await registerApp(operator);
  other = await registerApp(operator, { appName: 'Other' });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const newApp = (app: RegisteredApp = registered) => new ThirdPartyApp(server, app);

describe('[SE-53] a redirect address', () => {
  it.each([
    `${REDIRECT_URI}/more`,
    `${REDIRECT_URI}?more=1`,
    `${REDIRECT_URI}#fragment`,
    REDIRECT_URI.slice(0, -1),
    REDIRECT_URI.toUpperCase(),
    'https://app.example/Callback',
    'https://app.example/x/../callback',
    'https://app.example:444/callback',
    'http://app.example/callback',
    'https://app.example.evil.example/callback',
    'https://app.example@evil.example/callback',
    'https://user@app.example/callback',
    'https://аpp.example/callback',
    'https://xn--pp-7kc.example/callback',
    'javascript:alert(1)',
    '//app.example/callback',
    '',
  ])('%j is not the registered one: our own page says so, and nothing is sent there', async (redirectUri) => {
    const { interactionId, answer } = await newApp().ask({ redirect_uri: redirectUri });
    expect(interactionId).toBe('');
    expect(answer.headers.location).toMatch(/^\/oauth2\/authorize\?error=/);
  });

  it('given twice is refused', async () => {
    const app = newApp();
    const address = `${app.authorizeAddress()}&redirect_uri=${encodeURIComponent('https://evil.example/')}`;
    expect((await app.browse(address)).headers.location).toMatch(/^\/oauth2\/authorize\?error=invalid_request/);
  });

  it('of an app that is unknown or disabled leads nowhere, and the status says why (OA-04)', async () => {
    const disabled = await registerApp(operator, { appName: 'Disabled', isEnabled: false });
    for (const appId of [disabled.appId, 'unknown']) {
      const { answer } = await newApp({ appId, secret: null }).ask();
      expect(answer.headers.location).toBe(`/oauth2/authorize?error=invalid_client&client_id=${appId}`);
    }
    expect(await server.client().ok('app/status', { appId: disabled.appId })).toMatchObject({
      appIdStatus: 'disabled',
    });
    expect(await server.client().ok('app/status', { appId: 'unknown' })).toMatchObject({ appIdStatus: 'unknown' });
  });

  it('[GO-17] of an app whose id has NUL is that of an unknown one, at every address that reads an id', async () => {
    const [id, form] = ['%00', { 'content-type': 'application/x-www-form-urlencoded' }];
    const asked = await server.send({ path: `/oidc/auth?client_id=${id}&response_type=code&scope=openid` });
    expect(asked.headers.location).toBe(`/oauth2/authorize?error=invalid_client&client_id=${id}`);
    for (const path of ['/oidc/token', '/oidc/token/revocation', '/oidc/device/auth', '/oidc/token/introspection']) {
      const body = `client_id=${id}&token=${id}&grant_type=authorization_code&code=${id}`;
      const { status } = await server.send({ method: 'POST', path, headers: form, body });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
    const framed = await server.send({ path: `/embed/${id}` });
    expect(framed.body).not.toContain('"code":1000');
    expect(server.log.filter((line) => line.includes('invalid byte sequence'))).toEqual([]);
  });

  it('on the user’s own machine matches on every port (RFC 8252)', async () => {
    const native = await registerApp(operator, { redirectUriList: ['http://127.0.0.1/cb'], isPublic: true });
    const { interactionId } = await newApp(native).ask({ redirect_uri: 'http://127.0.0.1:49152/cb' });
    expect(interactionId).not.toBe('');
    for (const uri of ['http://127.0.0.1:49152/other', 'http://127.0.0.2:49152/cb', 'http://localhost:49152/cb']) {
      expect((await newApp(native).ask({ redirect_uri: uri })).interactionId, uri).toBe('');
    }
  });
});

describe('[SE-54] an authorisation code', () => {
  it('works once: used again it is refused, and the tokens of the first use end', async () => {
    const app = newApp();
    const code = (await app.codeFor(operator, [gate])).searchParams.get('code');
    const { access_token: accessToken } = await app.redeem(code);
    await server.client(accessToken).ok('device/list', {});
    expect((await app.redeem(code)).error).toBe('invalid_grant');
    expect((await server.client(accessToken).call('device/list', {})).code).toBe(1001);
  });

  it('used twice at the same time opens one session at most, and ends it', async () => {
    const app = newApp();
    const code = (await app.codeFor(operator, [gate])).searchParams.get('code');
    const answers = await Promise.all([app.redeem(code), app.redeem(code), app.redeem(code)]);
    expect(answers.filter(({ error }) => error === undefined).length).toBeLessThanOrEqual(1);
  });

  it('is refused with a wrong or missing proof, from another app, and to another address', async () => {
    const codeOf = async (app: ThirdPartyApp) => (await app.codeFor(operator, [gate])).searchParams.get('code');
    const wrong = { code_verifier: 'x'.repeat(43) };
    for (const more of [wrong, { code_verifier: undefined }, { redirect_uri: 'https://app.example/other' }]) {
      const app = newApp();
      expect((await app.redeem(await codeOf(app), more)).error, JSON.stringify(more)).toBe('invalid_grant');
    }
    const app = newApp();
    const stolen = await codeOf(app);
    const params = { grant_type: 'authorization_code', code: stolen ?? '', redirect_uri: REDIRECT_URI };
    expect((await newApp(other).token({ ...params, code_verifier: app.verifier })).error).toBe('invalid_grant');
  });

  it('is not given without a challenge, or for a plain one', async () => {
    for (const more of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
    ]) {
      const app = newApp();
      const back = new URL((await app.ask(more)).answer.headers.location ?? '');
      expect(back.origin).toBe('https://app.example');
      expect(back.searchParams.get('error')).toBe('invalid_request');
      expect(back.searchParams.get('state')).toBe(app.state);
    }
  });
});

describe('[SE-56] consent', () => {
  it('is given only in the browser that the app sent, by who is signed in, and once', async () => {
    const app = newApp();
    const { interactionId } = await app.ask();
    const input = { interactionId, deviceSerialList: [gate] };
    // Another browser, as that of a person who was sent the link.
    expect((await newApp().consoleCall('oauth/interaction/confirm', input, operator.accessToken)).code).toBe(1007);
    expect((await newApp().consoleCall('oauth/interaction/get', { interactionId }, null)).code).toBe(1007);
    expect((await app.consoleCall('oauth/interaction/confirm', input, null)).code).toBe(1001);
    expect((await app.consoleCall('oauth/interaction/confirm', input, operator.accessToken)).code).toBe(200);
    expect((await app.consoleCall('oauth/interaction/confirm', input, operator.accessToken)).code).toBe(1007);
  });

  it('is asked for each time, and without a page it is refused', async () => {
    const app = newApp();
    await app.codeFor(operator, [gate]);
    expect((await app.ask()).interactionId).not.toBe('');
    const back = new URL((await app.ask({ prompt: 'none' })).answer.headers.location ?? '');
    expect(back.searchParams.get('error')).toMatch(/_required$/);
  });

  it('refused leads back with error, state and issuer', async () => {
    const app = newApp();
    const { interactionId } = await app.ask();
    const { data } = await app.consoleCall('oauth/interaction/abort', { interactionId }, null);
    const back = new URL((await app.browse(data['redirectUrl'] ?? '')).headers.location ?? '');
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: app.state,
      iss: ISSUER,
    });
    expect(back.searchParams.has('code')).toBe(false);
  });

  it('names devices of the account alone, at least one, and no time that has passed', async () => {
    const app = newApp();
    const { interactionId } = await app.ask();
    const confirm = async (more: object) =>
      (await app.consoleCall('oauth/interaction/confirm', { interactionId, ...more }, operator.accessToken)).code;
    expect(await confirm({})).toBe(1003);
    expect(await confirm({ deviceSerialList: ['FOREIGN'] })).toBe(1009);
    expect(await confirm({ organizationIdList: ['foreign'] })).toBe(1007);
    expect(await confirm({ deviceSerialList: [gate], endTime: 1 })).toBe(1003);
  });

  it.each([
    '/oidc/auth',
    '/oidc/device',
    '/oidc/.well-known/openid-configuration',
  ])('%s is never framed', async (path) => {
    const { headers } = await server.send({ path });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
  });

  it('for an app that no operator approved is refused to all but its owner', async () => {
    await operator.ok('user/add', { username: 'berta', password: 'Secret-1', userType: 2 });
    const berta = await server.signIn('berta', 'Secret-1');
    const app = newApp();
    const { interactionId } = await app.ask({ scope: 'openid' });
    const refused = await app.consoleCall('oauth/interaction/confirm', { interactionId }, berta.accessToken);
    expect(refused).toMatchObject({ code: 1004, data: { reason: 'unapproved' } });
    await operator.ok('app/approve', { appId: registered.appId, isApproved: true });
    expect((await app.consoleCall('oauth/interaction/confirm', { interactionId }, berta.accessToken)).code).toBe(200);
  });
});

describe('[SE-59] grants', () => {
  it('of old and more scope than registered are refused', async () => {
    for (const responseType of ['token', 'id_token', 'code id_token', 'code token']) {
      const location = (await newApp().ask({ response_type: responseType, nonce: 'n' })).answer.headers.location ?? '';
      expect(location, responseType).toMatch(/error=(unsupported_response_type|unauthorized_client|invalid_request)/);
    }
    const password = { grant_type: 'password', username: 'operator', password: 'Watch-2026' };
    expect((await newApp().token(password)).error).toBe('unsupported_grant_type');
    const more = new URL((await newApp().ask({ scope: 'openid config' })).answer.headers.location ?? '');
    expect(more.searchParams.get('error')).toBe('invalid_scope');
  });

  it('a refresh token rotates; the stolen old one ends everything', async () => {
    const app = newApp();
    const first = await app.tokensFor(operator, [gate]);
    const params = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    expect((await newApp(other).token(params)).error).toBe('invalid_grant');
    expect((await app.token({ ...params, scope: 'openid live config' })).error).toBe('invalid_scope');
    const second = await app.token(params);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    await server.client(second.access_token).ok('device/list', {});
    expect((await app.token(params)).error).toBe('invalid_grant');
    expect((await server.client(second.access_token).call('device/list', {})).code).toBe(1001);
    expect((await app.token({ ...params, refresh_token: second.refresh_token })).error).toBe('invalid_grant');
  });

  it('tokens are introspected and revoked by their own app alone', async () => {
    const app = newApp();
    const { access_token: token } = await app.tokensFor(operator, [gate]);
    const look = async (by: ThirdPartyApp) =>
      (JSON.parse((await by.post('/oidc/token/introspection', { token })).body) as { active: boolean }).active;
    expect([await look(app), await look(newApp(other))]).toEqual([true, false]);
    await newApp(other).post('/oidc/token/revocation', { token });
    expect((await server.client(token).call('device/list', {})).code).toBe(200);
    await app.post('/oidc/token/revocation', { token });
    expect((await server.client(token).call('device/list', {})).code).toBe(1001);
  });

  it('an app acts for its owner by its own credentials, within its scopes', async () => {
    const { access_token: token } = await newApp().token({
      grant_type: 'client_credentials',
      scope: 'device.list live',
    });
    const client = server.client(token);
    expect((await client.ok('device/list', {})).deviceList.map((one) => one.deviceSerial)).toEqual([gate]);
    expect((await client.call('preset/list', { deviceSerial: gate, channelNo: 1 })).code).toBe(1004);
    expect((await client.call('app/list', {})).code).toBe(1006);
  });

  it('a new secret works at once and the old one for its time', async () => {
    const app = await registerApp(operator);
    const params = { grant_type: 'client_credentials', scope: 'live' };
    const { secret } = await operator.ok('app/secret/rotate', { appId: app.appId, overlapHours: 1 });
    for (const each of [app.secret, secret])
      expect((await newApp({ ...app, secret: each }).token(params)).error).toBeUndefined();
    const { secret: last } = await operator.ok('app/secret/rotate', { appId: app.appId, overlapHours: 0 });
    expect((await newApp({ ...app, secret: last }).token(params)).error).toBeUndefined();
    for (const old of [app.secret, secret])
      expect((await newApp({ ...app, secret: old }).token(params)).error).toBe('invalid_client');
  });
});

describe('[SE-61] [OA-02] a device code', () => {
  const begin = async (app: ThirdPartyApp) =>
    JSON.parse((await app.post('/oidc/device/auth', { scope: 'device.list live' })).body) as {
      readonly device_code: string;
      readonly user_code: string;
      readonly verification_uri_complete: string;
    };

  it('is confirmed by the code on the device, with the devices that the account chooses', async () => {
    const app = newApp();
    const { device_code: deviceCode, user_code: userCode, verification_uri_complete: address } = await begin(app);
    const params = { grant_type: DEVICE_GRANT, device_code: deviceCode };
    expect((await app.token(params)).error).toBe('authorization_pending');
    expect((await app.browse(address)).headers.location).toBe(`/oauth2/deviceAuth?userCode=${userCode}`);
    const typed = ` ${userCode.toLowerCase().replace('-', ' ')}`;
    const question = await operator.ok('oauth/device/get', { userCode: typed });
    expect(question).toMatchObject({ appName: 'Door bell', scopeList: ['device.list', 'live'], address: '192.0.2.7' });
    await operator.ok('oauth/device/confirm', { userCode: typed, isAllowed: true, deviceSerialList: [gate] });
    const { access_token: token } = await app.token(params);
    await server.client(token).ok('media/url', { deviceSerial: gate, channelNo: 1 });
    expect((await operator.call('oauth/device/get', { userCode })).code).toBe(1007);
    expect((await app.token(params)).error).toBe('invalid_grant');
  });

  it('refused ends the device’s wait', async () => {
    const app = newApp();
    const { device_code: deviceCode, user_code: userCode } = await begin(app);
    await operator.ok('oauth/device/confirm', { userCode, isAllowed: false });
    expect((await app.token({ grant_type: DEVICE_GRANT, device_code: deviceCode })).error).toBe('access_denied');
  });

  it('is guessed five times, then the account waits', async () => {
    await operator.ok('user/add', { username: 'guesser', password: 'Secret-1', userType: 2 });
    const guesser = await server.signIn('guesser', 'Secret-1');
    const guess = async () => (await guesser.call('oauth/device/get', { userCode: 'BBBB-BBBB' })).code;
    expect([await guess(), await guess(), await guess(), await guess(), await guess(), await guess()]).toEqual([
      1007, 1007, 1007, 1007, 1007, 1005,
    ]);
  });
});

it('[SE-63] an app registers no internal or running redirect', async () => {
  for (const uri of ['javascript:alert(1)', 'http://192.168.1.2/cb', 'https://a.example/#x', 'data:text/html,x']) {
    const answer = await operator.raw('app/save', { appName: 'Bad', redirectUriList: [uri], scopeList: [] });
    expect(answer, uri).toMatchObject({ code: 1003, data: { 'redirectUriList.0': 'format' } });
  }
});

it('beyond this machine nothing is answered over plain HTTP', async () => {
  const path = '/oidc/.well-known/openid-configuration';
  expect((await server.send({ path, headers: { 'x-vedette-loopback': '0' } })).status).toBe(400);
  const secure = { 'x-vedette-loopback': '0', 'x-forwarded-proto': 'https' };
  expect(JSON.parse((await server.send({ path, headers: secure })).body)).toMatchObject({
    issuer: 'https://localhost:8443/oidc',
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
});

it('no token of the provider stands in the database in clear', async () => {
  const tokens = await newApp().tokensFor(operator, [gate]);
  const rows = await runSql(
    server,
    "select row_to_json(oidc_record)::text || encode(payload, 'escape') as row from oidc_record",
  );
  const text = rows.map(({ row }) => String(row)).join('\n');
  expect(rows.length).toBeGreaterThan(3);
  for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token]) expect(text).not.toContain(token);
});
