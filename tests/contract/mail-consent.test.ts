// Double opt-in of alarm mail: one confirmation mail per address before it agreed, and nothing after a refusal.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { AlarmDelivery } from '@vedette/contract/calls/alarm-rule.ts';
import { MAIL_CONSENT, SEND_LIMITS } from '@vedette/contract/limits.ts';
import { SmtpSink, type ReceivedMail } from '../harness/smtp-sink.ts';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const PASSWORD = 'Secret-1';

let server: ServerUnderTest;
let sink: SmtpSink;
let site: ScriptedSite;
let operator: CallClient;
let camera: string;

beforeAll(async () => {
  [server, sink] = await Promise.all([ServerUnderTest.start(), SmtpSink.start()]);
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  await setMail({ mail: sink.settings });
});
afterAll(async () => {
  await site?.hangUp();
  await Promise.all([server?.stop(), sink?.stop()]);
});

async function setMail(change: object): Promise<void> {
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, ...change }, version });
}

async function newAccount(username: string): Promise<CallClient> {
  await operator.ok('user/add', { username, password: PASSWORD, userType: 2 });
  return await server.signIn(username, PASSWORD);
}

type Channel = CallOutput<'alarm/channel/save'>['channel'];

async function saveChannel(caller: CallClient, to: string, before?: Channel): Promise<Channel> {
  const place = before === undefined ? {} : { channelId: before.channelId, version: before.version };
  const wish = { ...place, kind: 'email', name: 'Mail', isEnabled: true, settings: { to } } as const;
  return (await caller.ok('alarm/channel/save', wish)).channel;
}

const mailsTo = (address: string) => sink.mails.filter(({ to }) => to === address);
const isQuestion = ({ text }: ReceivedMail) => /^Subject: Do you want alarm messages/m.test(text);
const wordIn = ({ text }: ReceivedMail) => /\/alarmMail#mail=([\w-]+)/.exec(text)?.[1] ?? '';

/** The word in the link of the newest question to this address. */
async function question(address: string, count = 1): Promise<string> {
  const asked = () => mailsTo(address).filter(isQuestion);
  await waitFor(`question ${count} to ${address}`, () => asked().length >= count);
  return wordIn(asked().at(-1)!);
}

const stateIn = (channel: Channel, address: string) =>
  channel.addressList.find((one) => one.address === address)?.state;

async function states(caller: CallClient): Promise<Record<string, string>> {
  const { channelList } = await caller.ok('alarm/channel/list', {});
  return Object.fromEntries(channelList.flatMap((one) => one.addressList).map((one) => [one.address, one.state]));
}

/** As if so much time had passed since questions were sent. */
const letPass = (ms: number) =>
  runSql(
    server,
    `update mail_address set asked_at = asked_at - ${ms}; update send_budget set full_at = 0;
     update mail_consent set asked_at = asked_at - ${ms}, expires_at = greatest(0, expires_at - ${ms})`,
  );

const answer = (token: string, said: 'confirm' | 'refuse') =>
  server.client().call('alarm/consent/answer', { token, answer: said });
const test = (caller: CallClient, { channelId }: Channel) => caller.ok('alarm/channel/test', { channelId });
const DONE = { isDone: true, reason: null, detail: '' };
const UNCONFIRMED = { isDone: false, reason: 'unconfirmed', detail: '' };

async function ruleFor(caller: CallClient, { channelId }: Channel, type: 'FireAlarm' | 'SmokeAlarm') {
  const { rule } = await caller.ok('alarm/rule/save', {
    name: type,
    isEnabled: true,
    types: [type],
    groups: [],
    leastSeverity: 'info',
    sources: [],
    plan: null,
    timeZone: 'UTC',
    pauseS: 0,
    actions: [{ kind: 'notify', channelIds: [channelId] }],
  });
  return async (count: number): Promise<AlarmDelivery[]> =>
    await waitFor(`${count} deliveries`, async () => {
      const { deliveryList } = await caller.ok('alarm/delivery/list', { ruleId: rule.ruleId });
      return deliveryList.length === count && deliveryList.every(({ state }) => state !== 'waiting') && deliveryList;
    });
}

describe('[SE-100] an unconfirmed address', () => {
  it('gets one confirmation mail, and no test', async () => {
    const tenant = await newAccount('tester');
    const channel = await saveChannel(tenant, 'stranger@example.net');
    expect(channel.addressList).toMatchObject([{ address: 'stranger@example.net', state: 'waiting' }]);
    expect(channel.addressList[0]?.askAgainTime).toBeGreaterThan(Date.now() + DAY_MS - 60_000);
    await question('stranger@example.net');
    for (let round = 0; round < 8; round += 1) expect(await test(tenant, channel)).toEqual(UNCONFIRMED);
    await ruleFor(tenant, channel, 'SmokeAlarm');
    const [rule] = (await tenant.ok('alarm/rule/list', {})).ruleList;
    const { resultList } = await tenant.ok('alarm/rule/test', { ruleId: rule?.ruleId ?? '' });
    expect(resultList, 'nor by the test of a rule').toMatchObject([UNCONFIRMED]);
    expect(mailsTo('stranger@example.net').map(isQuestion), 'one question and no test').toEqual([true]);
  });

  it('gets no alarm: the log says why, and who did get it', async () => {
    const channel = await saveChannel(operator, 'guard@example.net, late@example.net');
    const fires = await ruleFor(operator, channel, 'FireAlarm');
    await site.reportEvent(camera, { topic: 'tnsvdt:Alarm/FireAlarm', key: 'one' });
    expect(await fires(1)).toMatchObject([{ state: 'skipped', reason: 'unconfirmed', attempts: 1 }]);
    await answer(await question('guard@example.net'), 'confirm');
    await site.reportEvent(camera, { topic: 'tnsvdt:Alarm/FireAlarm', key: 'two' });
    expect((await fires(2))[0]).toMatchObject({ state: 'done', reason: 'unconfirmed', detail: '1/2' });
    await answer(await question('late@example.net'), 'confirm');
    await site.reportEvent(camera, { topic: 'tnsvdt:Alarm/FireAlarm', key: 'three' });
    expect((await fires(3))[0]).toMatchObject({ state: 'done', reason: null, detail: '' });
    expect(mailsTo('guard@example.net').map(isQuestion)).toEqual([true, false, false]);
    expect(mailsTo('late@example.net').map(isQuestion)).toEqual([true, false]);
  });

  it('is asked once in any spelling, in any number of channels, and by any account', async () => {
    const [one, other] = [await newAccount('one'), await newAccount('other')];
    const channel = await saveChannel(one, 'Bob@example.net, bob@EXAMPLE.net');
    await question('bob@example.net');
    expect(stateIn(await saveChannel(one, 'bob@example.net'), 'bob@example.net')).toBe('waiting');
    expect(stateIn(await saveChannel(other, 'bob@example.net'), 'bob@example.net'), 'asked a moment ago').toBe(
      'unasked',
    );
    const aliased = await saveChannel(other, 'bob+1@example.net, bob+2@example.net');
    expect(
      aliased.addressList.map(({ state }) => state),
      'the same mailbox',
    ).toEqual(['unasked', 'unasked']);
    for (const { channelId } of (await one.ok('alarm/channel/list', {})).channelList) {
      await one.ok('alarm/channel/delete', { channelId });
    }
    const again = await saveChannel(one, 'bob@example.net');
    expect(again.channelId).not.toBe(channel.channelId);
    for (const { channelId } of [again, aliased]) {
      const refused = await (channelId === again.channelId ? one : other).call('alarm/channel/ask', {
        channelId,
        address: channelId === again.channelId ? 'bob@example.net' : 'bob+1@example.net',
      });
      expect(refused.code).toBe(1005);
      expect((refused.data as unknown as { retryAfter: number }).retryAfter).toBeGreaterThan(DAY_MS / 1000 - 60);
    }
    expect(sink.mails.filter(({ to }) => to.startsWith('bob'))).toHaveLength(1);
  });

  it('is asked again after a day, a week and a month, and each mail invalidates the link before it', async () => {
    const tenant = await newAccount('patient');
    const { channelId } = await saveChannel(tenant, 'Slow@example.net');
    const ask = async () => (await tenant.call('alarm/channel/ask', { channelId, address: 'slow@example.net' })).code;
    const first = await question('slow@example.net');
    for (const [index, wait] of MAIL_CONSENT.againMs.entries()) {
      await letPass(wait - 60_000);
      expect(await ask(), 'too soon').toBe(1005);
      await letPass(60_000);
      const codes = await Promise.all([ask(), ask(), ask()]);
      expect(
        codes.filter((code) => code === 200),
        'for one alone',
      ).toHaveLength(1);
      await question('slow@example.net', index + 2);
    }
    expect((await answer(first, 'confirm')).code).toBe(1007);
    const last = await question('slow@example.net', 4);
    await letPass(MAIL_CONSENT.lifeMs);
    expect((await answer(last, 'confirm')).code, 'over').toBe(1007);
    expect(await states(tenant)).toEqual({ 'slow@example.net': 'ended' });
  });

  it('counts towards an hourly limit, and is shown as not asked when it is used up', async () => {
    await letPass(0);
    const tenant = await newAccount('many');
    const account = SEND_LIMITS.consent.account;
    const all = Array.from({ length: account + 2 }, (_, index) => `p${index}@example.com`);
    await saveChannel(tenant, all.slice(0, account).join(','));
    const { addressList, channelId } = await saveChannel(tenant, all.slice(account).join(','));
    expect(addressList.map(({ state, askAgainTime }) => [state, askAgainTime])).toEqual([
      ['unasked', null],
      ['unasked', null],
    ]);
    await waitFor('the questions', () => sink.mails.filter(({ to }) => to.endsWith('@example.com')).length === account);
    expect((await tenant.call('alarm/channel/ask', { channelId, address: all.at(-1) ?? '' })).code).toBe(1005);
    await runSql(server, 'update send_budget set full_at = 0');
    expect(
      stateIn(
        (await tenant.ok('alarm/channel/ask', { channelId, address: all.at(-1) ?? '' })).channel,
        all.at(-1) ?? '',
      ),
    ).toBe('waiting');
  });
});

describe('[SE-100] the confirmation mail', () => {
  it('links to the address set by the operator, names the sender, and changes nothing when opened', async () => {
    await setMail({ consoleUrl: 'https://cameras.example.org' });
    const tenant = await newAccount('asker');
    const body = {
      kind: 'email',
      name: 'Buy now http://evil.example',
      isEnabled: true,
      settings: { to: 'ann@example.net' },
    };
    const saved = await server.send({
      method: 'POST',
      path: '/api/v1/alarm/channel/save',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tenant.accessToken}`,
        host: 'evil.example',
      },
      body: JSON.stringify(body),
    });
    expect(saved.body).toContain('"code":200');
    const token = await question('ann@example.net');
    const [mail] = mailsTo('ann@example.net');
    expect(mail?.text).toContain('https://cameras.example.org/alarmMail#mail=');
    expect(mail?.text).toContain('"asker"');
    expect(mail?.text, 'nothing of the account’s choosing').not.toMatch(/evil|Buy/);
    const asked = { byName: 'asker', address: 'ann@example.net', state: 'waiting' };
    for (let round = 0; round < 2; round += 1) {
      expect(await server.client().ok('alarm/consent/open', { token })).toMatchObject(asked);
    }
    expect(await states(tenant)).toEqual({ 'ann@example.net': 'waiting' });
    await setMail({ consoleUrl: '' });
  });

  it('is accepted: the test arrives, with a link that unsubscribes and nothing else', async () => {
    const tenant = await newAccount('friend');
    const channel = await saveChannel(tenant, 'eve@example.net');
    const confirmed = await answer(await question('eve@example.net'), 'confirm');
    expect(confirmed.data).toMatchObject({ state: 'confirmed' });
    expect(await test(tenant, channel)).toEqual(DONE);
    expect(
      (await tenant.call('alarm/channel/ask', { channelId: channel.channelId, address: 'eve@example.net' })).code,
    ).toBe(1016);
    const stop = wordIn(mailsTo('eve@example.net').at(-1)!);
    expect(await server.client().ok('alarm/consent/open', { token: stop })).toMatchObject({ confirmUntil: null });
    expect((await answer(stop, 'confirm')).code, 'it says no yes').toBe(1007);
    await letPass(MAIL_CONSENT.lifeMs);
    expect(await test(tenant, channel), 'agreed for good').toEqual(DONE);
    expect((await answer(stop, 'refuse')).data).toMatchObject({ state: 'refused' });
    expect(await test(tenant, channel)).toEqual(UNCONFIRMED);
    expect((await answer(stop, 'confirm')).code).toBe(1007);
  });

  it('is refused for ever: no account may send or ask again, and former consents end', async () => {
    const [liked, other] = [await newAccount('liked'), await newAccount('pusher')];
    const kept = await saveChannel(liked, 'max@example.net');
    await answer(await question('max@example.net'), 'confirm');
    expect(await test(liked, kept)).toEqual(DONE);
    await saveChannel(other, 'max@example.net');
    const token = await question('max@example.net', 2);
    expect((await answer(token, 'refuse')).data).toMatchObject({ state: 'refused' });
    const before = mailsTo('max@example.net').length;
    for (const caller of [liked, other, await newAccount('third')]) {
      const channel = await saveChannel(caller, 'max@example.net, max+x@example.net');
      expect(channel.addressList.map(({ state }) => state)).toEqual(['refused', 'refused']);
      await letPass(400 * DAY_MS);
      const asked = await caller.call('alarm/channel/ask', {
        channelId: channel.channelId,
        address: 'max@example.net',
      });
      expect(asked).toMatchObject({ code: 1003, data: { address: 'notAllowed' } });
      expect(await test(caller, channel)).toEqual(UNCONFIRMED);
    }
    expect(mailsTo('max@example.net').length).toBe(before);
  });

  it('can be answered anew while its link is valid', async () => {
    const tenant = await newAccount('undoer');
    const channel = await saveChannel(tenant, 'zoe@example.net');
    const token = await question('zoe@example.net');
    for (const said of ['refuse', 'confirm', 'refuse', 'confirm'] as const) {
      expect((await answer(token, said)).data).toMatchObject({ state: said === 'confirm' ? 'confirmed' : 'refused' });
      expect(await test(tenant, channel)).toEqual(said === 'confirm' ? DONE : UNCONFIRMED);
    }
  });

  it('is bound to its address: a new address is asked separately, and the link of the old one is void', async () => {
    const tenant = await newAccount('mover');
    const channel = await saveChannel(tenant, 'old@example.net');
    const token = await question('old@example.net');
    await answer(token, 'confirm');
    const moved = await saveChannel(tenant, 'new@example.net', channel);
    expect(moved.addressList).toMatchObject([{ address: 'new@example.net', state: 'waiting' }]);
    expect(await test(tenant, moved)).toEqual(UNCONFIRMED);
    expect((await answer(token, 'confirm')).code).toBe(1007);
    const back = await saveChannel(tenant, 'old@example.net', moved);
    expect(stateIn(back, 'old@example.net'), 'agreed once, taken out, and asked anew').toBe('waiting');
  });

  it('answers unknown, expired and used tokens alike, with a limit per address', async () => {
    const tenant = await newAccount('fader');
    const channel = await saveChannel(tenant, 'gone@example.net');
    const forgotten = await question('gone@example.net');
    await tenant.ok('alarm/channel/delete', { channelId: channel.channelId });
    const from = (address: string, token: string) =>
      server.send({
        method: 'POST',
        path: '/api/v1/alarm/consent/open',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ token }),
      });
    const said = [forgotten, 'MISSING0', tenant.accessToken ?? ''].map((token) => from('198.51.100.9', token));
    expect(new Set((await Promise.all(said)).map(({ body }) => body))).toEqual(
      new Set([JSON.stringify({ code: 1007, message: 'notFound', data: null })]),
    );
    const many = await Promise.all(Array.from({ length: 130 }, () => from('198.51.100.10', 'MISSING0')));
    const codes = many.map(({ body }) => (JSON.parse(body) as { code: number }).code);
    expect(codes.filter((code) => code === 1007)).toHaveLength(120);
    expect(codes.filter((code) => code === 1005)).toHaveLength(10);
    expect((await from('198.51.100.11', 'MISSING0')).body, 'somebody else').toContain('1007');
  });
});

it('is not needed for the account’s own confirmed address, while it is its own', async () => {
  const tenant = await newAccount('self');
  await runSql(server, "update account set email = 'self@example.net' where user_name = 'self'");
  const channel = await saveChannel(tenant, 'Self@example.net');
  expect(channel.addressList).toEqual([
    { address: 'self@example.net', state: 'own', askedTime: null, askAgainTime: null },
  ]);
  expect(await test(tenant, channel)).toEqual(DONE);
  expect(mailsTo('self@example.net').map(({ text }) => text.includes('alarmMail'))).toEqual([false]);
  await runSql(server, "update account set email = 'other@example.net' where user_name = 'self'");
  expect(await test(tenant, channel)).toEqual(UNCONFIRMED);
  expect(await states(tenant)).toEqual({ 'self@example.net': 'unasked' });
});

it('is not sent by the channel of another account, for an address not in it, or without a mail server', async () => {
  const [tenant, other] = [await newAccount('holder'), await newAccount('reacher')];
  const { channelId } = await saveChannel(tenant, 'kim@example.net');
  await question('kim@example.net');
  expect((await other.call('alarm/channel/ask', { channelId, address: 'kim@example.net' })).code).toBe(1007);
  expect((await tenant.call('alarm/channel/ask', { channelId, address: 'victim@example.net' })).code).toBe(1007);
  await setMail({ mail: null });
  const silent = await saveChannel(tenant, 'lee@example.net');
  expect(silent.addressList).toMatchObject([{ state: 'unasked', askAgainTime: null }]);
  const order = { channelId: silent.channelId, address: 'lee@example.net' };
  expect((await tenant.call('alarm/channel/ask', order)).code).toBe(1006);
  await setMail({ mail: sink.settings });
  expect(stateIn((await tenant.ok('alarm/channel/ask', order)).channel, 'lee@example.net')).toBe('waiting');
});

it('after an upgrade others receive mail once they agreed, and the account is told so', async () => {
  const [mine, theirs] = [await newAccount('before'), await newAccount('alone')];
  await runSql(server, "update account set email = 'alone@example.net' where user_name = 'alone'");
  const channel = await saveChannel(mine, 'before@example.net');
  await saveChannel(theirs, 'alone@example.net');
  await question('before@example.net');
  await site.hangUp();
  await server.end();
  await runSql(
    server,
    `drop table mail_consent; drop table mail_address; delete from migration where name like '%_mail_consent.sql';
     alter table account_notice drop constraint account_notice_kind_check;
     alter table account_notice add constraint account_notice_kind_check check (kind in ('passwordReset', 'factorReset'))`,
  );
  await server.run();
  site = await ScriptedSite.dial(server);
  expect(await states(mine)).toEqual({ 'before@example.net': 'unasked' });
  expect(await test(mine, channel)).toEqual(UNCONFIRMED);
  const notices = async (caller: CallClient) =>
    (await caller.ok('account/notice/list', {})).noticeList.map(({ kind }) => kind);
  expect(await notices(mine)).toEqual(['mailUnconfirmed']);
  expect(await notices(theirs), 'to itself alone').toEqual([]);
  await mine.ok('alarm/channel/ask', { channelId: channel.channelId, address: 'before@example.net' });
  await answer(await question('before@example.net', 2), 'confirm');
  expect(await test(mine, channel)).toEqual(DONE);
}, 30_000);
