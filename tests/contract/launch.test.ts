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
