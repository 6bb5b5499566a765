// Rate limits of outgoing messages: tests, alarms, notices; messages beyond the limit wait and are reported, none is lost.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEND_LIMITS } from '@vedette/contract/limits.ts';
import type { AlarmDelivery } from '@vedette/contract/calls/alarm-rule.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { waitFor } from '../harness/wait-for.ts';
import { HttpSink } from '../peers/message-sink.ts';
import { runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let sink: SmtpSink;
let hook: HttpSink;
let site: ScriptedSite;
let operator: CallClient;
let camera: string;

beforeAll(async () => {
  [server, sink, hook] = await Promise.all([ServerUnderTest.start(), SmtpSink.start(), new HttpSink().start()]);
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  const account = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', {
    config: { ...account.config, mail: sink.settings },
    version: account.version,
  });
  const { config, version } = await operator.ok('system/config/get', {});
  const alarms = { ...config.alarms, messageNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, alarms }, version });
});
afterAll(async () => {
  await site?.hangUp();
  await Promise.all([server?.stop(), sink?.stop(), hook?.stop()]);
});

async function newAccount(username: string): Promise<CallClient> {
  await operator.ok('user/add', { username, password: 'Secret-1', userType: 2 });
  return await server.signIn(username, 'Secret-1');
}

async function webhook(caller: CallClient, path: string): Promise<string> {
  const settings = { url: `${hook.url}/${path}` };
  const wish = { kind: 'webhook', name: path, isEnabled: true, settings } as const;
  return (await caller.ok('alarm/channel/save', wish)).channel.channelId;
}

const bodiesTo = (path: string) => hook.requests.filter((one) => one.path === `/${path}`).length;

/** As if so much time had passed for the budgets. */
const letPass = (ms: number) => runSql(server, `update send_budget set full_at = full_at - ${ms}`);

it('[SE-100] limits three hundred test mails to twenty recipients to the allowed number', async () => {
  const tenant = await newAccount('spammer');
  const to = Array.from({ length: 20 }, (_, index) => `stranger${index}@example.net`);
  const wish = { kind: 'email', name: 'Mail', isEnabled: true } as const;
  const channels: string[] = [];
  for (const address of to) {
    const saved = await tenant.ok('alarm/channel/save', { ...wish, settings: { to: address } });
    channels.push(saved.channel.channelId);
    await server.client().ok('alarm/consent/answer', { token: await sink.consentToken(address), answer: 'confirm' });
  }
  const before = sink.mails.length;
  const codes: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const answers = await Promise.all(channels.map((channelId) => tenant.call('alarm/channel/test', { channelId })));
    codes.push(...answers.map(({ code }) => code));
  }
  expect(codes).toHaveLength(300);
  // What comes back of the budget while this runs is less than one message.
  expect(sink.mails.length - before).toBeLessThanOrEqual(SEND_LIMITS.test.account + 1);
  expect(codes.filter((code) => code === 1005).length).toBeGreaterThanOrEqual(300 - SEND_LIMITS.test.account - 1);
}, 60_000);

it('a refused test returns a waiting time, and channels of other accounts still work', async () => {
  const [one, other] = [await newAccount('one'), await newAccount('other')];
  const [mine, theirs] = [await webhook(one, 'one'), await webhook(other, 'other')];
  for (let round = 0; round < SEND_LIMITS.test.target; round += 1) {
    expect(await one.ok('alarm/channel/test', { channelId: mine })).toMatchObject({ isDone: true });
  }
  const refused = await one.call('alarm/channel/test', { channelId: mine });
  expect(refused.code).toBe(1005);
  expect((refused.data as unknown as { retryAfter: number }).retryAfter).toBeGreaterThan(0);
  expect(bodiesTo('one')).toBe(SEND_LIMITS.test.target);
  expect(await other.ok('alarm/channel/test', { channelId: theirs })).toMatchObject({ isDone: true });
  const { channelList } = await one.ok('alarm/channel/list', {});
  expect(channelList[0]?.lastReason, 'the button says nothing of the channel').toBeNull();
});

it('[SE-100] alarm messages beyond the limit are queued, reported, and sent later', async () => {
  const channelId = await webhook(operator, 'held');
  const { rule } = await operator.ok('alarm/rule/save', {
    name: 'Held',
    isEnabled: true,
    types: ['FireAlarm'],
    groups: [],
    leastSeverity: 'info',
    sources: [],
    plan: null,
    timeZone: 'UTC',
    pauseS: 0,
    actions: [{ kind: 'notify', channelIds: [channelId] }],
  });
  const deliveries = async (): Promise<AlarmDelivery[]> =>
    (await operator.ok('alarm/delivery/list', { ruleId: rule.ruleId })).deliveryList;
  const raise = (key: string) => site.reportEvent(camera, { topic: 'tnsvdt:Alarm/FireAlarm', key });
  await raise('first');
  await waitFor('the first message', () => bodiesTo('held') === 1);
  // As if the hour's messages had gone already.
  const { program } = SEND_LIMITS;
  await runSql(
    server,
    `update send_budget set full_at = full_at + ${Math.ceil((3_600_000 * (program.target - 1)) / program.target)}`,
  );
  await raise('second');
  const held = await waitFor('the second to be held', async () =>
    (await deliveries()).find(({ state, reason }) => state === 'waiting' && reason === 'budget'),
  );
  expect(held.attempts, 'it was not tried').toBe(0);
  expect(bodiesTo('held')).toBe(1);
  const channel = (await operator.ok('alarm/channel/list', {})).channelList.find((one) => one.channelId === channelId);
  expect(channel?.lastReason).toBe('budget');
  await letPass(3_600_000);
  await waitFor('the message that was held', () => bodiesTo('held') === 2);
  await waitFor('its end', async () => (await deliveries()).every(({ state }) => state === 'done'));
  // One that found no place for an hour is given up in the open.
  await runSql(server, `update send_budget set full_at = full_at + 7200000`);
  await raise('third');
  await waitFor('the third to be held', async () => (await deliveries()).some(({ reason }) => reason === 'budget'));
  await runSql(
    server,
    `update alarm_delivery set created_at = created_at - ${SEND_LIMITS.heldMs}, due_at = 0 where reason = 'budget'`,
  );
  const given = await waitFor('its end', async () => (await deliveries()).find(({ state }) => state === 'failed'));
  expect(given.reason).toBe('budget');
  expect(bodiesTo('held')).toBe(2);
  await letPass(7_200_000);
});

it('one address is in one channel once, in any spelling', async () => {
  const settings = { to: 'ann@example.org, Ann@example.org;ANN@EXAMPLE.ORG ann@example.org' };
  const wish = { kind: 'email', name: 'Twice', isEnabled: true, settings } as const;
  const { channelId } = (await operator.ok('alarm/channel/save', wish)).channel;
  const token = await sink.consentToken('ann@example.org');
  await server.client().ok('alarm/consent/answer', { token, answer: 'confirm' });
  const before = sink.mails.length;
  await operator.ok('alarm/channel/test', { channelId });
  expect(sink.mails.slice(before).map(({ to }) => to)).toEqual(['ann@example.org']);
});

it("the operator's test message is limited, too", async () => {
  const codes: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    codes.push((await operator.call('system/account/test', { target: 'victim@example.net' })).code);
  }
  expect(codes.filter((code) => code === 200)).toHaveLength(SEND_LIMITS.test.target);
  expect(codes.at(-1)).toBe(1005);
});
