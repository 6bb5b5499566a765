// Every cause that ends a right ends its open tickets within two seconds, with its code; races leave nothing open.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHARE_PERMISSIONS, type SharePermission } from '@vedette/contract/permissions.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let organizationId: string;
let count = 0;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  site.spans = [{ startTime: 0, endTime: 600_000, recordType: 1 }];
  organizationId = (await operator.ok('org/add', { organizationName: 'Shared' })).organizationId;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

interface Viewing {
  readonly viewer: CallClient;
  readonly name: string;
  readonly userId: string;
  readonly deviceSerial: string;
  readonly shareId: string;
}

/** An account of its own that watches a device of its own through a share: live, HLS, RTSP, a still, and playback. */
async function startViewing(by: 'channel' | 'organization' = 'channel'): Promise<Viewing> {
  count += 1;
  const name = `viewer${count}`;
  const target = `rtsp://192.0.2.${count}/1`;
  const { device } = await operator.ok('device/add', { target, deviceName: name, organizationId });
  const { deviceSerial } = device;
  const { userId } = await operator.ok('user/add', { username: name, password: 'Secret-1', userType: 2 });
  const viewer = await server.signIn(name, 'Secret-1');
  const dev = { deviceSerial, channelNo: 1 };
  const items = [by === 'channel' ? dev : { organizationId }];
  const permission = ['videoView' as const, 'videotapeView' as const, 'Export' as const];
  const { shareId } = await operator.ok('share/add', { account: name, items, permission });
  await viewer.ok('media/url', dev);
  await viewer.ok('capture/get', dev);
  await viewer.ok('record/hls', { ...dev, startTime: 0, endTime: 600_000 });
  await viewer.ok('record/url', { ...dev, startTime: 0, endTime: 600_000 });
  expect(site.ticketsOf(userId).map((grant) => grant.kind)).toEqual([
    'live',
    'hls',
    'rtsp',
    'snapshot',
    'hls',
    'fragments',
  ]);
  return { viewer, name, userId, deviceSerial, shareId };
}

type Cause = (viewing: Viewing) => Promise<unknown>;
const CAUSES: readonly [string, number, Cause][] = [
  ['the share is withdrawn', 1017, ({ shareId }) => operator.ok('share/delete', { shareId, shareType: 2 })],
  [
    'the viewer gives the share back',
    1017,
    ({ shareId, viewer }) => viewer.ok('share/delete', { shareId, shareType: 2 }),
  ],
  ['the viewer signs out', 1001, ({ viewer }) => viewer.ok('account/logout', {})],
  [
    'the viewer changes the password elsewhere',
    1001,
    async ({ name }) => {
      const other = await server.signIn(name, 'Secret-1');
      await other.ok('account/password/change', { oldPassword: 'Secret-1', password: 'Secret-2' });
    },
  ],
  [
    'the session is revoked',
    1001,
    async ({ name }) => {
      const other = await server.signIn(name, 'Secret-1');
      const { sessionList } = await other.ok('account/session/list', {});
      const sessionId = sessionList.find((session) => !session.isCurrent)?.sessionId ?? '';
      await other.ok('account/session/revoke', { sessionId });
    },
  ],
  ['the account is disabled', 2031, ({ userId }) => operator.ok('user/enable', { userId, isEnabled: false })],
  ['the account is removed', 1001, ({ userId }) => operator.ok('user/delete', { userId })],
  ['the device is removed', 1009, ({ deviceSerial }) => operator.ok('device/delete', { deviceSerial })],
];

describe('[SE-13] [SE-33] [GO-08] within two seconds', () => {
  it.each(CAUSES)('%s: every ticket ends with %i', async (_what, code, cause) => {
    const viewing = await startViewing();
    const held = new Set(site.ticketsOf(viewing.userId).map((grant) => grant.ticketId));
    await cause(viewing);
    await waitFor('all tickets to end', () => site.ticketsOf(viewing.userId).length === 0, 2000);
    const codes = site.revoked.filter((one) => held.has(one.ticketId)).map((one) => one.code);
    expect(new Set(codes)).toEqual(new Set([code]));
  });

  it('moving the device out of the shared organisation ends every ticket with 1017', async () => {
    const { userId, deviceSerial } = await startViewing('organization');
    await operator.ok('device/move', { deviceSerial, organizationId: '0' });
    await waitFor('all tickets to end', () => site.ticketsOf(userId).length === 0, 2000);
    expect(site.revoked.at(-1)?.code).toBe(1017);
  });

  it('disabling the giver ends everything it shared', async () => {
    await operator.ok('user/add', { username: 'giver', password: 'Secret-1', userType: 2 });
    const giver = await server.signIn('giver', 'Secret-1');
    const { device } = await giver.ok('device/add', { target: 'rtsp://192.0.2.200/1', deviceName: 'Lent' });
    const items = [{ deviceSerial: device.deviceSerial }];
    const { userId } = await operator.ok('user/add', { username: 'taker', password: 'Secret-1', userType: 2 });
    const taker = await server.signIn('taker', 'Secret-1');
    await giver.ok('share/add', { account: 'taker', items, permission: ['videoView'] });
    await taker.ok('media/url', { deviceSerial: device.deviceSerial, channelNo: 1 });
    const giverId = (await giver.ok('account/info', {})).userId;
    await operator.ok('user/enable', { userId: giverId, isEnabled: false });
    await waitFor('the tickets to end', () => site.ticketsOf(userId).length === 0, 2000);
    expect((await taker.ok('device/list', {})).total).toBe(0);
    await operator.ok('user/delete', { userId: giverId });
    expect(site.assigned.has(device.deviceSerial)).toBe(false);
  });

  it('a second share keeps the video when the first is withdrawn', async () => {
    const viewing = await startViewing();
    const { shareId } = await operator.ok('share/add', {
      account: viewing.name,
      items: [{ deviceSerial: viewing.deviceSerial }],
      permission: ['videoView'],
    });
    await operator.ok('share/delete', { shareId: viewing.shareId, shareType: 2 });
    const left = () => site.ticketsOf(viewing.userId).map((grant) => grant.kind);
    await waitFor('playback to end', () => left().length === 4, 2000);
    expect(left()).toEqual(['live', 'hls', 'rtsp', 'snapshot']);
    await operator.ok('share/delete', { shareId, shareType: 2 });
    await waitFor('live to end', () => left().length === 0, 2000);
  });
});

/** Withdrawals, and starts against each; the long run is as the table of abuse says. */
const RACE = isLongRun ? { rounds: 500, starts: 200 } : { rounds: 3, starts: 60 };

it('[SE-35] parallel starts against one withdrawal leave nothing open', { timeout: 3_600_000 }, async () => {
  for (let round = 0; round < RACE.rounds; round += 1) {
    const { viewer, userId, deviceSerial, shareId } = await startViewing();
    const start = () => viewer.call('media/url', { deviceSerial, channelNo: 1 });
    const before = Array.from({ length: RACE.starts / 2 }, start);
    const withdrawn = operator.ok('share/delete', { shareId, shareType: 2 });
    const answers = await Promise.all([...before, ...Array.from({ length: RACE.starts / 2 }, start)]);
    await withdrawn;
    expect(answers.every((answer) => [200, 1004, 1009, 1017].includes(answer.code))).toBe(true);
    await waitFor('nothing to be alive', () => site.ticketsOf(userId).length === 0, 2000);
    expect((await start()).code).toBe(1017);
    expect(site.ticketsOf(userId)).toEqual([]);
  }
});

/** `/ws` of an account: what it heard, and what it hears next, without asking time and again. */
async function listen(client: CallClient) {
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const socket = server.webSocket('/ws');
  const since = (mark: number, word: string) => heard.slice(mark).some((text) => text.includes(word));
  const hears = (mark: number, word: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!since(mark, word)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  socket.on('message', (raw: Buffer) => {
    heard.push(raw.toString('utf8'));
    for (const look of waiting) look();
  });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: client.accessToken })));
  await hears(0, 'welcome');
  return { heard, since, hears, socket };
}

/** As bits. A quick run takes each right alone and each left out; the long one all. */
const SUBSETS = Array.from({ length: 63 }, (_none, index) => index + 1).filter((bits) => {
  const count = bits.toString(2).replaceAll('0', '').length;
  return isLongRun || count === 1 || count === 5;
});

it('[SE-30] each subset of a share’s rights grants exactly its own: video, recordings, talk, PTZ, settings, alarms', async () => {
  const { viewer, deviceSerial, shareId } = await startViewing();
  const dev = { deviceSerial, channelNo: 1 };
  const range = { startTime: 0, endTime: 600_000 };
  const doings: Record<Exclude<SharePermission, 'alarmPush'>, () => Promise<{ code: number }>> = {
    videoView: () => viewer.call('media/url', dev),
    videotapeView: () => viewer.call('record/url', { ...dev, ...range }),
    talk: () => viewer.call('talk/url', { ...dev, method: 'ws' }),
    ptzControl: () => viewer.call('ptz/stop', { ...dev, command: 'left' }),
    equipmentConfiguration: () => viewer.call('config/list', dev),
  };
  const names = Object.keys(SHARE_PERMISSIONS) as SharePermission[];
  const [ear, owner] = [await listen(viewer), await listen(operator)];
  for (const bits of SUBSETS) {
    const permission = names.filter((_name, index) => (bits & (1 << index)) !== 0);
    const [before, beforeAlarm] = [ear.heard.length, owner.heard.length];
    await operator.ok('share/update', { shareId, permission });
    await ear.hears(before, 'rightsChanged');
    for (const [name, doing] of Object.entries(doings)) {
      const isGiven = permission.includes(name as SharePermission);
      expect((await doing()).code === 200, `${name} of ${permission.join(' ')}`).toBe(isGiven);
    }
    const atAlarm = ear.heard.length;
    void site.reportEvent(deviceSerial, { topic: 'tns1:VideoSource/MotionAlarm', key: `subset ${bits}` });
    await owner.hears(beforeAlarm, '"kind":"alarm"');
    ear.socket.send('{"type":"ping"}');
    await ear.hears(atAlarm, 'pong');
    expect(ear.since(atAlarm, '"kind":"alarm"'), `alarms of ${permission.join(' ')}`).toBe(
      permission.includes('alarmPush'),
    );
  }
  for (const { socket } of [ear, owner]) socket.close();
});

describe('[FT-38] an expiring session', () => {
  it('ends media with 1002 alone while recordings play and an export runs; the export continues', async () => {
    const { viewer, name, userId, deviceSerial } = await startViewing();
    const item = { deviceSerial, channelNo: 1, startTime: 0, endTime: 600_000 };
    const { task } = await viewer.ok('record/export/start', { items: [item] });
    const held = new Set(site.ticketsOf(userId).map((grant) => grant.ticketId));
    const ear = await listen(viewer);
    await runSql(server, `update session set expires_at = 1 where account_id = '${userId}'`);
    expect((await viewer.call('device/list', {})).code).toBe(1002);
    expect(site.ticketsOf(userId)).toHaveLength(held.size);
    // Whatever asks about the account's tickets next finds it: here a change of its rights, else the round of every minute.
    await operator.ok('share/add', { account: name, items: [{ deviceSerial }], permission: ['talk'] });
    await waitFor('the tickets to end', () => site.ticketsOf(userId).length === 0, 2000);
    expect(new Set(site.revoked.filter(({ ticketId }) => held.has(ticketId)).map(({ code }) => code))).toEqual(
      new Set([1002]),
    );
    await waitFor('the page to be sent to sign-in', () => ear.since(0, '"code":1002'), 2000);
    const again = await server.signIn(name, 'Secret-1');
    expect((await again.ok('record/export/status', { task })).state).toBe('finished');
    expect((await again.call('record/url', item)).code).toBe(200);
    expect(site.endedExports.some(({ taskId }) => taskId === task)).toBe(false);
  });

  it('does not expire while a page is open, nor while calls are made', async () => {
    const { viewer, userId } = await startViewing();
    const soon = Date.now() + 3_600_000;
    await runSql(server, `update session set expires_at = ${soon}, last_used_at = 1 where account_id = '${userId}'`);
    const ear = await listen(viewer);
    const rows = await runSql(server, `select expires_at from session where account_id = '${userId}'`);
    expect(Number(rows[0]?.['expires_at'])).toBeGreaterThan(soon);
    ear.socket.close();
  });
});

it('[GO-08] any number of tickets of a viewer end within two seconds', async () => {
  const { userId, shareId } = await startViewing();
  const database = new pg.Client({ connectionString: server.database.url });
  await database.connect();
  await database.query(
    `insert into media_ticket select 'hoard' || n, 'h' || n, account_id, session_id, kind, action, device_serial, channel_no,
      quality, start_time, end_time, probe_id, share_id, created_at, first_use_before, until
      from media_ticket, generate_series(1, 4000) as n where account_id = '${userId}' and kind = 'snapshot'`,
  );
  await database.end();
  const before = site.revoked.length;
  await operator.ok('share/delete', { shareId, shareType: 2 });
  await waitFor('all of them to end', () => site.revoked.length >= before + 4006, 2000);
});
