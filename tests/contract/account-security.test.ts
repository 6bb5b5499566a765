// Two-factor authentication, trusted browsers, contacts, invitations, attempt limits, and deleting an account.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { waitFor } from '../harness/wait-for.ts';
import { codeAt, enableTotp as enableTotpWith, prove, runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let sink: SmtpSink;
let operator: CallClient;
const PASSWORD = 'Secret-1';

beforeAll(async () => {
  [server, sink] = await Promise.all([ServerUnderTest.start(), SmtpSink.start()]);
  operator = await server.setUp();
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, mail: sink.settings }, version });
});
afterAll(async () => {
  await server?.stop();
  await sink?.stop();
});

async function newUser(username: string, userType = 2): Promise<CallClient> {
  await operator.ok('user/add', { username, password: PASSWORD, userType });
  return await server.signIn(username, PASSWORD);
}

const login = (account: string, browserId: string, more: object = {}) =>
  server.client().call('account/login', {
    account,
    password: PASSWORD,
    browserId,
    clientType: 'client',
    ...more,
  } as never);

async function enableTotp(client: CallClient): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret, otpauthUrl, recoveryCodes } = await enableTotpWith(client, PASSWORD);
  expect(otpauthUrl).toContain(secret);
  return { secret, recoveryCodes };
}

const ask = (target: string) =>
  server.client().call('account/verifyCode/send', { target, purpose: 'login', clientType: 'client' });
const forgetTries = () => runSql(server, 'delete from attempt');

describe('[PM-07] two-factor authentication', () => {
  it('[SE-15] is required after the password alone, accepts a code once, and never a wrong one', async () => {
    const ann = await newUser('ann');
    expect((await ann.ok('account/info', {})).secondFactor).toBeNull();
    await prove(ann, PASSWORD);
    const begun = await ann.ok('account/twofactor/begin', {});
    expect((await ann.call('account/twofactor/enable', { code: '000000' })).code).toBe(1015);
    // Prepared is not on.
    expect((await login('ann', 'new')).code).toBe(200);
    const enabled = await ann.ok('account/twofactor/enable', { code: await codeAt(begun.secret, -30_000) });
    expect((await ann.ok('account/info', {})).secondFactor).toBe('totp');
    await prove(ann, PASSWORD, enabled.recoveryCodes[0]);
    expect((await ann.call('account/twofactor/begin', {})).code).toBe(1016);
    const asked = await login('ann', 'other');
    expect(asked).toMatchObject({ code: 2076, data: { methods: ['totp', 'recovery'], target: '' } });
    expect((await login('ann', 'other', { password: 'Wrong-1' })).code).toBe(2004);
    expect((await login('ann', 'other', { verifyCode: '000000' })).code).toBe(1015);
    const verifyCode = await codeAt(begun.secret);
    const [one, two] = await Promise.all([
      login('ann', 'other', { verifyCode }),
      login('ann', 'another', { verifyCode }),
    ]);
    expect([one.code, two.code].sort()).toEqual([1015, 200].sort());
    expect((await login('ann', 'other', { verifyCode })).code).toBe(1015);
  });

  it('[SE-04] limits guesses, with separate attempts for a known browser of the owner', async () => {
    const bob = await newUser('bob');
    const { secret } = await enableTotp(bob);
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_none, at) => login('bob', `robber ${at}`, { verifyCode: '000000' })),
    );
    expect(codes.filter(({ code }) => code === 1015).length).toBeLessThanOrEqual(20);
    expect(codes.some(({ code }) => code === 1005)).toBe(true);
    expect((await login('bob', 'browser of bob', { verifyCode: await codeAt(secret) })).code).toBe(200);
    await forgetTries();
  });

  it('[SE-15] a recovery code works once, in either spelling, for its own account alone', async () => {
    const cat = await newUser('cat');
    const { recoveryCodes } = await enableTotp(cat);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', second = '', third = ''] = recoveryCodes;
    expect((await login('cat', 'x', { verifyCode: first })).code).toBe(200);
    expect((await login('cat', 'x', { verifyCode: first })).code).toBe(1015);
    expect((await login('cat', 'x', { verifyCode: second.replaceAll('-', '').toLowerCase() })).code).toBe(200);
    const rows = await runSql(server, 'select code_hash from recovery_code');
    expect(JSON.stringify(rows)).not.toContain(first);
    const eve = await newUser('eve');
    const theirs = await enableTotp(eve);
    expect((await login('cat', 'x', { verifyCode: theirs.recoveryCodes[0] })).code, 'a code of another').toBe(1015);
    await prove(eve, PASSWORD, theirs.recoveryCodes[0]);
    await eve.ok('account/twofactor/disable', {});
    expect((await login('cat', 'x')).code, 'after another switched off').toBe(2076);
    expect((await login('cat', 'x', { verifyCode: third })).code).toBe(200);
  });

  it('[PM-07] [SE-15] [SE-17] a trusted browser skips it until removed, for its own account alone', async () => {
    const dan = await newUser('dan');
    const { secret, recoveryCodes } = await enableTotp(dan);
    const fred = await newUser('fred');
    const { secret: secretOfFred, recoveryCodes: codesOfFred } = await enableTotp(fred);
    expect((await login('dan', 'home', { trustDevice: true })).code).toBe(2076);
    const [codeOfDan, codeOfFred] = [await codeAt(secret), await codeAt(secretOfFred)];
    expect((await login('dan', 'home', { trustDevice: true, verifyCode: codeOfDan })).code).toBe(200);
    expect((await login('fred', 'away', { verifyCode: codeOfFred })).code, 'the same step, another account').toBe(200);
    expect((await login('dan', 'home')).code).toBe(200);
    expect((await login('dan', 'home', { password: 'Wrong-1' })).code).toBe(2004);
    expect((await login('fred', 'home')).code).toBe(2076);
    const { trustDeviceList, total } = await dan.ok('trustDevice/list', {});
    expect(total).toBe(1);
    expect((await fred.ok('trustDevice/list', {})).total, 'of another').toBe(0);
    const mark = trustDeviceList[0]?.browserId ?? '';
    expect(mark).not.toBe('home');
    expect((await login('dan', mark)).code).toBe(2076);
    await Promise.all([prove(fred, PASSWORD, codesOfFred[0]), prove(dan, PASSWORD, recoveryCodes[0])]);
    expect((await fred.call('trustDevice/delete', { browserId: mark })).code).toBe(1007);
    await dan.ok('trustDevice/delete', { browserId: mark });
    expect((await login('dan', 'home')).code).toBe(2076);
    expect((await dan.ok('trustDevice/list', {})).total).toBe(0);
  });

  it('a new password removes all trusted browsers, and disabling takes a code', async () => {
    const gus = await newUser('gus');
    const { secret, recoveryCodes } = await enableTotp(gus);
    await login('gus', 'home', { trustDevice: true, verifyCode: await codeAt(secret) });
    await prove(gus, PASSWORD, recoveryCodes[0]);
    await gus.ok('account/password/change', { oldPassword: PASSWORD, password: 'Secret-2' });
    expect((await login('gus', 'home', { password: 'Secret-2' })).code).toBe(2076);
    expect((await gus.call('account/twofactor/disable', { code: '000000' })).code).toBe(1015);
    await gus.ok('account/twofactor/disable', { code: recoveryCodes[1] ?? '' });
    expect((await login('gus', 'home', { password: 'Secret-2' })).code).toBe(200);
    expect((await gus.call('account/twofactor/disable', { code: '000000' })).code).toBe(1007);
  });

  it('can send codes to the bound address, which is shown masked', async () => {
    const seen = sink.mails.length;
    const hal = await newUser('hal');
    await prove(hal, PASSWORD);
    expect((await hal.call('account/twofactor/begin', { method: 'message' })).code).toBe(1006);
    await hal.ok('account/verifyCode/send', { target: 'Hal@example.org', purpose: 'bind' });
    const bind = { target: 'hal@example.org', verifyCode: await sink.code('hal@example.org', seen) };
    expect((await hal.call('account/contact/bind', { ...bind, password: 'Wrong-1' })).code).toBe(2004);
    const bound = await hal.ok('account/contact/bind', { ...bind, password: PASSWORD });
    expect(bound.email).toBe('hal@example.org');
    expect(await hal.ok('account/twofactor/begin', { method: 'message' })).toMatchObject({
      target: 'h•••@example.org',
    });
    await forgetTries();
    const sent = sink.mails.length;
    await hal.ok('account/verifyCode/send', { target: 'hal', purpose: 'login' });
    const { recoveryCodes } = await hal.ok('account/twofactor/enable', {
      code: await sink.code('hal@example.org', sent),
    });
    expect(await login('hal', 'new')).toMatchObject({
      code: 2076,
      data: { methods: ['message', 'recovery'], target: 'h•••@example.org' },
    });
    await forgetTries();
    const again = sink.mails.length;
    // Who did not give the password makes nothing be sent, and learns nothing.
    expect((await ask('hal')).code).toBe(200);
    await login('hal', 'new');
    expect(await ask('hal')).toEqual(await ask('nobody_at_all'));
    const verifyCode = await sink.code('hal@example.org', again);
    expect(sink.mails.slice(again).filter(({ to }) => to === 'hal@example.org')).toHaveLength(1);
    expect((await login('ann', 'new', { verifyCode })).code).toBe(1015);
    expect((await login('hal', 'new', { verifyCode })).code).toBe(200);
    expect((await login('hal', 'new2', { verifyCode })).code).toBe(1015);
    // Its codes would have nowhere to go.
    await prove(hal, PASSWORD, recoveryCodes[0]);
    expect((await hal.call('account/contact/unbind', { kind: 'email', password: PASSWORD })).code).toBe(1004);
    await forgetTries();
  });

  it('[SE-04] [SE-17] a contact code is bound to the account that asked, and no account gets the address of another', async () => {
    await forgetTries();
    const [ivy, jon] = [await newUser('ivy'), await newUser('jon')];
    const seen = sink.mails.length;
    expect(
      (await server.client().call('account/verifyCode/send', { target: 'i@example.org', purpose: 'bind' })).code,
    ).toBe(1001);
    await ivy.ok('account/verifyCode/send', { target: 'i@example.org', purpose: 'bind' });
    const verifyCode = await sink.code('i@example.org', seen);
    const bind = { target: 'i@example.org', verifyCode, password: PASSWORD };
    expect((await jon.call('account/contact/bind', bind)).code).toBe(1015);
    await ivy.ok('account/contact/bind', bind);
    await forgetTries();
    await jon.ok('account/verifyCode/send', { target: 'i@example.org', purpose: 'bind' });
    const other = { ...bind, verifyCode: await sink.code('i@example.org', seen + 1) };
    const answer = await jon.call('account/contact/bind', other);
    expect([1015, 1016]).toContain(answer.code);
    expect((await ivy.ok('account/contact/unbind', { kind: 'email', password: PASSWORD })).email).toBe('');
  });
});

describe('attempt limits', () => {
  it('[SE-01] [SE-02] survive a restart, count an account under all its names, and never lock its owner out', async () => {
    await forgetTries();
    const seen = sink.mails.length;
    const kay = await newUser('kay');
    await kay.ok('account/verifyCode/send', { target: 'kay@example.org', purpose: 'bind' });
    const bind = {
      target: 'kay@example.org',
      verifyCode: await sink.code('kay@example.org', seen),
      password: PASSWORD,
    };
    await kay.ok('account/contact/bind', bind);
    const wrong = { password: 'Wrong-1' };
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_none, at) => login(at % 2 === 0 ? 'kay' : 'KAY@example.org', `robber ${at}`, wrong)),
    );
    expect(codes.filter(({ code }) => code === 2004).length).toBeLessThanOrEqual(20);
    // As if they had gone on for long: waits of seconds would be over by the next lines.
    await runSql(server, 'insert into attempt select attempt_id || n, key, at from attempt, generate_series(1, 5) n');
    expect((await login('kay', 'robber')).code).toBe(2031);
    await server.end();
    await server.run();
    expect((await login('kay@example.org', 'robber')).code).toBe(2031);
    expect((await login('kay', 'browser of kay')).code).toBe(200);
    expect((await kay.call('token/check', {})).code).toBe(200);
    const kept = JSON.stringify(await runSql(server, 'select * from attempt'));
    expect(kept).not.toContain('kay');
  });
});

describe('invitations', () => {
  it('[SE-28] an invitation creates one account of its type, once, below its creator', async () => {
    await forgetTries();
    const liz = await newUser('liz');
    expect((await liz.call('user/invitation/create', { userType: 0 })).code).toBe(1004);
    const { token, invitation } = await liz.ok('user/invitation/create', { description: 'For Max' });
    expect(invitation.userType).toBe(5);
    expect(JSON.stringify(await liz.ok('user/invitation/list', {}))).not.toContain(token);
    expect((await operator.ok('user/invitation/list', {})).total).toBe(0);
    expect((await operator.call('user/invitation/revoke', { invitationId: invitation.invitationId })).code).toBe(1007);
    const guest = server.client();
    expect(await guest.ok('user/invitation/open', { token })).toMatchObject({ inviterName: 'liz', userType: 5 });
    const wish = { token, username: 'max', password: PASSWORD };
    expect((await guest.call('user/invitation/accept', { ...wish, username: 'LIZ' })).code).toBe(1016);
    const taken = await Promise.all(
      [1, 2, 3].map((at) => guest.call('user/invitation/accept', { ...wish, username: `max${at}` })),
    );
    expect(taken.map(({ code }) => code).sort()).toEqual([1007, 1007, 200].sort());
    expect((await guest.call('user/invitation/open', { token })).code).toBe(1007);
    expect((await liz.ok('user/list', {})).total).toBe(1);
    expect((await liz.ok('user/invitation/list', {})).total).toBe(0);
  });

  it('ends by expiry, by withdrawal, and with its creator', async () => {
    const ned = await newUser('ned');
    const make = async () => await ned.ok('user/invitation/create', {});
    const [old, gone, last] = [await make(), await make(), await make()];
    await runSql(server, `update invitation set expires_at = 1 where invitation_id = '${old.invitation.invitationId}'`);
    await ned.ok('user/invitation/revoke', { invitationId: gone.invitation.invitationId });
    const open = (token: string) => server.client().call('user/invitation/open', { token });
    const guessed = await open('A'.repeat(43));
    expect(guessed.code).toBe(1007);
    expect(await open(old.token)).toEqual(guessed);
    expect(await open(gone.token)).toEqual(guessed);
    expect((await open(last.token)).code).toBe(200);
    await operator.ok('user/enable', { userId: (await ned.ok('account/info', {})).userId, isEnabled: false });
    expect(await open(last.token)).toEqual(guessed);
  });
});

describe('erasing an account', () => {
  it('[SE-103] asks for the password, ends everything of the account, and keeps the last operator', async () => {
    await forgetTries();
    const site = await ScriptedSite.dial(server);
    const [owner, friend] = [await newUser('owner'), await newUser('friend')];
    const { organizationId } = await owner.ok('org/add', { organizationName: 'canary-org' });
    const { device } = await owner.ok('device/add', {
      target: 'rtsp://192.0.2.50/1',
      deviceName: 'canary-device',
      organizationId,
    });
    const { deviceSerial } = device;
    await owner.ok('user/add', { username: 'clerk', password: PASSWORD });
    const clerk = await server.signIn('clerk', PASSWORD);
    await owner.ok('share/add', { account: 'friend', items: [{ deviceSerial }], permission: ['videoView'] });
    await site.reportEvent(deviceSerial, { topic: 'tns1:VideoSource/MotionAlarm' });
    await waitFor('the alarm', async () => (await owner.ok('alarm/list', {})).alarmList.length > 0);
    expect((await owner.call('account/erase', { password: 'Wrong-1' })).code).toBe(2004);
    await owner.ok('account/erase', { password: PASSWORD });
    for (const client of [owner, clerk]) expect((await client.call('token/check', {})).code).toBe(1001);
    expect((await login('owner', 'new')).code).toBe(2004);
    expect((await friend.ok('device/list', {})).total).toBe(0);
    const tables = ['account', 'organization', 'device', 'alarm', 'share', 'grant_row', 'session', 'open_alarm'];
    for (const table of tables) {
      const rows = JSON.stringify(await runSql(server, `select row_to_json(t)::text as row from ${table} t`));
      expect(rows, table).not.toContain('canary');
      expect(rows, table).not.toContain(deviceSerial);
      expect(rows, table).not.toContain('"owner"');
    }
    expect((await operator.call('account/erase', { password: 'Watch-2026' })).code).toBe(1004);
    expect((await operator.call('token/check', {})).code).toBe(200);
    await site.hangUp();
  });
});

it('[SE-88] an avatar is an image and nothing executable', async () => {
  const pat = await newUser('pat');
  for (const avatar of ['data:image/svg+xml;base64,PHN2Zz4=', 'javascript:x', 'https://example.org/x.png']) {
    expect((await pat.raw('account/update', { avatar })).code, avatar).toBe(1003);
  }
  const avatar = 'data:image/png;base64,iVBORw0KGgo=';
  expect((await pat.ok('account/update', { avatar })).avatar).toBe(avatar);
  const { sessionList } = await pat.ok('account/session/list', {});
  expect(Object.keys(sessionList[0] ?? {})).not.toContain('browserId');
});
