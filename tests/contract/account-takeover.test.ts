// Account takeover by a reset: what a reset by the operator ends, announces and closes, what an owner's does not, and the end of every session.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '@vedette/contract/call.ts';
import type { CallInput, CallPath } from '@vedette/contract/calls/calls.ts';
import { calls } from '@vedette/contract/calls/calls.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { waitFor } from '../harness/wait-for.ts';
import { codeAt, enableTotp, prove, runSql } from './account-steps.ts';
import { goodInputs } from './good-inputs.ts';
import { createInputFixture, type InputFixture } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let sink: SmtpSink;
let site: ScriptedSite;
let operator: CallClient;
let stage: InputFixture;
let hosts = 20;
const PASSWORD = 'Secret-1';
const OTHER = 'Secret-2';
const CONSOLE = 'https://cameras.example.org';

beforeAll(async () => {
  [server, sink] = await Promise.all([ServerUnderTest.start(), SmtpSink.start()]);
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  stage = await createInputFixture(server, operator, site);
});
afterAll(async () => {
  await server?.stop();
  await sink?.stop();
});

interface Tenant {
  readonly client: CallClient;
  readonly userId: string;
  readonly deviceSerial: string;
}

async function newTenant(username: string): Promise<Tenant> {
  const { userId } = await operator.ok('user/add', { username, password: PASSWORD, userType: 2 });
  const client = await server.signIn(username, PASSWORD);
  hosts += 1;
  const { organizationId } = await client.ok('org/add', { organizationName: `Home of ${username}` });
  const order = { target: `rtsp://198.51.100.${hosts}/2`, deviceName: 'Door', organizationId };
  return { client, userId, deviceSerial: (await client.ok('device/add', order)).device.deviceSerial };
}

async function versionOf(caller: CallClient, userId: string): Promise<number> {
  const { userList } = await caller.ok('user/list', { pageSize: 1000 });
  return userList.find((user) => user.userId === userId)?.version ?? 0;
}

/** By hand, as an operator does it who has no address of the account. */
async function setPassword(caller: CallClient, userId: string, password: string) {
  return await caller.call('user/update', { userId, version: await versionOf(caller, userId), password });
}

const login = (account: string, browserId: string, more: Partial<CallInput<'account/login'>> = {}) =>
  server.client().call('account/login', { account, password: PASSWORD, browserId, clientType: 'client', ...more });

const watch = ({ deviceSerial }: Tenant, client: CallClient) =>
  client.call('media/url', { deviceSerial, channelNo: 1, quality: 0 });

/** As if a reset were this long ago. */
const letPass = (userId: string, ms: number) =>
  runSql(
    server,
    `update account set password_reset_at = greatest(0, password_reset_at - ${ms}), factor_reset_at = greatest(0, factor_reset_at - ${ms}),
     video_closed_until = greatest(0, video_closed_until - ${ms}) where account_id = '${userId}'`,
  );

async function sendMail(): Promise<void> {
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, mail: sink.settings, consoleUrl: CONSOLE }, version });
}

async function sendNoMail(): Promise<void> {
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, mail: null }, version });
}

const opening = (Object.keys(calls) as CallPath[]).filter((path) => (calls[path] as Call).opensVideo === true);

describe('[SE-41] a password reset by the operator', () => {
  it('ends sessions and trusted browsers, notifies the account and is in its audit log by name', async () => {
    const tenant = await newTenant('fay');
    const { recoveryCodes } = await enableTotp(tenant.client, PASSWORD);
    const trust = { verifyCode: recoveryCodes[0] ?? '', trustDevice: true };
    expect((await login('fay', 'home', trust)).code).toBe(200);
    expect((await login('fay', 'home')).code, 'trusted').toBe(200);
    expect((await setPassword(operator, tenant.userId, OTHER)).code).toBe(200);
    expect((await tenant.client.call('token/check', {})).code).toBe(1001);
    expect((await login('fay', 'home', { password: OTHER })).code, 'no longer trusted').toBe(2076);
    const again = await login('fay', 'home', { password: OTHER, verifyCode: recoveryCodes[1] ?? '' });
    const fay = server.client(again.data.accessToken);
    const { noticeList } = await fay.ok('account/notice/list', {});
    expect(noticeList).toMatchObject([{ kind: 'passwordReset', byName: OPERATOR.username }]);
    const { auditList } = await fay.ok('audit/list', { userName: OPERATOR.username });
    expect(auditList.map(({ call, userName, object }) => ({ call, userName, object }))).toContainEqual({
      call: 'user/update',
      userName: OPERATOR.username,
      object: `userId=${tenant.userId}`,
    });
    const [notice] = noticeList;
    await fay.ok('account/notice/confirm', { noticeId: notice?.noticeId ?? '' });
    expect((await fay.ok('account/notice/list', {})).noticeList).toEqual([]);
    expect((await fay.call('account/notice/confirm', { noticeId: notice?.noticeId ?? '' })).code).toBe(1007);
  });

  it('blocks viewing and sharing video as that account for 24 hours, and the notice stays', async () => {
    const tenant = await newTenant('gil');
    expect((await watch(tenant, tenant.client)).code).toBe(200);
    await setPassword(operator, tenant.userId, OTHER);
    const robber = await server.signIn('gil', OTHER);
    const refused = await watch(tenant, robber);
    expect(refused.code).toBe(1041);
    const { noticeList, videoClosedUntil } = await robber.ok('account/notice/list', {});
    expect((refused.data as unknown as { until: number }).until).toBe(videoClosedUntil);
    expect(Math.abs(videoClosedUntil - Date.now() - 24 * HOUR_MS)).toBeLessThan(60_000);
    expect((await robber.call('account/notice/confirm', { noticeId: noticeList[0]?.noticeId ?? '' })).code).toBe(1041);
    await letPass(tenant.userId, 23 * HOUR_MS);
    expect((await watch(tenant, robber)).code).toBe(1041);
    await letPass(tenant.userId, HOUR_MS);
    expect((await watch(tenant, robber)).code).toBe(200);
    await robber.ok('account/notice/confirm', { noticeId: noticeList[0]?.noticeId ?? '' });
  });

  it('lets only a recovery code from before the reset open video', async () => {
    const tenant = await newTenant('hal');
    const { secret, recoveryCodes } = await enableTotp(tenant.client, PASSWORD);
    await setPassword(operator, tenant.userId, OTHER);
    const verifyCode = await codeAt(secret);
    const answer = await login('hal', 'home', { password: OTHER, verifyCode });
    const hal = server.client(answer.data.accessToken);
    expect((await watch(tenant, hal)).code).toBe(1041);
    expect((await hal.call('account/video/open', { code: '123456' })).code).toBe(1015);
    expect((await hal.call('account/video/open', { code: 'AAAA-AAAA-AAAA-AAAA' })).code).toBe(1015);
    await hal.ok('account/video/open', { code: recoveryCodes[0] ?? '' });
    expect((await watch(tenant, hal)).code).toBe(200);

    const other = await newTenant('ian');
    await setPassword(operator, other.userId, OTHER);
    const robber = await server.signIn('ian', OTHER);
    const made = await enableTotp(robber, OTHER);
    await robber.ok('account/video/open', { code: made.recoveryCodes[0] ?? '' });
    expect((await watch(other, robber)).code, 'codes that the robber made').toBe(1041);
    await prove(robber, OTHER, made.recoveryCodes[1]);
    const renewed = await robber.ok('account/twofactor/recovery', {});
    await robber.ok('account/video/open', { code: renewed.recoveryCodes[0] ?? '' });
    expect((await watch(other, robber)).code).toBe(1041);
  });

  it('excludes a 2FA reset within 24 hours, in either order', async () => {
    const tenant = await newTenant('joy');
    await enableTotp(tenant.client, PASSWORD);
    await prove(operator, OPERATOR.password);
    await setPassword(operator, tenant.userId, OTHER);
    const { userId } = tenant;
    expect((await operator.call('user/twofactor/reset', { userId })).code).toBe(1042);
    await letPass(userId, 24 * HOUR_MS);
    await operator.ok('user/twofactor/reset', { userId });
    expect((await setPassword(operator, userId, PASSWORD)).code).toBe(1042);
    expect((await operator.call('user/password/reset', { userId })).code).toBe(1042);
    const joy = await server.signIn('joy', OTHER);
    const { noticeList } = await joy.ok('account/notice/list', {});
    expect(noticeList.map(({ kind }) => kind)).toEqual(['passwordReset', 'factorReset']);
    const { auditList } = await joy.ok('audit/list', { userName: OPERATOR.username });
    expect(auditList.map(({ call, code }) => `${call} ${code}`)).toEqual(
      expect.arrayContaining(['user/twofactor/reset 200', 'user/twofactor/reset 1042', 'user/password/reset 1042']),
    );
    await letPass(userId, 24 * HOUR_MS);
    expect((await setPassword(operator, userId, PASSWORD)).code).toBe(200);
  });

  it.each(opening)('closes %s', async (path) => {
    const known = closed.get('kim') ?? (await closedTenant('kim'));
    closed.set('kim', known);
    const { tenant, robber } = known;
    const { deviceSerial } = tenant;
    const input = goodInputs[path]({ ...stage, deviceSerial, spareSerial: deviceSerial, thirdSerial: deviceSerial });
    const answer = await robber.raw(path, input);
    expect(answer.code, JSON.stringify(answer)).toBe(1041);
  });

  it('covers every call that shows or plays media, also future ones', () => {
    const watching = (Object.keys(calls) as CallPath[]).filter((path) => {
      const { permission, audit }: Call = calls[path];
      return audit === 'watch' && 'action' in permission && permission.action !== 'PtzControl';
    });
    expect(watching.length).toBeGreaterThan(5);
    expect(watching.filter((path) => !opening.includes(path))).toEqual([]);
  });

  it('issues no ticket to it by any other call', async () => {
    const tickets = await runSql(server, 'select account_id, kind from media_ticket');
    for (const { tenant } of closed.values()) {
      expect(tickets.filter(({ account_id }) => account_id === tenant.userId)).toEqual([]);
    }
  });

  it('sends the link to the confirmed address alone where there is one, and closes nothing then', async () => {
    await sendMail();
    const tenant = await newTenant('lou');
    const seen = sink.mails.length;
    await tenant.client.ok('account/verifyCode/send', { target: 'lou@example.org', purpose: 'bind' });
    const verifyCode = await sink.code('lou@example.org', seen);
    await tenant.client.ok('account/contact/bind', { target: 'lou@example.org', verifyCode, password: PASSWORD });
    await prove(operator, OPERATOR.password);
    expect(await setPassword(operator, tenant.userId, OTHER)).toMatchObject({
      code: 1043,
      data: { target: 'l•••@example.org' },
    });
    expect((await tenant.client.call('token/check', {})).code, 'nothing happened').toBe(200);
    const sent = sink.mails.length;
    const answer = await operator.ok('user/password/reset', { userId: tenant.userId });
    expect(answer).toMatchObject({ sentTo: 'l•••@example.org', token: '' });
    expect((await tenant.client.call('token/check', {})).code).toBe(1001);
    const mail = await sink.mail('lou@example.org', sent);
    expect(mail.text).toContain(OPERATOR.username);
    expect(mail.text, 'as the operator set it, whatever the caller names us').toContain(`${CONSOLE}/resetPwd#`);
    const token = /\/resetPwd#reset=([A-Za-z0-9_-]{43})/.exec(mail.text)?.[1] ?? '';
    const guest = server.client();
    expect(await guest.ok('account/password/reset/open', { token })).toMatchObject({ userName: 'lou' });
    await guest.ok('account/password/reset/use', { token, password: OTHER });
    expect((await guest.call('account/password/reset/use', { token, password: 'Secret-3' })).code, 'once').toBe(1007);
    expect((await guest.call('account/password/reset/open', { token })).code).toBe(1007);
    expect((await watch(tenant, await server.signIn('lou', OTHER))).code).toBe(200);
    await sendNoMail();
  });

  it('returns the link for an account without an address; using it closes video for a day', async () => {
    const tenant = await newTenant('max');
    await prove(operator, OPERATOR.password);
    const { token, sentTo } = await operator.ok('user/password/reset', { userId: tenant.userId });
    expect(sentTo).toBe('');
    const newer = await operator.ok('user/password/reset', { userId: tenant.userId });
    const guest = server.client();
    expect((await guest.call('account/password/reset/use', { token, password: OTHER })).code, 'the newest counts').toBe(
      1007,
    );
    const both = await Promise.all(
      [OTHER, 'Secret-3'].map((password) => guest.call('account/password/reset/use', { token: newer.token, password })),
    );
    expect(both.map(({ code }) => code).sort()).toEqual([1007, 200].sort());
    const password = both[0]?.code === 200 ? OTHER : 'Secret-3';
    expect((await watch(tenant, await server.signIn('max', password))).code).toBe(1041);
    const last = await operator.ok('user/password/reset', { userId: tenant.userId });
    await runSql(server, 'update password_reset set expires_at = 1');
    expect((await guest.call('account/password/reset/open', { token: last.token })).code, 'over').toBe(1007);
  });
});

const closed = new Map<string, { tenant: Tenant; robber: CallClient }>();

async function closedTenant(username: string) {
  const tenant = await newTenant(username);
  await setPassword(operator, tenant.userId, OTHER);
  return { tenant, robber: await server.signIn(username, OTHER) };
}

describe('a password reset by an owner', () => {
  it('of its sub-account ends sessions and trusted browsers, notifies it, and closes nothing', async () => {
    const { client: owner, deviceSerial } = await newTenant('ned');
    const { organizationId } = (await owner.ok('device/get', { deviceSerial })).device;
    const { roleId } = await owner.ok('role/add', {
      roleName: 'Guards',
      permissions: ['Realplay'],
      resources: [{ organizationId }],
    });
    const { userId } = await owner.ok('user/add', { username: 'guard', password: PASSWORD, roleIds: [roleId] });
    const guard = await server.signIn('guard', PASSWORD);
    const { recoveryCodes } = await enableTotp(guard, PASSWORD);
    await login('guard', 'post', { verifyCode: recoveryCodes[0] ?? '', trustDevice: true });
    expect((await setPassword(owner, userId, OTHER)).code).toBe(200);
    expect((await guard.call('token/check', {})).code).toBe(1001);
    expect((await login('guard', 'post', { password: OTHER })).code).toBe(2076);
    await prove(owner, PASSWORD);
    await owner.ok('user/twofactor/reset', { userId });
    const again = await server.signIn('guard', OTHER);
    expect((await again.call('media/url', { deviceSerial, channelNo: 1, quality: 0 })).code).toBe(200);
    const { noticeList, videoClosedUntil } = await again.ok('account/notice/list', {});
    expect(noticeList).toMatchObject([
      { kind: 'passwordReset', byName: 'ned' },
      { kind: 'factorReset', byName: 'ned' },
    ]);
    expect(videoClosedUntil).toBe(0);
  });

  it('[SE-28] is refused for other accounts, and to sub-accounts', async () => {
    const { client: owner } = await newTenant('oda');
    const { userId } = await newTenant('pit');
    await owner.ok('user/add', { username: 'clerk_oda', password: PASSWORD });
    const clerk = await server.signIn('clerk_oda', PASSWORD);
    await Promise.all([prove(owner, PASSWORD), prove(clerk, PASSWORD)]);
    for (const path of ['user/password/reset', 'user/twofactor/reset'] as const) {
      expect((await owner.call(path, { userId })).code).toBe(1007);
      expect((await clerk.call(path, { userId })).code).toBe(1004);
    }
  });
});

describe('[SE-14] a session', () => {
  it('ends after 90 days of use, sooner where the operator says so, and answers when', async () => {
    const { client } = await newTenant('quinn');
    const day = 24 * HOUR_MS;
    const { userId } = await client.ok('account/info', {});
    const old = (days: number) =>
      runSql(
        server,
        `update session set created_at = ${Date.now() - days * day}, last_used_at = 1 where account_id = '${userId}'`,
      );
    await old(80);
    const { expireTime } = await client.ok('token/check', {});
    expect(Math.abs(expireTime - Date.now() - 10 * day)).toBeLessThan(60_000);
    const socket = server.webSocket('/ws');
    const ended = new Promise<unknown>((resolve) => {
      socket.on('message', (raw: Buffer) => {
        const message = JSON.parse(raw.toString('utf8')) as { type: string; code?: number };
        if (message.type === 'end') resolve(message.code);
      });
    });
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: client.accessToken })));
    await waitFor('the page', async () => socket.readyState === socket.OPEN);
    const { config, version } = await operator.ok('system/account/get', {});
    expect(config.sessionDays).toBe(90);
    await operator.ok('system/account/set', { config: { ...config, sessionDays: 79 }, version });
    expect((await client.call('token/check', {})).code).toBe(1002);
    expect(await ended, 'an open page goes too').toBe(1002);
    const fresh = await login('quinn', 'new');
    expect(fresh.data.expireTime).toBeLessThan(Date.now() + 31 * day);
    await operator.ok('system/account/set', { config: { ...config, sessionDays: 1 }, version: version + 1 });
    const short = await login('quinn', 'new');
    expect(Math.abs(short.data.expireTime - Date.now() - day)).toBeLessThan(60_000);
    await operator.ok('system/account/set', { config, version: version + 2 });
  });
});
