// Authorisation of apps over the real server: the code flow, what an app may do with its token, and its end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { ISSUER, REDIRECT_URI, type RegisteredApp, registerApp, ThirdPartyApp } from './third-party-app.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let ownerId: string;
let gate: string;
let yard: string;
let registered: RegisteredApp;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  ownerId = (await operator.ok('user/add', { username: 'anna', password: 'Secret-1', userType: 2 })).userId;
  owner = await server.signIn('anna', 'Secret-1');
  const add = async (host: string) =>
    (await owner.ok('device/add', { target: `rtsp://${host}/1`, deviceName: `Camera ${host}` })).device.deviceSerial;
  gate = await add('192.0.2.1');
  yard = await add('192.0.2.2');
  registered = await registerApp(operator);
  await operator.ok('app/approve', { appId: registered.appId, isApproved: true });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

/** Ids of the tickets that the live picture of the gate got. */
async function openLive(client: CallClient): Promise<string[]> {
  const before = new Set([...site.tickets.values()].map(({ ticketId }) => ticketId));
  await client.ok('media/url', { deviceSerial: gate, channelNo: 1 });
  const opened = [...site.tickets.values()].map(({ ticketId }) => ticketId).filter((id) => !before.has(id));
  expect(opened.length).toBeGreaterThan(0);
  return opened;
}

function hasEnded(ticketIds: readonly string[]): boolean {
  const ended = new Set(site.revoked.map(({ ticketId }) => ticketId));
  return ticketIds.every((id) => ended.has(id));
}

const newApp = () => new ThirdPartyApp(server, registered);

describe('the code flow', () => {
  it('[OA-01] [SE-57] shows the account what is registered, and leads back with a code, state and issuer', async () => {
    const app = newApp();
    const { interactionId, answer } = await app.ask({ client_name: 'Bank', logo_uri: 'https://evil.example/x.png' });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe(`/oauth2/confirmInfo?interaction=${interactionId}`);
    const question = await app.consoleCall('oauth/interaction/get', { interactionId }, null);
    expect(question.data).toMatchObject({ appName: 'Door bell', ownerName: 'operator', redirectUri: REDIRECT_URI });
    const input = { interactionId, deviceSerialList: [gate] };
    const confirmed = await app.consoleCall('oauth/interaction/confirm', input, owner.accessToken);
    expect(confirmed).toMatchObject({ code: 200, data: { state: app.state } });
    const back = new URL((await app.browse(confirmed.data['redirectUrl'] ?? '')).headers.location ?? '');
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT_URI);
    expect(back.searchParams.get('state')).toBe(app.state);
    expect(back.searchParams.get('iss')).toBe(ISSUER);
    const tokens = await app.redeem(back.searchParams.get('code'));
    expect(tokens.scope.split(' ')).toContain('live');
    const claims = JSON.parse(Buffer.from(tokens.id_token?.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ iss: ISSUER, sub: ownerId, aud: registered.appId });
  });
});

describe('the token of an app', () => {
  it('[OA-02] [SE-60] opens the chosen device and the calls of its scopes, and nothing else', async () => {
    const { access_token: accessToken } = await newApp().tokensFor(owner, [gate], { scope: 'device.list live' });
    const client = server.client(accessToken);
    expect((await client.ok('device/list', {})).deviceList.map((one) => one.deviceSerial)).toEqual([gate]);
    await client.ok('media/url', { deviceSerial: gate, channelNo: 1 });
    expect((await client.call('media/url', { deviceSerial: yard, channelNo: 1 })).code).toBe(1009);
    expect((await client.call('ptz/stop', { deviceSerial: gate, channelNo: 1, command: 'down' })).code).toBe(1004);
    expect((await client.call('device/delete', { deviceSerial: gate })).code).toBe(1006);
    expect((await client.call('account/password/change', { oldPassword: 'a', password: 'b' })).code).toBe(1006);
    expect((await client.call('oauth/grant/list', {})).code).toBe(1006);
  });

  it('[SE-60] exports, raises alarms and reads statistics by a scope each, on the chosen device alone', async () => {
    const wide = await registerApp(operator, { appName: 'Wide', scopeList: ['export', 'event.ingest', 'stat.read'] });
    await operator.ok('app/approve', { appId: wide.appId, isApproved: true });
    const clientWith = async (scope: string) => {
      const { access_token: token } = await new ThirdPartyApp(server, wide).tokensFor(owner, [gate], { scope });
      return server.client(token);
    };
    const event = (deviceSerial: string) => ({ deviceSerial, channelNo: 1, type: 'PetDetect' as const });
    const range = (deviceSerial: string) => ({ deviceSerial, channelNo: 1, startTime: 1_000_000, endTime: 1_060_000 });
    const reads = await clientWith('stat.read');
    expect((await reads.ok('stat/alarm', { range: 'day' })).period.timeList.length).toBeGreaterThan(0);
    expect((await reads.call('event/ingest', event(gate))).code).toBe(1004);
    expect((await reads.call('record/export/start', { items: [range(gate)] })).code).toBe(1004);
    const raises = await clientWith('event.ingest');
    const { alarmId } = await raises.ok('event/ingest', event(gate));
    const [alarm] = (await owner.ok('alarm/list', { types: ['PetDetect'] })).alarmList;
    expect(alarm).toMatchObject({ alarmId, source: { app: 'Wide' } });
    expect((await raises.call('event/ingest', event(yard))).code).toBe(1009);
    expect((await raises.call('config/list', { deviceSerial: gate, channelNo: 1 })).code).toBe(1004);
    expect((await raises.call('stat/alarm', { range: 'day' })).code).toBe(1004);
    const exporting = await clientWith('export');
    const { task } = await exporting.ok('record/export/start', { items: [range(gate)] });
    expect((await exporting.ok('record/export/status', { task })).task).toBe(task);
    expect((await exporting.call('record/export/start', { items: [range(gate), range(yard)] })).code).toBe(1009);
    expect((await exporting.call('record/export/list', {})).code).toBe(1006);
    expect((await exporting.call('record/url', range(gate))).code).toBe(1004);
    await owner.ok('record/export/cancel', { task });
  });

  it('checks and ends itself alone, and no upload takes it', async () => {
    const { access_token: accessToken } = await newApp().tokensFor(owner, [gate], { scope: 'device.list' });
    const client = server.client(accessToken);
    expect((await client.ok('token/check', {})).userId).toBe(ownerId);
    const upload = {
      method: 'POST',
      path: '/api/v1/version/upload',
      headers: { authorization: `Bearer ${accessToken}` },
    };
    expect((await server.send(upload)).body).toContain('1001');
    await client.ok('account/logout', {});
    expect((await client.call('token/check', {})).code).toBe(1001);
    expect((await owner.ok('token/check', {})).userId).toBe(ownerId);
    expect((await owner.ok('oauth/grant/list', {})).total).toBeGreaterThan(0);
  });

  it('stands in the audit log of the account with the name of the app', async () => {
    const { access_token: accessToken } = await newApp().tokensFor(owner, [gate], { scope: 'live' });
    await server.client(accessToken).ok('media/url', { deviceSerial: gate, channelNo: 1 });
    const { auditList } = await owner.ok('audit/list', { kind: 'watch' });
    expect(auditList[0]?.detail?.app).toEqual({ appId: registered.appId, appName: 'Door bell' });
  });

  it('ends with the app: disabled, not approved any more, or deleted, its live picture ends within 2 s', async () => {
    const shown = await registerApp(operator, { appName: 'Shown' });
    const approve = async (isApproved: boolean) => await operator.ok('app/approve', { appId: shown.appId, isApproved });
    const setEnabled = async (isEnabled: boolean) => {
      const held = (await operator.ok('app/list', {})).appList.find(({ appId }) => appId === shown.appId);
      if (held === undefined) throw new Error('the app is gone');
      const { appId, appName, logo, redirectUriList, scopeList, isPublic, version } = held;
      await operator.ok('app/save', { appId, appName, logo, redirectUriList, scopeList, isPublic, version, isEnabled });
    };
    await approve(true);
    const { access_token: accessToken } = await new ThirdPartyApp(server, shown).tokensFor(owner, [gate], {
      scope: 'live',
    });
    const client = server.client(accessToken);
    const ends: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      ['disabled', () => setEnabled(false), () => setEnabled(true)],
      ['not approved', () => approve(false), () => approve(true)],
      ['deleted', () => operator.ok('app/delete', { appId: shown.appId }), async () => undefined],
    ];
    for (const [how, end, again] of ends) {
      const opened = await openLive(client);
      await end();
      expect((await client.call('token/check', {})).code, how).toBe(1001);
      await waitFor(`the live picture to end: ${how}`, () => hasEnded(opened), 2000);
      await again();
    }
  });

  it('ends with the password of the account, and its live picture within 2 s', async () => {
    await operator.ok('user/add', { username: 'berta', password: 'Secret-1', userType: 2 });
    const berta = await server.signIn('berta', 'Secret-1');
    const items = [{ deviceSerial: gate, channelNo: 1 }];
    await owner.ok('share/add', { account: 'berta', items, permission: ['videoView'] });
    const { access_token: accessToken } = await newApp().tokensFor(berta, [gate], { scope: 'live' });
    const client = server.client(accessToken);
    const opened = await openLive(client);
    await berta.ok('account/password/change', { oldPassword: 'Secret-1', password: 'Secret-2' });
    expect((await client.call('token/check', {})).code).toBe(1001);
    await waitFor('the live picture to end', () => hasEnded(opened), 2000);
    expect((await berta.ok('oauth/grant/list', {})).total).toBe(0);
  });

  it('[OA-02] withdrawn by the account it opens nothing within 2 s, and its live picture ends', async () => {
    const { access_token: accessToken } = await newApp().tokensFor(owner, [gate], { scope: 'device.list live' });
    const client = server.client(accessToken);
    const opened = await openLive(client);
    const { grantList } = await owner.ok('oauth/grant/list', {});
    const grant = grantList[0];
    expect(grant).toMatchObject({ appName: 'Door bell', itemList: [{ kind: 'device', id: gate }] });
    expect(grant?.lastUsedTime).toBeGreaterThan(0);
    await owner.ok('oauth/grant/revoke', { grantId: grant?.grantId ?? '' });
    expect((await client.call('device/list', {})).code).toBe(1001);
    await waitFor('the live picture to end', () => hasEnded(opened), 2000);
  });
});
