// Alarms end to end on the server: site events become rows, once each, paired, pushed and visible to the right accounts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import { RAISED_ALARM_TYPE_NAMES, RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import type { PushMessage } from '@vedette/contract/calls/page-events.ts';
import pg from 'pg';
import { faultRounds } from '../harness/fault-rounds.ts';
import { waitFor } from '../harness/wait-for.ts';
import { deviceEvent, ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

const MOTION = 'tns1:RuleEngine/CellMotionDetector/Motion';
const INPUT = 'tns1:Device/Trigger/DigitalInput';
const CROSSED = 'tns1:RuleEngine/LineDetector/Crossed';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let guest: CallClient;
/** A camera in the yard, and a recorder of four channels of which the second is shared with the guest. */
let camera: string;
let recorder: string;
let yard: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  yard = (await operator.ok('org/add', { organizationName: 'Yard' })).organizationId;
  camera = await add('192.0.2.1', 'Gate', yard);
  recorder = await add('192.0.2.2:554/4', 'Recorder', '0');
  await operator.ok('user/add', { username: 'guest', password: 'Secret-1', userType: 2 });
  guest = await server.signIn('guest', 'Secret-1');
  const items = [{ deviceSerial: recorder, channelNo: 2 }];
  await operator.ok('share/add', { account: 'guest', items, permission: ['alarmPush'] });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function add(host: string, deviceName: string, organizationId: string): Promise<string> {
  const target = host.includes('/') ? `rtsp://${host}` : `rtsp://${host}/1`;
  return (await operator.ok('device/add', { target, deviceName, organizationId })).device.deviceSerial;
}

async function list(filter: CallInput<'alarm/list'> = {}, caller = operator): Promise<Alarm[]> {
  return (await caller.ok('alarm/list', filter)).alarmList;
}

/** A page of its own, with the alarms that it was pushed. */
async function openPage(caller: CallClient, since?: number) {
  const socket = server.webSocket('/ws');
  const heard: PushMessage[] = [];
  socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8')) as PushMessage));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: caller.accessToken, since })));
  await waitFor('the page to be welcome', () => heard.some(({ type }) => type === 'welcome'));
  const alarms = () =>
    heard.flatMap((message) => (message.type === 'event' && message.event.kind === 'alarm' ? [message.event] : []));
  return { alarms, heard, close: () => socket.close() };
}

it('[EN-06] returns the table of types with both languages and their pairs', async () => {
  const { typeList } = await guest.ok('alarm/types', {});
  expect(typeList.filter(({ clears }) => clears === null || clears === 'Offline').length).toBe(
    RAISED_ALARM_TYPE_NAMES.length,
  );
  expect(typeList).toContainEqual(
    expect.objectContaining({
      type: 'MotionAlarm',
      clearedBy: 'MotionAlarmCleared',
      nameEn: 'Motion',
      nameZh: '移动侦测',
    }),
  );
  expect(typeList).toContainEqual(expect.objectContaining({ type: 'MotionAlarmCleared', clears: 'MotionAlarm' }));
  expect(typeList).toContainEqual(expect.objectContaining({ type: 'Offline', clearedBy: 'Online' }));
});

it('[AL-01] [AL-03] a state begins, is pushed at once, and is ended by its end event on the same source alone', async () => {
  const page = await openPage(operator);
  const at = Date.now();
  for (const key of ['rule1', 'rule2']) {
    await site.reportEvent(camera, { topic: MOTION, key, at, data: { IsMotion: 'true' }, source: { Rule: key } });
  }
  await site.reportEvent(camera, {
    topic: MOTION,
    phase: 'end',
    key: 'rule1',
    at: at + 500,
    data: { IsMotion: 'false' },
  });
  const alarms = await list({ types: ['MotionAlarm'] });
  expect(alarms.map(({ source, endTime, endReason }) => ({ ...source, endTime, endReason }))).toEqual(
    expect.arrayContaining([
      { Rule: 'rule1', endTime: at + 500, endReason: 'cleared' },
      { Rule: 'rule2', endTime: null, endReason: null },
    ]),
  );
  expect(alarms[0]).toMatchObject({
    type: 'MotionAlarm',
    group: 'motion',
    severity: 'minor',
    state: 'new',
    deviceSerial: camera,
    deviceName: 'Gate',
    channelNo: 1,
    organizationName: 'Yard',
    topic: MOTION,
    data: { IsMotion: 'true' },
    time: at,
  });
  expect(await list({ isActive: true, devices: [{ deviceSerial: camera }] })).toHaveLength(1);
  await waitFor('two alarms and one end on the page', () => page.alarms().length === 3);
  expect(page.alarms().map(({ isNew, alarm }) => [isNew, alarm.endTime])).toEqual([
    [true, null],
    [true, null],
    [false, at + 500],
  ]);
  page.close();
  await site.reportEvent(camera, { topic: MOTION, phase: 'end', key: 'rule2' });
});

it('[FT-36] duplicate events, an end before its start and a repeated state are paired and deduplicated, none lost', async () => {
  const before = (await list({ types: ['InputAlarm'] })).length;
  const at = Date.now();
  const event = { topic: INPUT, key: 'in1', at };
  await site.reportEvent(camera, { ...event, phase: 'end' });
  await site.reportEvent(camera, { ...event, eventId: 'twice' });
  await site.reportEvent(camera, { ...event, eventId: 'twice' });
  await site.reportEvent(camera, { ...event, at: at + 1 });
  await site.reportEvent(camera, { ...event, phase: 'end', at: at + 2, eventId: 'end' });
  await site.reportEvent(camera, { ...event, at: at + 3 });
  // What was stored already comes again after a lost acknowledgement: the newer alarm must stay.
  await site.reportEvent(camera, { ...event, phase: 'end', at: at + 2, eventId: 'end' });
  const alarms = await list({ types: ['InputAlarm'] });
  expect(alarms).toHaveLength(before + 2);
  expect(alarms.slice(0, 2)).toMatchObject([
    { time: at + 3, endTime: null, repeatCount: 0 },
    { time: at, endTime: at + 2, repeatCount: 1 },
  ]);
});

interface DoorAlarm {
  readonly key: string;
  readonly time: number;
  endTime: number | null;
  repeatCount: number;
}

/** Follows the alarms that are open; null where the event begins none. */
function alarmBegunBy(
  { key, phase, at }: { readonly key: string; readonly phase: 'start' | 'end'; readonly at: number },
  open: Map<string, DoorAlarm>,
): DoorAlarm | null {
  const lasting = open.get(key);
  if (phase === 'end') {
    if (lasting !== undefined) lasting.endTime = at;
    open.delete(key);
    return null;
  }
  if (lasting !== undefined) {
    lasting.repeatCount += 1;
    return null;
  }
  const begun = { key, time: at, endTime: null, repeatCount: 0 };
  open.set(key, begun);
  return begun;
}

async function doorAlarms(): Promise<DoorAlarm[]> {
  const found: DoorAlarm[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await operator.ok('alarm/list', {
      types: ['DoorHeldOpen'],
      pageSize: 100,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { source, time, endTime, repeatCount } of page.alarmList) {
      found.push({ key: source['key'] ?? '', time, endTime, repeatCount });
    }
    cursor = page.next;
  }
  return found;
}

it('[FT-36] flapping sources with duplicate and reordered events give exactly their alarms, ends and counts', async () => {
  const steps = faultRounds(120, 20_000);
  const sent: DeviceEventReport[] = [];
  const expected: DoorAlarm[] = [];
  const open = new Map<string, DoorAlarm>();
  let [drawn, at] = [7, Date.now() - 10 * steps];
  const draw = (below: number): number => {
    drawn = (drawn * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((drawn / 2 ** 31) * below);
  };
  for (let step = 0; step < steps; step += 1) {
    const [key, phase] = [`door ${draw(3)}`, draw(2) === 0 ? 'start' : 'end'] as const;
    at += 1 + draw(9);
    const event = deviceEvent(camera, { topic: 'tnsvdt:Alarm/DoorHeldOpen', key, phase, at, source: { key } });
    sent.push(event);
    // As after a line that broke: it changes nothing any more, whatever came since.
    if (draw(4) === 0) sent.push(sent[draw(sent.length)] ?? event);
    const begun = alarmBegunBy({ key, phase, at }, open);
    if (begun !== null) expected.push(begun);
  }
  const last = sent.map((event) => site.report(event)).at(-1) ?? 0;
  await waitFor('all to be stored', () => (site.acknowledged.at(-1) ?? 0) >= last, 60_000);
  const found = await doorAlarms();
  expect(found.toSorted((a, b) => a.time - b.time)).toEqual(expected);
}, 120_000);

it('ends a pulse after the hold time, also over a restart of the server', async () => {
  const at = Date.now() - 9000;
  await site.reportEvent(camera, { topic: CROSSED, phase: 'pulse', at, data: { ObjectId: '7' } });
  expect((await list({ types: ['LineDetectorCrossed'] }))[0]).toMatchObject({ endTime: null });
  await site.hangUp();
  await server.end('SIGKILL');
  await server.run();
  operator = await server.signIn(OPERATOR.username, OPERATOR.password);
  guest = await server.signIn('guest', 'Secret-1');
  site = await ScriptedSite.dial(server);
  await waitFor('the end', async () => (await list({ types: ['LineDetectorCrossed'] }))[0]?.endTime !== null);
  expect((await list({ types: ['LineDetectorCrossed'] }))[0]).toMatchObject({
    endTime: at + 10_000,
    endReason: 'held',
  });
});

it('stores an unknown topic with its name, until the installation maps it', async () => {
  const topic = '{http://example.com/topics}Door/Window';
  await site.reportEvent(camera, { topic, key: 'a' });
  expect((await list({ types: ['Unknown'] }))[0]).toMatchObject({ topic, group: 'other', severity: 'info' });
  const { config, version } = await operator.ok('system/config/get', {});
  const alarms = { retentionDays: 30, topicList: [{ topic, type: 'GlassBreak' as const }] };
  await operator.ok('system/config/set', { config: { ...config, alarms }, version });
  await site.reportEvent(camera, { topic, key: 'a' });
  expect((await list({ types: ['GlassBreak'] }))[0]).toMatchObject({ topic, group: 'sound' });
});

it('a lost device is an alarm that ends what it reported, and is ended by its return', async () => {
  const at = Date.now();
  await site.reportEvent(camera, { topic: 'tnsvdt:Alarm/FireAlarm', at });
  const status = { kind: 'deviceStatus', deviceSerial: camera } as const;
  site.report({ ...status, status: 1, reason: null, at: at + 1 });
  site.report({ ...status, status: 0, reason: 'unreachable', at: at + 1000 });
  site.report({ ...status, status: 0, reason: 'unreachable', at: at + 1500 });
  await waitFor('the alarm', async () => (await list({ types: ['Offline'] })).length === 1);
  expect((await list({ types: ['Offline'] }))[0]).toMatchObject({
    channelNo: 0,
    endTime: null,
    repeatCount: 0,
    data: { reason: 'unreachable' },
  });
  expect((await list({ types: ['FireAlarm'] }))[0]).toMatchObject({ endTime: at + 1000, endReason: 'offline' });
  site.report({ ...status, status: 1, reason: null, at: at + 2000 });
  await waitFor('its end', async () => (await list({ types: ['Offline'] }))[0]?.endTime === at + 2000);
  expect((await list({ types: ['Online'] }))[0]).toMatchObject({ time: at + 2000, endTime: at + 2000 });
});

it('[SE-20] [EN-05] a guest account sees and receives alarms of the shared channel alone', async () => {
  const [mine, theirs] = [await openPage(operator), await openPage(guest)];
  for (const channelNo of [0, 1, 2, 3]) await site.reportEvent(recorder, { topic: MOTION, channelNo, key: 'r' });
  const seen = await list({}, guest);
  expect(seen.map(({ deviceSerial, channelNo }) => [deviceSerial, channelNo])).toEqual([[recorder, 2]]);
  expect(await list({ devices: [{ deviceSerial: recorder }] }, guest)).toHaveLength(1);
  expect(await list({ devices: [{ deviceSerial: recorder, channelNo: 1 }] }, guest)).toEqual([]);
  expect((await guest.call('alarm/list', { organizationId: yard })).code).toBe(1007);
  const foreign = (await list({ devices: [{ deviceSerial: recorder, channelNo: 3 }] })).map(({ alarmId }) => alarmId);
  expect(foreign).toHaveLength(1);
  expect((await guest.call('alarm/ack', { alarmIds: foreign })).code).toBe(1007);
  // What was told before may still come.
  const ofRecorder = () => mine.alarms().filter(({ alarm }) => alarm.deviceSerial === recorder);
  await waitFor('all four at the owner', () => ofRecorder().length === 4);
  await waitFor('one at the guest', () => theirs.alarms().length === 1);
  expect(theirs.alarms()[0]?.alarm.channelNo).toBe(2);
  mine.close();
  theirs.close();
});

it('[AL-02] is acknowledged once, with account, time and comments, and pushed to every page', async () => {
  const page = await openPage(guest);
  const [alarm] = await list({}, guest);
  const alarmIds = [alarm?.alarmId ?? '', '0no0such0id'];
  const { alarmList } = await operator.ok('alarm/ack', { alarmIds });
  expect(alarmList).toMatchObject([{ state: 'acknowledged', acknowledgedBy: OPERATOR.username }]);
  expect((await guest.ok('alarm/ack', { alarmIds })).alarmList).toEqual(alarmList);
  const commented = await guest.ok('alarm/comment', { alarmIds, comment: '一只猫。' });
  expect(commented.alarmList[0]?.commentList).toMatchObject([{ userName: 'guest', text: '一只猫。' }]);
  expect(await list({ state: 'acknowledged' }, guest)).toEqual(commented.alarmList);
  expect(await list({ state: 'new' }, guest)).toEqual([]);
  await waitFor('both changes on the page', () => page.alarms().length === 2);
  expect(page.alarms().every(({ isNew }) => !isNew)).toBe(true);
  page.close();
});

it('[AL-02] pages without gaps or duplicates, by each filter', async () => {
  const at = Date.now() - 3_600_000;
  // Many at one instant: the cursor must tell them apart.
  for (let one = 0; one < 7; one += 1) {
    const type = RAISED_ALARM_TYPE_NAMES[one] ?? 'MotionAlarm';
    await site.reportEvent(recorder, { topic: `tnsvdt:Alarm/${type}`, channelNo: 4, at, key: `page ${one}` });
  }
  const filter = { devices: [{ deviceSerial: recorder, channelNo: 4 }], startTime: at, endTime: at + 1 };
  const pages: Alarm[] = [];
  let next: string | null | undefined;
  while (next !== null) {
    const page = await operator.ok('alarm/list', {
      ...filter,
      pageSize: 3,
      ...(next === undefined ? {} : { cursor: next }),
    });
    pages.push(...page.alarmList);
    next = page.next;
  }
  expect(new Set(pages.map(({ alarmId }) => alarmId)).size).toBe(7);
  expect(pages).toEqual(await list(filter));
  const severities = pages.map(({ type }) => RAISED_ALARM_TYPES[type as 'MotionAlarm'].severity as string);
  const major = severities.filter((severity) => severity === 'major').length;
  expect(await list({ ...filter, severity: ['major'] })).toHaveLength(major);
  expect(await list({ ...filter, groups: ['motion'] })).toHaveLength(3);
  expect(await list({ ...filter, groups: ['motion'], types: ['VideoLossAlarm'] })).toEqual([]);
  expect(await list({ ...filter, organizationId: yard })).toEqual([]);
  expect((await operator.call('alarm/list', { cursor: "' or 1=1" })).code).toBe(1003);
});

it('stores device text in a form that the database accepts', async () => {
  const data = { ['<b>\0'.repeat(40)]: `\uD800 \0 ${'x'.repeat(2000)}`, IsMotion: 'true' };
  await site.reportEvent(camera, { topic: `${MOTION}\0`, key: '\0', data });
  const [alarm] = await list({ types: ['MotionAlarm'] });
  expect(alarm?.topic).toBe(MOTION);
  expect(Object.values(alarm?.data ?? {}).every((value) => value.length <= 512 && !value.includes('\0'))).toBe(true);
});

it('stores a burst whole, in few commits, and in order', async () => {
  const total = 3000;
  const at = Date.now();
  const types = RAISED_ALARM_TYPE_NAMES.filter((type) => RAISED_ALARM_TYPES[type].hasCleared);
  const from = site.acknowledged.length;
  let seq = 0;
  for (let one = 0; one < total; one += 1) {
    const topic = `tnsvdt:Alarm/${types[one % types.length]}`;
    const event = { topic, phase: 'start', channelNo: 3, key: `burst ${one}`, at: at + one } as const;
    seq = site.report({
      kind: 'deviceEvent',
      deviceSerial: recorder,
      eventId: `burst ${one}`,
      ...event,
      deviceAt: null,
      source: {},
      data: {},
    });
  }
  await waitFor('the last to be acknowledged', () => site.acknowledged.at(-1) === seq, 30_000);
  expect(site.acknowledged.length - from).toBeLessThan(total / 10);
  const client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  const { rows } = await client.query<{ stored: number }>(
    'select count(*)::int as stored from alarm where start_time >= $1 and channel_no = 3',
    [at],
  );
  await client.end();
  expect(rows[0]?.stored).toBe(total);
});
