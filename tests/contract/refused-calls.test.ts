// Calls that the table of good inputs sees refused by design: each succeeds where what it needs is there.
import { createHash } from 'node:crypto';
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DirectoryServer, PEOPLE } from '../harness/directory-server.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { StrangerProvider } from '../harness/stranger-provider.ts';
import { codeAt, enableTotp, prove, runSql } from './account-steps.ts';
import { refusedByDesign } from './good-inputs.ts';
import { directoryInput, directoryOf } from './directory-settings.ts';
import { IdentityBrowser, PROVIDER_INPUT } from './identity-browser.ts';
import { PNG } from './inputs/sample-png.ts';
import { ScriptedSite } from './scripted-site.ts';
import { registerKey, shellKey, ticketOf } from './shell-key.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';
import { REDIRECT_URI, registerApp, ThirdPartyApp } from './third-party-app.ts';

const PASSWORD = 'Secret-1';
const OTHER = 'Secret-2';
const VERIFIER = 'v'.repeat(43);

let server: ServerUnderTest;
let sink: SmtpSink;
let site: ScriptedSite;
let operator: CallClient;

beforeAll(async () => {
  [server, sink] = await Promise.all([ServerUnderTest.start(), SmtpSink.start()]);
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, mail: sink.settings }, version });
});
afterAll(async () => {
  await site?.hangUp();
  await Promise.all([server?.stop(), sink?.stop()]);
});

async function newUser(username: string): Promise<{ readonly client: CallClient; readonly userId: string }> {
  const { userId } = await operator.ok('user/add', { username, password: PASSWORD, userType: 2 });
  return { client: await server.signIn(username, PASSWORD), userId };
}

/** Codes may be sent once a minute: what was sent is forgotten. */
async function codeFor(caller: CallClient, target: string, purpose: 'register' | 'retrieve' | 'bind') {
  await runSql(server, 'delete from attempt');
  const seen = sink.mails.length;
  await caller.ok('account/verifyCode/send', { target, purpose, clientType: 'client' });
  return { target, verifyCode: await sink.code(target, seen) };
}

it('codes by mail register, retrieve and bind, and a test mail is sent', async () => {
  await operator.ok('system/account/test', { target: 'op@example.org' });
  const anyone = server.client();
  const registered = await codeFor(anyone, 'ann@example.org', 'register');
  await anyone.ok('account/register', { ...registered, username: 'ann', password: PASSWORD });
  const retrieved = await codeFor(anyone, 'ann@example.org', 'retrieve');
  await anyone.ok('account/password/retrieve', { ...retrieved, password: OTHER });
  const ann = await server.signIn('ann', OTHER);
  const { client } = await newUser('bob');
  const bound = await codeFor(client, 'bob@example.org', 'bind');
  expect((await client.ok('account/contact/bind', { ...bound, password: PASSWORD })).email).toBe('bob@example.org');
  await ann.ok('account/erase', { password: OTHER });
});

it('two-factor authentication is enabled, renews its codes, trusts a browser and forgets it, and is disabled', async () => {
  const { client } = await newUser('dan');
  const { secret, recoveryCodes } = await enableTotp(client, PASSWORD);
  const signIn = { account: 'dan', password: PASSWORD, browserId: 'home', clientType: 'client' } as const;
  await client.ok('account/login', { ...signIn, trustDevice: true, verifyCode: await codeAt(secret) });
  await prove(client, PASSWORD, recoveryCodes[0]);
  const { trustDeviceList } = await client.ok('trustDevice/list', {});
  await client.ok('trustDevice/delete', { browserId: trustDeviceList[0]?.browserId ?? '' });
  const renewed = await client.ok('account/twofactor/recovery', {});
  await client.ok('account/twofactor/disable', { code: renewed.recoveryCodes[0] ?? '' });
});

it('a shell signs in by its key, which is removed', async () => {
  await newUser('zoe');
  const key = shellKey(server);
  const client = await registerKey(server, key, { name: 'zoe', password: PASSWORD });
  await client.ok('account/key/signIn', { ticket: await ticketOf(key), browserId: 'shell of zoe' });
  await client.ok('account/key/delete', { keyId: (await key.forget()) ?? '' });
});

it('an identity provider signs in and proves, is linked and unlinked, and is deleted', async () => {
  const stranger = await StrangerProvider.start();
  try {
    await prove(operator, OPERATOR.password);
    const input = { ...PROVIDER_INPUT, providerName: 'Head office', issuer: stranger.issuer };
    const { providerId, redirectUrl } = (await operator.ok('identity/provider/save', input)).provider;
    stranger.register(redirectUrl);
    const browser = new IdentityBrowser(server);
    await browser.signIn(providerId);
    const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const { url } = (await browser.call('identity/signIn/begin', { providerId, challenge })).data;
    const handed = { providerId, parameters: await browser.visit(url) };
    const { ticket } = (await browser.call('identity/signIn/handOver', handed)).data;
    const redeemed = { providerId, ticket, verifier: VERIFIER, browserId: 'client' };
    await browser.call('identity/signIn/redeem', redeemed);
    await browser.call('identity/proof/begin', {});
    stranger.user = { sub: 'the operator' };
    const own = new IdentityBrowser(server, operator);
    const parameters = await own.visit((await own.call('identity/link/begin', { providerId })).data.url);
    await own.call('identity/link/finish', { providerId, parameters });
    await operator.ok('identity/link/delete', { providerId });
    await operator.ok('identity/provider/delete', { providerId });
  } finally {
    stranger.stop();
  }
});

it('an account is linked to a directory', async () => {
  const directory = await DirectoryServer.start();
  try {
    await prove(operator, OPERATOR.password);
    const { providerId } = (await operator.ok('identity/provider/save', directoryInput(directoryOf(directory))))
      .provider;
    await operator.ok('identity/link/directory', { providerId, userName: 'anna', password: PEOPLE.anna });
    await operator.ok('identity/provider/delete', { providerId });
  } finally {
    await directory.stop();
  }
});

it('the operator resets a password, whose owner opens video and confirms the notice, and a second factor', async () => {
  const { client, userId } = await newUser('eve');
  const { recoveryCodes } = await enableTotp(client, PASSWORD);
  await prove(operator, OPERATOR.password);
  const { token } = await operator.ok('user/password/reset', { userId });
  await server.client().ok('account/password/reset/open', { token });
  await server.client().ok('account/password/reset/use', { token, password: OTHER });
  const signIn = { account: 'eve', password: OTHER, browserId: 'home', clientType: 'client' } as const;
  const { accessToken } = await client.ok('account/login', { ...signIn, verifyCode: recoveryCodes[0] ?? '' });
  const eve = server.client(accessToken);
  await eve.ok('account/video/open', { code: recoveryCodes[1] ?? '' });
  const { noticeList } = await eve.ok('account/notice/list', {});
  await eve.ok('account/notice/confirm', { noticeId: noticeList[0]?.noticeId ?? '' });
  const { client: fay, userId: fayId } = await newUser('fay');
  await enableTotp(fay, PASSWORD);
  await operator.ok('user/twofactor/reset', { userId: fayId });
});

it('an address is asked again, and its reader opens the question and agrees', async () => {
  const { client } = await newUser('kit');
  const wish = { kind: 'email', name: 'Mail', isEnabled: true, settings: { to: 'gus@example.net' } } as const;
  const { channelId } = (await client.ok('alarm/channel/save', wish)).channel;
  const token = await sink.consentToken('gus@example.net');
  await server.client().ok('alarm/consent/open', { token });
  // As if a week had passed.
  const back = 7 * 86_400_000;
  await runSql(
    server,
    `update mail_address set asked_at = asked_at - ${back}; update send_budget set full_at = 0;
    update mail_consent set asked_at = asked_at - ${back}, expires_at = expires_at - ${back}`,
  );
  const seen = sink.mails.length;
  await client.ok('alarm/channel/ask', { channelId, address: 'gus@example.net' });
  const answer = { token: await sink.consentToken('gus@example.net', seen), answer: 'confirm' } as const;
  expect(await server.client().ok('alarm/consent/answer', answer)).toMatchObject({ state: 'confirmed' });
});

it('a program sends an event by its key', async () => {
  const { device } = await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' });
  const { token } = await operator.ok('event/key/add', { name: 'Frigate' });
  const event = { deviceSerial: device.deviceSerial, channelNo: 1, type: 'PetDetect', picture: PNG } as const;
  expect((await server.client(token).ok('event/ingest', event)).isPictureStored).toBe(true);
});

it('an app asks and is allowed or refused, by its page and by the code of a device, and is withdrawn', async () => {
  const registered = await registerApp(operator, { scopeList: ['openid'] });
  const asked = { scope: 'openid' };
  for (const path of ['oauth/interaction/confirm', 'oauth/interaction/abort'] as const) {
    const app = new ThirdPartyApp(server, registered);
    const { interactionId } = await app.ask(asked);
    expect((await app.consoleCall('oauth/interaction/get', { interactionId }, null)).code).toBe(200);
    expect((await app.consoleCall(path, { interactionId }, operator.accessToken)).code, path).toBe(200);
  }
  const { body } = await new ThirdPartyApp(server, registered).post('/oidc/device/auth', asked);
  const { user_code: userCode } = JSON.parse(body) as { user_code: string };
  await operator.ok('oauth/device/get', { userCode });
  await operator.ok('oauth/device/confirm', { userCode, isAllowed: true });
  const { grantList } = await operator.ok('oauth/grant/list', {});
  await operator.ok('oauth/grant/revoke', { grantId: grantList[0]?.grantId ?? '' });
});

it('an app launches the console, which is confirmed and refused', async () => {
  const registered = await registerApp(operator, { scopeList: ['openid'] });
  for (const path of ['oauth/launch/confirm', 'oauth/launch/abort'] as const) {
    const app = new ThirdPartyApp(server, registered);
    const { access_token: token } = await app.token({ grant_type: 'client_credentials', scope: 'openid' });
    const order = { appId: registered.appId, redirectUri: REDIRECT_URI };
    const { authCode } = await server.client(token).ok('oauth/launch/begin', order);
    await server.client().ok('oauth/launch/get', { authCode });
    await server.client().ok(path, { authCode });
  }
});

it('with that, each call of the contract has succeeded: the server counted one success of each of these', async () => {
  const { body } = await server.send({ path: '/metrics' });
  const succeeded = new Set(
    Array.from(body.matchAll(/_count\{call="([^"]+)",code="200"\} [1-9]/g), ([, path]) => path),
  );
  expect((Object.keys(refusedByDesign) as CallPath[]).filter((path) => !succeeded.has(path))).toEqual([]);
});
