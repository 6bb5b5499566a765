// Whatever ends a right ends its open tickets within two seconds, with its own code; races leave nothing alive.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
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
  const permission = ['videoView' as const, 'videotapeView' as const];
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

  it('the device moves out of the shared organisation: every ticket ends with 1017', async () => {
    const { userId, deviceSerial } = await startViewing('organization');
    await operator.ok('device/move', { deviceSerial, organizationId: '0' });
    await waitFor('all tickets to end', () => site.ticketsOf(userId).length === 0, 2000);
    expect(site.revoked.at(-1)?.code).toBe(1017);
  });

  it('the giver is disabled: what it shared is dark', async () => {
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

  it('a second share keeps the picture when the first is withdrawn', async () => {
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

it('[SE-35] many starts against one withdrawal leave nothing alive', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { viewer, userId, deviceSerial, shareId } = await startViewing();
    const start = () => viewer.call('media/url', { deviceSerial, channelNo: 1 });
    const before = Array.from({ length: 30 }, start);
    const withdrawn = operator.ok('share/delete', { shareId, shareType: 2 });
    const answers = await Promise.all([...before, ...Array.from({ length: 30 }, start)]);
    await withdrawn;
    expect(answers.every((answer) => [200, 1004, 1009, 1017].includes(answer.code))).toBe(true);
    await waitFor('nothing to be alive', () => site.ticketsOf(userId).length === 0, 2000);
    expect((await start()).code).toBe(1017);
    expect(site.ticketsOf(userId)).toEqual([]);
  }
});

it('[GO-08] however many tickets a viewer has hoarded, all end within two seconds', async () => {
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
