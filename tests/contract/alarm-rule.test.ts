// Alarm rules end to end on the server: delivered, recorded and acted on once, with the owner's rights, over restarts; channels keep secrets.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AlarmDelivery, AlarmRuleAction } from '@vedette/contract/calls/alarm-rule.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { HttpSink, startBroker } from '../peers/message-sink.ts';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { failFirst } from './fail-first.ts';
import { playing, ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

const MOTION = 'tns1:RuleEngine/CellMotionDetector/Motion';
const ALWAYS = { isEnabled: true, types: [], groups: [], leastSeverity: 'info', sources: [] } as const;
const PLAN = { plan: null, timeZone: 'UTC', pauseS: 0 } as const;

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let guest: CallClient;
let sink: HttpSink;
let mail: SmtpSink;
let broker: Awaited<ReturnType<typeof startBroker>>;
let camera: string;
let hook: string;
let reported = 0;

beforeAll(async () => {
  [server, sink, mail, broker] = await Promise.all([
    ServerUnderTest.start(),
    new HttpSink().start(),
    SmtpSink.start(),
    startBroker(),
  ]);
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  await operator.ok('user/add', { username: 'guest', password: 'Secret-1', userType: 2 });
  guest = await server.signIn('guest', 'Secret-1');
  await openNetworks(['127.0.0.0/8']);
  hook = await channel(operator, { kind: 'webhook', settings: { url: `${sink.url}/hook`, secret: 'whsec_c2VjcmV0' } });
});
afterAll(async () => {
  await site?.hangUp();
  await Promise.all([server?.stop(), sink?.stop(), mail?.stop(), broker?.stop()]);
});

async function openNetworks(messageNetworks: string[]): Promise<void> {
  const { config, version } = await operator.ok('system/config/get', {});
  await operator.ok('system/config/set', {
    config: { ...config, alarms: { ...config.alarms, messageNetworks } },
    version,
  });
}

type Channel = Pick<CallInput<'alarm/channel/save'>, 'kind' | 'settings'>;
async function channel(caller: CallClient, { kind, settings }: Channel): Promise<string> {
  const saved = await caller.ok('alarm/channel/save', { kind, name: kind, isEnabled: true, settings });
  return saved.channel.channelId;
}

type Part = Partial<CallInput<'alarm/rule/save'>>;
async function rule(caller: CallClient, actions: AlarmRuleAction[], part: Part = {}): Promise<string> {
  const saved = await caller.ok('alarm/rule/save', {
    name: 'R',
    ...ALWAYS,
    types: [],
    groups: [],
    sources: [],
    ...PLAN,
    actions,
    ...part,
  });
  return saved.rule.ruleId;
}

const notify = (...channelIds: string[]): AlarmRuleAction => ({ kind: 'notify', channelIds });

async function raise(type: string): Promise<void> {
  reported += 1;
  await site.reportEvent(camera, { topic: `tnsvdt:Alarm/${type}`, key: `k${reported}` });
}

async function deliveries(ruleId: string, caller = operator): Promise<AlarmDelivery[]> {
  return (await caller.ok('alarm/delivery/list', { ruleId })).deliveryList;
}

async function ended(ruleId: string, count: number): Promise<AlarmDelivery[]> {
  await waitFor(`${count} ends`, async () => {
    const all = await deliveries(ruleId);
    return all.length === count && all.every(({ state }) => state !== 'waiting');
  });
  return await deliveries(ruleId);
}

/** Bodies that the web hook was told since. */
function hooked(from: number) {
  return sink.requests.slice(from).map(({ body }) => JSON.parse(body.toString('utf8')) as { data: { type: string } });
}

it('notifies by webhook, mail and MQTT at once as the rule says', async () => {
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, mail: mail.settings }, version });
  const letter = await channel(operator, { kind: 'email', settings: { to: 'guard@example.com' } });
  const token = await mail.consentToken('guard@example.com');
  await server.client().ok('alarm/consent/answer', { token, answer: 'confirm' });
  const bus = await channel(operator, { kind: 'mqtt', settings: { url: broker.url, user: 'user', password: 'pass' } });
  const from = sink.requests.length;
  const ruleId = await rule(operator, [notify(hook, letter, bus)], { types: ['FireAlarm'] });
  await raise('MotionAlarm');
  await raise('FireAlarm');
  expect((await ended(ruleId, 3)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect(hooked(from).map(({ data }) => data.type)).toEqual(['FireAlarm']);
  expect(mail.mails.slice(1).map(({ to }) => to)).toEqual(['guard@example.com']);
  expect(broker.published.map(({ topic }) => topic)).toEqual([`vedette/${camera}/1/alarm`]);
  await operator.ok('alarm/rule/delete', { ruleId });
});

it('records with pre-roll, and omits actions its owner may not do any more', async () => {
  const ruleId = await rule(operator, [{ kind: 'record', seconds: 30 }], { types: ['GlassBreak'] });
  await raise('GlassBreak');
  await ended(ruleId, 1);
  expect(site.triggered.at(-1)).toMatchObject({ deviceSerial: camera, channelNo: 1, reason: 'GlassBreak' });
  const items = [{ deviceSerial: camera, channelNo: 1 }];
  const { shareId } = await operator.ok('share/add', { account: 'guest', items, permission: ['alarmPush'] });
  const own = await rule(guest, [{ kind: 'record', seconds: 30 }], { types: ['GunshotDetect'] });
  const asked = site.triggered.length;
  await raise('GunshotDetect');
  await waitFor('the refusal', async () => (await deliveries(own, guest))[0]?.state === 'failed');
  expect((await deliveries(own, guest))[0]).toMatchObject({ reason: 'right' });
  expect(site.triggered.length).toBe(asked);
  await operator.ok('share/delete', { shareId, shareType: 2 });
  await raise('GunshotDetect');
  await raise('GlassBreak');
  await ended(ruleId, 2);
  expect(await deliveries(own, guest), 'nothing of what is not shared any more').toHaveLength(1);
  for (const one of [ruleId]) await operator.ok('alarm/rule/delete', { ruleId: one });
});

it('[SE-21] takes a snapshot at the event, shows it to who may view recordings, and deletes it with its alarm', async () => {
  const picture = { contentType: 'image/jpeg', data: Buffer.from('a picture').toString('base64') };
  site.snapshot = picture;
  const ruleId = await rule(operator, [{ kind: 'snapshot' }], { types: ['DoorForced', 'CryDetection'] });
  await raise('DoorForced');
  expect((await ended(ruleId, 1)).map(({ state }) => state)).toEqual(['done']);
  const [alarm] = (await operator.ok('alarm/list', { types: ['DoorForced'] })).alarmList;
  const { alarmId = '', pictureTime = null } = alarm ?? {};
  expect(pictureTime).toBeGreaterThanOrEqual(alarm?.time ?? Number.NaN);
  site.snapshot = { ...picture, data: Buffer.from('another').toString('base64') };
  const kept = { ...picture, time: pictureTime, isTaken: true };
  expect((await operator.ok('alarm/picture', { alarmId })).picture, 'as it was then').toEqual(kept);
  // Without one of its own: what was recorded then.
  await raise('PetDetect');
  const [other] = (await operator.ok('alarm/list', { types: ['PetDetect'] })).alarmList;
  const recorded = await operator.ok('alarm/picture', { alarmId: other?.alarmId ?? '' });
  expect(recorded.picture).toMatchObject({ time: other?.time, isTaken: false });
  expect((await guest.call('alarm/picture', { alarmId })).code, 'of another').toBe(1007);
  const items = [{ deviceSerial: camera, channelNo: 1 }];
  const share = { account: 'guest', items };
  const heard = await operator.ok('share/add', { ...share, permission: ['alarmPush'] });
  expect((await guest.ok('alarm/picture', { alarmId })).picture, 'an alarm is no footage').toBeNull();
  await operator.ok('share/delete', { shareId: heard.shareId, shareType: 2 });
  const seen = await operator.ok('share/add', { ...share, permission: ['alarmPush', 'videotapeView'] });
  expect((await guest.ok('alarm/picture', { alarmId })).picture).toEqual(kept);
  // Its maker may not see live: the rule takes no picture.
  const own = await rule(guest, [{ kind: 'snapshot' }], { types: ['CryDetection'] });
  await raise('CryDetection');
  await waitFor('the refusal', async () => (await deliveries(own, guest))[0]?.state === 'failed');
  expect((await deliveries(own, guest))[0]).toMatchObject({ reason: 'right' });
  await operator.ok('share/delete', { shareId: seen.shareId, shareType: 2 });
  await operator.ok('alarm/rule/delete', { ruleId });
  site.snapshot = null;
});

it('acts once within its pause and counts further alarms', async () => {
  const ruleId = await rule(operator, [notify(hook)], { types: ['DoorForced'], pauseS: 3600 });
  await raise('DoorForced');
  await ended(ruleId, 1);
  for (const _ of [1, 2, 3]) await raise('DoorForced');
  await waitFor('three to be counted', async () => (await deliveries(ruleId))[0]?.foldedCount === 3);
  expect(await deliveries(ruleId)).toHaveLength(1);
  await operator.ok('alarm/rule/delete', { ruleId });
});

it('delivers once each over a kill of the server, and retries refused messages', async () => {
  const ruleId = await rule(operator, [notify(hook)], { types: ['SmokeAlarm'] });
  const from = sink.requests.length;
  sink.usual = { status: 503, body: '' };
  for (const _ of [1, 2, 3]) await raise('SmokeAlarm');
  await waitFor('three attempts', async () => sink.requests.length - from >= 3);
  await site.hangUp();
  await server.end('SIGKILL');
  sink.usual = { status: 200, body: '' };
  await server.run();
  operator = await server.signIn(OPERATOR.username, OPERATOR.password);
  guest = await server.signIn('guest', 'Secret-1');
  site = await ScriptedSite.dial(server);
  await raise('SmokeAlarm');
  const all = await endedAfterRetry(ruleId, 4);
  expect(all.every(({ state }) => state === 'done')).toBe(true);
  const ids = sink.requests
    .slice(from)
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size, 'one id for each alarm').toBe(4);
  await operator.ok('alarm/rule/delete', { ruleId });
}, 90_000);

async function endedAfterRetry(ruleId: string, count: number) {
  await waitFor(
    'all to arrive',
    async () => (await deliveries(ruleId)).filter(({ state }) => state === 'done').length === count,
    80_000,
  );
  return await deliveries(ruleId);
}

it('suppresses messages as its owner set, except for critical alarms', async () => {
  const ruleId = await rule(operator, [notify(hook)], { types: ['PetDetect', 'FightDetect'] });
  const quiet = { mutedUntil: Date.now() + 3_600_000, plan: null, timeZone: 'UTC', exceptCritical: true };
  await operator.ok('alarm/quiet/set', { quiet });
  expect((await operator.ok('alarm/quiet/get', {})).quiet).toEqual({ ...quiet, snoozed: [] });
  await raise('PetDetect');
  await raise('FightDetect');
  const all = await ended(ruleId, 2);
  expect(Object.fromEntries(all.map(({ type, state }) => [type, state]))).toEqual({
    PetDetect: 'skipped',
    FightDetect: 'done',
  });
  await operator.ok('alarm/quiet/set', { quiet: { ...quiet, mutedUntil: null } });
  await operator.ok('alarm/rule/delete', { ruleId });
});

it('never returns secrets, and forgets them when the address changes', async () => {
  const { channelList, vapidPublicKey } = await operator.ok('alarm/channel/list', {});
  const mine = channelList.find(({ channelId }) => channelId === hook);
  expect(mine).toMatchObject({ settings: { url: `${sink.url}/hook` }, keptSecrets: ['secret'] });
  expect(JSON.stringify(channelList)).not.toContain('whsec_');
  expect(Buffer.from(vapidPublicKey, 'base64url')).toHaveLength(65);
  expect(server.log.join('\n')).not.toContain('whsec_');
  const save = { channelId: hook, kind: 'webhook', name: 'Renamed', isEnabled: true } as const;
  const renamed = await operator.ok('alarm/channel/save', {
    ...save,
    version: mine?.version ?? 0,
    settings: { url: `${sink.url}/hook` },
  });
  expect(renamed.channel).toMatchObject({ name: 'Renamed', keptSecrets: ['secret'] });
  const { version } = renamed.channel;
  expect(
    (await operator.call('alarm/channel/save', { ...save, version: version - 1, settings: { url: `${sink.url}/x` } }))
      .code,
  ).toBe(1010);
  const moved = await operator.ok('alarm/channel/save', { ...save, version, settings: { url: `${sink.url}/other` } });
  expect(moved.channel.keptSecrets).toEqual([]);
});

it('[SE-18] [SE-64] channels and rules of another account cannot be seen, used or tested, nor reach this machine', async () => {
  const ruleId = await rule(operator, [notify(hook)], { isEnabled: false });
  for (const [path, input] of [
    ['alarm/rule/delete', { ruleId }],
    ['alarm/rule/test', { ruleId }],
    ['alarm/channel/delete', { channelId: hook }],
    ['alarm/channel/test', { channelId: hook }],
  ] as const) {
    expect((await guest.call(path, input as never)).code, path).toBe(1007);
  }
  const foreign = { name: 'R', ...ALWAYS, types: [], groups: [], sources: [], ...PLAN, actions: [notify(hook)] };
  expect((await guest.call('alarm/rule/save', foreign)).code).toBe(1003);
  const sources = [{ deviceSerial: camera }];
  expect(
    (await guest.call('alarm/rule/save', { ...foreign, sources, actions: [{ kind: 'record', seconds: 30 }] })).code,
  ).toBe(1009);
  await openNetworks([]);
  const asked = sink.requests.length;
  expect(await operator.ok('alarm/channel/test', { channelId: hook })).toMatchObject({
    isDone: false,
    reason: 'address',
  });
  expect(sink.requests.length).toBe(asked);
  await openNetworks(['127.0.0.0/8']);
  expect(await operator.ok('alarm/channel/test', { channelId: hook })).toMatchObject({ isDone: true });
  const { resultList } = await operator.ok('alarm/rule/test', { ruleId });
  expect(resultList).toEqual([{ action: 'notify', channelName: 'Renamed', isDone: true, reason: null, detail: '' }]);
  await operator.ok('alarm/rule/delete', { ruleId });
});

it('[AL-02] [SE-95] alarms are assigned, closed, reopened, counted, exported', async () => {
  const items = [{ deviceSerial: camera, channelNo: 1 }];
  await operator.ok('share/add', { account: 'guest', items, permission: ['alarmPush'] });
  await operator.ok('device/update', {
    deviceSerial: camera,
    deviceName: '=1+1,"x"',
    version: (await operator.ok('device/get', { deviceSerial: camera })).device.version,
  });
  const startTime = Date.now();
  await raise('WaterLeak');
  const filter = { types: ['WaterLeak' as const], startTime };
  const [alarm] = (await operator.ok('alarm/list', filter)).alarmList;
  const alarmIds = [alarm?.alarmId ?? ''];
  expect((await operator.call('alarm/assign', { alarmIds, account: 'nobody' })).code).toBe(1003);
  expect((await operator.ok('alarm/assign', { alarmIds, account: 'guest' })).alarmList[0]).toMatchObject({
    state: 'assigned',
    assignedTo: 'guest',
  });
  expect((await guest.ok('alarm/list', { state: 'assigned', ...filter })).alarmList).toHaveLength(1);
  expect((await guest.ok('alarm/close', { alarmIds })).alarmList[0]).toMatchObject({
    state: 'closed',
    closedBy: 'guest',
  });
  expect(
    (await operator.ok('alarm/close', { alarmIds, undo: true })).alarmList[0]?.state,
    'what another did stays',
  ).toBe('closed');
  expect((await guest.ok('alarm/close', { alarmIds, undo: true })).alarmList[0]?.state).toBe('assigned');
  expect((await operator.ok('alarm/assign', { alarmIds })).alarmList[0]?.state).toBe('acknowledged');
  expect((await operator.ok('alarm/ack', { alarmIds, undo: true })).alarmList[0]?.state).toBe('new');
  const range = { startTime, endTime: Date.now() + 1000 };
  const counted = await operator.ok('alarm/stats', { ...range, types: ['WaterLeak'], groupBy: 'group' });
  expect(counted).toEqual({ total: 1, countList: [{ key: 'fire', name: '', count: 1, newCount: 1 }] });
  for (const groupBy of ['day', 'hour', 'type', 'severity', 'state', 'device', 'organization'] as const) {
    const input = { ...range, types: ['WaterLeak' as const], groupBy, timeZone: 'Asia/Shanghai' };
    expect((await operator.ok('alarm/stats', input)).total, groupBy).toBe(1);
  }
  const { export: begun } = await operator.ok('alarm/export', { ...filter, timeZone: 'Asia/Shanghai' });
  const status = async () => (await operator.ok('alarm/export/status', { task: begun.task })).export;
  await waitFor('the file', async () => (await status()).state === 'finished');
  const { csv, rows } = await status();
  expect(rows).toBe(1);
  expect(csv.startsWith('\uFEFF')).toBe(true);
  expect(csv).toContain(`"'=1+1,""x"""`);
  expect((await guest.call('alarm/export/status', { task: begun.task })).code).toBe(1007);
});

it('[AL-03] the end of an acknowledged alarm closes it; an unseen alarm stays open', async () => {
  const at = Date.now();
  for (const key of ['seen', 'unseen']) await site.reportEvent(camera, { topic: MOTION, key, at });
  const open = (await operator.ok('alarm/list', { types: ['MotionAlarm'], isActive: true })).alarmList;
  const [seen] = open;
  await operator.ok('alarm/ack', { alarmIds: [seen?.alarmId ?? ''] });
  for (const key of ['seen', 'unseen'])
    await site.reportEvent(camera, { topic: MOTION, key, at: at + 1000, phase: 'end' });
  const after = (await operator.ok('alarm/list', { types: ['MotionAlarm'], startTime: at })).alarmList;
  const states = Object.fromEntries(after.map(({ alarmId, state }) => [alarmId === seen?.alarmId, state]));
  expect(states).toEqual({ true: 'closed', false: 'new' });
});

it('reports disk trouble to the operator alone, though not stored at first, and a lost stream', async () => {
  await operator.ok('user/add', { username: 'second', password: 'Secret-1', userType: 0 });
  const second = await server.signIn('second', 'Secret-1');
  // What is given asks more than who owns what.
  await runSql(
    server,
    `insert into grant_row (grant_id, grantee_id, owner_id, object_kind, device_id, permissions, source)
     select 'given', account_id, owner_id, 'device', device_id, '{AlarmPush}', 'role'
     from device, (select account_id from account where user_name = 'second') as second where device_serial = '${camera}'`,
  );
  await failFirst(server, 'alarm', "new.type = 'DiskError'");
  site.storage = { state: 'failing', reason: 'readOnly' };
  site.report({ kind: 'deviceStatus', deviceSerial: camera, status: 1, reason: null, at: Date.now() });
  const failing = async () => (await operator.ok('alarm/list', { types: ['DiskError'] })).alarmList;
  await waitFor('the disk', async () => (await failing()).length === 1, 30_000);
  expect((await failing())[0]).toMatchObject({ deviceSerial: '', endTime: null, data: { reason: 'readOnly' } });
  expect((await guest.ok('alarm/list', { types: ['DiskError'] })).alarmList).toEqual([]);
  // Each operator has a row of its own.
  const ofSecond = async () => (await second.ok('alarm/list', { types: ['DiskError'] })).alarmList.length;
  await waitFor('the row of the other', async () => (await ofSecond()) > 0, 30_000);
  expect([await ofSecond(), (await failing()).length]).toEqual([1, 1]);
  const lost = async () => (await operator.ok('alarm/list', { types: ['VideoLossAlarm'] })).alarmList;
  await waitFor('the stream', async () => (await lost()).length === 1, 30_000);
  expect((await lost())[0]).toMatchObject({
    deviceSerial: camera,
    channelNo: 1,
    topic: '',
    data: { reason: 'noVideo' },
  });
  site.storage = null;
  site.streams = [playing(camera)];
  await waitFor(
    'both ends',
    async () => [...(await failing()), ...(await lost())].every(({ endTime }) => endTime !== null),
    40_000,
  );
}, 120_000);
