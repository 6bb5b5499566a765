// The launch of SaaS mode over the real server: a token of the app works once, and the console gets one of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { REDIRECT_URI, type RegisteredApp, registerApp, ThirdPartyApp } from './third-party-app.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let gate: string;
let registered: RegisteredApp;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  await operator.ok('user/add', { username: 'anna', password: 'Secret-1', userType: 2 });
  owner = await server.signIn('anna', 'Secret-1');
  gate = (await owner.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  registered = await registerApp(operator);
  await operator.ok('app/approve', { appId: registered.appId, isApproved: true });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function appToken(scope = 'device.list live'): Promise<CallClient> {
  const app = new ThirdPartyApp(server, registered);
  return server.client((await app.tokensFor(owner, [gate], { scope })).access_token);
}

const launch = (more: object = {}) => ({ appId: registered.appId, redirectUri: REDIRECT_URI, ...more });

async function launched(client: CallClient, scope = ''): Promise<string> {
  return (await client.ok('oauth/launch/begin', launch({ scope }))).authCode;
}

describe('the launch of SaaS mode', () => {
  it('[RT-11] [OA-03] asks with what is registered, and opens a session within the scope of the app', async () => {
    const authCode = await launched(await appToken(), 'live');
    const question = await server.client().ok('oauth/launch/get', { authCode });
    expect(question).toMatchObject({
      appName: 'Door bell',
      ownerName: 'operator',
      accountName: 'anna',
      scopeList: ['live'],
      isEverything: false,
      itemList: [{ kind: 'device', id: gate, name: 'Gate' }],
      redirectUri: REDIRECT_URI,
    });
    const opened = await server.client().ok('oauth/launch/confirm', { authCode });
    const saas = server.client(opened.accessToken);
    expect(await saas.ok('token/check', {})).toMatchObject({ userId: opened.userId });
    await saas.ok('media/url', { deviceSerial: gate, channelNo: 1 });
    // The token had it, the launch did not ask for it.
    expect((await saas.call('device/list', {})).code).toBe(1004);
    expect((await saas.call('device/delete', { deviceSerial: gate })).code).toBe(1006);
    await saas.ok('account/logout', {});
    expect((await saas.call('token/check', {})).code).toBe(1001);
    await owner.ok('token/check', {});
    expect((await owner.ok('oauth/grant/list', {})).total).toBeGreaterThan(0);
  });

  it('[SE-58] works once, of two at the same time for one, and so does its code', async () => {
    const client = await appToken();
    const begun = await Promise.all([1, 2, 3].map(() => client.call('oauth/launch/begin', launch())));
    expect(begun.map(({ code }) => code).sort((one, other) => one - other)).toEqual([200, 1001, 1001]);
    expect((await client.call('device/list', {})).code).toBe(1001);
    const authCode = await launched(await appToken());
    const anybody = server.client();
    const confirmed = await Promise.all([1, 2, 3].map(() => anybody.call('oauth/launch/confirm', { authCode })));
    expect(confirmed.map(({ code }) => code).sort((one, other) => one - other)).toEqual([200, 1007, 1007]);
    expect((await anybody.call('oauth/launch/get', { authCode })).code).toBe(1007);
  });

  it('refused leads back to the app with error and state, and opens nothing', async () => {
    const authCode = await launched(await appToken());
    const { redirectUrl } = await server.client().ok('oauth/launch/abort', { authCode, state: 'a b&c' });
    expect(redirectUrl).toBe(`${REDIRECT_URI}?error=access_denied&state=a+b%26c`);
    expect((await server.client().call('oauth/launch/confirm', { authCode })).code).toBe(1007);
  });

  it.each([
    `${REDIRECT_URI}/more`,
    REDIRECT_URI.slice(0, -1),
    REDIRECT_URI.toUpperCase(),
    'https://user@app.example/callback',
    'https://app.example@evil.example/callback',
    'https://xn--pp-7kc.example/callback',
    'javascript:alert(1)',
  ])('to %j is refused, and uses nothing up', async (redirectUri) => {
    const client = await appToken();
    const refused = await client.call('oauth/launch/begin', launch({ redirectUri }));
    expect(refused).toMatchObject({ code: 1003, data: { redirectUri: 'notAllowed' } });
    await launched(client);
  });

  it('with the token of another app, of an account, expired, unknown or beyond its scope is refused', async () => {
    const other = await registerApp(operator, { appName: 'Other' });
    const client = await appToken('device.list');
    expect((await client.call('oauth/launch/begin', launch({ appId: other.appId }))).code).toBe(1004);
    expect((await owner.call('oauth/launch/begin', launch())).code).toBe(1006);
    expect((await server.client('x'.repeat(43)).call('oauth/launch/begin', launch())).code).toBe(1001);
    const beyond = await client.call('oauth/launch/begin', launch({ scope: 'device.list live' }));
    expect(beyond).toMatchObject({ code: 1003, data: { scope: 'notAllowed' } });
    await runSql(server, `update oidc_record set expires_at = 1 where model = 'AccessToken'`);
    expect((await client.call('oauth/launch/begin', launch())).code).toBe(1002);
  });

  it('ends with what the account allowed, before and after it is confirmed', async () => {
    const revoke = async (): Promise<void> => {
      const { grantList } = await owner.ok('oauth/grant/list', {});
      for (const { grantId } of grantList) await owner.ok('oauth/grant/revoke', { grantId });
    };
    const waiting = await launched(await appToken());
    await revoke();
    expect((await server.client().call('oauth/launch/confirm', { authCode: waiting })).code).toBe(1007);
    const authCode = await launched(await appToken());
    const { accessToken } = await server.client().ok('oauth/launch/confirm', { authCode });
    await revoke();
    expect((await server.client(accessToken).call('token/check', {})).code).toBe(1001);
  });

  it('of an app for its owner shows everything of the owner', async () => {
    const app = new ThirdPartyApp(server, registered);
    const { access_token: token } = await app.token({ grant_type: 'client_credentials', scope: 'device.list' });
    const authCode = await launched(server.client(token));
    expect(await server.client().ok('oauth/launch/get', { authCode })).toMatchObject({
      accountName: 'operator',
      isEverything: true,
      itemList: [],
    });
    const { accessToken } = await server.client().ok('oauth/launch/confirm', { authCode });
    await server.client(accessToken).ok('device/list', {});
  });
});

describe('a page of another origin', () => {
  const PAGE = 'https://portal.example';
  const JSON_TYPE = { 'content-type': 'application/json' };
  let bearer: { authorization: string };

  const sent = async (path: string, headers: Readonly<Record<string, string>>, input: object = {}) => {
    const answer = await server.send({
      method: 'POST',
      path,
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(input),
    });
    return { status: answer.status, headers: answer.headers, code: (JSON.parse(answer.body) as { code: number }).code };
  };
  const list = async (embedOriginList: string[]): Promise<void> => {
    const { appList } = await operator.ok('app/list', {});
    const app = appList.find(({ appId }) => appId === registered.appId);
    if (app === undefined) throw new Error('the app is gone');
    const { appId, appName, redirectUriList, scopeList, version } = app;
    await operator.ok('app/save', { appId, appName, redirectUriList, scopeList, version, embedOriginList });
  };
  const preflight = async (path: string, origin: string) => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    return await server.send({ method: 'OPTIONS', path, headers });
  };

  beforeAll(async () => {
    await list([PAGE]);
    const granted = await new ThirdPartyApp(server, registered).tokensFor(owner, [gate], { scope: 'device.list live' });
    bearer = { authorization: `Bearer ${granted.access_token}` };
  });

  it('[SE-48] calls with a token of the app that lists it, and reads the answer; others are refused before', async () => {
    const listed = await preflight('/api/v1/media/url', PAGE);
    expect([listed.status, listed.headers]).toMatchObject([
      204,
      { 'access-control-allow-origin': PAGE, 'access-control-allow-headers': 'authorization, content-type' },
    ]);
    expect(listed.headers['access-control-allow-credentials']).toBeUndefined();
    const camera = { deviceSerial: gate, channelNo: 1 };
    const watched = await sent('/api/v1/media/url', { ...bearer, origin: PAGE }, camera);
    expect([watched.code, watched.headers['access-control-allow-origin']]).toEqual([200, PAGE]);
    for (const origin of ['https://evil.example', `${PAGE}.evil.example`, 'https://PORTAL.example', 'null']) {
      expect((await preflight('/api/v1/media/url', origin)).status, origin).toBe(403);
      const { status, headers } = await sent('/api/v1/media/url', { ...bearer, origin }, camera);
      expect([status, headers['access-control-allow-origin']], origin).toEqual([403, undefined]);
    }
  });

  it('gets tickets that name it, and no program does', async () => {
    const camera = { deviceSerial: gate, channelNo: 1 };
    const origins = async (headers: Readonly<Record<string, string>>) => {
      const before = new Set(site.tickets.keys());
      expect((await sent('/api/v1/media/url', headers, camera)).code).toBe(200);
      const made = [...site.tickets].filter(([id]) => !before.has(id));
      return new Set(made.map(([, grant]) => grant.pageOrigin));
    };
    expect(await origins({ ...bearer, origin: PAGE })).toEqual(new Set([PAGE]));
    expect(await origins(bearer)).toEqual(new Set([undefined]));
  });

  it('makes no call for an account, for another app, without a token, or beside the calls', async () => {
    const stranger = await registerApp(owner);
    const other = await new ThirdPartyApp(server, stranger).tokensFor(owner, [gate], { scope: 'device.list live' });
    const account = { authorization: `Bearer ${operator.accessToken ?? ''}` };
    for (const headers of [account, { authorization: `Bearer ${other.access_token}` }])
      expect((await sent('/api/v1/device/list', { ...headers, origin: PAGE })).code).toBe(1004);
    expect((await sent('/api/v1/server/version', { ...bearer, origin: PAGE })).code).toBe(1004);
    expect((await sent('/api/v1/version/upload', { ...account, origin: PAGE })).status).toBe(403);
    expect((await preflight('/metrics', PAGE)).status).toBe(403);
  });

  it('is refused once the app lists it no more', async () => {
    await list([]);
    expect((await sent('/api/v1/device/list', { ...bearer, origin: PAGE })).status).toBe(403);
    expect((await sent('/api/v1/device/list', bearer)).code).toBe(200);
  });
});
