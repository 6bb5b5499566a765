// Sharing: offers, changes, weekly hours, re-share chains, roles, guest links, and their traces.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHARE_PERMISSIONS, type SharePermission, type ShareRight } from '@vedette/contract/permissions.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let anna: CallClient;
let ben: CallClient;
let clara: CallClient;
let camera: string;
let gate: string;

async function account(name: string, userType = 2): Promise<CallClient> {
  await operator.ok('user/add', { username: name, password: 'Secret-1', userType });
  return await server.signIn(name, 'Secret-1');
}

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  site.spans = [{ startTime: 0, endTime: 600_000, recordType: 1 }];
  [anna, ben, clara] = [await account('anna'), await account('ben'), await account('clara')];
  gate = (await anna.ok('org/add', { organizationName: 'Gate' })).organizationId;
  const order = { target: 'rtsp://192.0.2.40/2', deviceName: 'Gate camera', organizationId: gate };
  camera = (await anna.ok('device/add', order)).device.deviceSerial;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const channel = () => ({ deviceSerial: camera, channelNo: 1 });
const userIdOf = async (client: CallClient) => (await client.ok('account/info', {})).userId;
const watch = async (client: CallClient) => (await client.call('media/url', channel())).code;
const everyDay = (StartTime: string, EndTime: string) =>
  [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, entryList: [{ StartTime, EndTime, Type: 1 as const }] }));

async function share(giver: CallClient, to: string, more: Partial<Parameters<typeof add>[2]> = {}): Promise<string> {
  return await add(giver, to, more);
}
async function add(
  giver: CallClient,
  to: string,
  more: {
    permission?: ShareRight[];
    items?: { deviceSerial: string; channelNo?: number }[] | { organizationId: string }[];
    endTime?: number;
    plan?: ReturnType<typeof everyDay>;
    timeZone?: string;
  },
): Promise<string> {
  const usual = { account: to, items: [channel()], permission: ['videoView' as const] };
  return (await giver.ok('share/add', { ...usual, ...(more as object) })).shareId;
}

describe('an offer', () => {
  it('[SH-01] grants nothing until accepted, unless the installation accepts for its accounts', async () => {
    const { config, version } = await operator.ok('system/config/get', {});
    const strict = { ...config, sharing: { autoAccept: false } };
    const stored = await operator.ok('system/config/set', { config: strict, version });
    const shareId = await share(anna, 'ben');
    expect(await watch(ben)).toBe(1009);
    expect((await ben.ok('device/list', {})).total).toBe(0);
    const offered = (await ben.ok('share/received/list', {})).shareList;
    expect(offered).toMatchObject([{ shareId, state: 'pending', owner: 'anna', resourceName: expect.any(String) }]);
    expect((await anna.call('share/accept', { shareId })).code).toBe(1007);
    await ben.ok('share/accept', { shareId });
    await ben.ok('share/accept', { shareId });
    expect(await watch(ben)).toBe(200);
    expect((await anna.ok('share/given/list', { states: ['active'] })).shareList).toMatchObject([{ shareId }]);
    const declined = await share(anna, 'clara');
    expect((await anna.call('share/quit', { shareId: declined })).code).toBe(1007);
    await clara.ok('share/quit', { shareId: declined });
    expect((await clara.ok('share/received/list', {})).total).toBe(0);
    // What was never taken was never had.
    expect(await watch(clara)).toBe(1009);
    await ben.ok('share/quit', { shareId });
    await operator.ok('system/config/set', { config, version: stored.version });
  });

  it('[SH-03] [FT-39] once returned or withdrawn, both lists show it ended, and viewing answers that it ended', async () => {
    const shareId = await share(anna, 'ben');
    expect(await watch(ben)).toBe(200);
    await anna.ok('share/delete', { shareId, shareType: 2 });
    expect((await anna.ok('share/given/list', {})).total).toBe(0);
    expect((await ben.ok('share/received/list', {})).total).toBe(0);
    expect(await watch(ben)).toBe(1017);
    expect((await ben.call('record/query', { ...channel(), startTime: 0, endTime: 9 })).code).toBe(1017);
    expect((await ben.call('device/get', { deviceSerial: camera })).code).toBe(1009);
    expect(await watch(clara)).toBe(1009);
  });
});

describe('changing a share', () => {
  it('[SH-01] [SE-33] removes rights within two seconds, and refuses a stale change', async () => {
    const benId = await userIdOf(ben);
    const shareId = await share(anna, 'ben', { permission: ['videoView', 'videotapeView'] });
    await ben.ok('media/url', channel());
    await ben.ok('record/hls', { ...channel(), startTime: 0, endTime: 600_000 });
    const { version } = await anna.ok('share/update', { shareId, permission: ['videotapeView'], version: 1 });
    await waitFor('live to end', () => site.ticketsOf(benId).every(({ kind, range }) => kind === 'hls' && range), 2000);
    expect(site.ticketsOf(benId)).toHaveLength(1);
    const stale = { shareId, shareName: 'Late', version: version - 1 };
    expect((await anna.call('share/update', stale)).code).toBe(1010);
    expect((await ben.call('share/update', { shareId, permission: ['talk'] })).code).toBe(1007);
    const soon = Date.now() + 800;
    await anna.ok('share/update', { shareId, permission: ['videoView'], endTime: soon });
    expect(await watch(ben)).toBe(200);
    await waitFor('all of it to end', () => site.ticketsOf(benId).length === 0, 3000);
    expect(await watch(ben)).toBe(1017);
    expect((await ben.ok('share/received/list', { states: ['ended'] })).shareList).toMatchObject([{ shareId }]);
    expect((await ben.ok('share/received/list', {})).total).toBe(0);
    await anna.ok('share/delete', { shareId, shareType: 2 });
  });
});

describe('weekly hours', () => {
  it('[SE-32] limit access, and tickets end with them', async () => {
    // Not in the last seconds of one, which may end while this test is under way.
    await waitFor('an hour that lasts', () => Date.now() % 3_600_000 < 3_585_000);
    const hour = new Date().getUTCHours();
    const two = (value: number) => String(value).padStart(2, '0');
    const isLate = hour === 23;
    const open = everyDay(`${two(hour)}:00:00`, isLate ? '23:59:59' : `${two(hour + 1)}:00:00`);
    const closed = everyDay(isLate ? '00:00:00' : `${two(hour + 1)}:00:00`, isLate ? '01:00:00' : '23:59:59');
    const shareId = await share(anna, 'ben', { plan: open, timeZone: 'UTC' });
    expect(await watch(ben)).toBe(200);
    const ends = new Set(site.ticketsOf(await userIdOf(ben)).map(({ until }) => until));
    const end = (Math.floor(Date.now() / 3_600_000) + 1) * 3_600_000;
    expect(ends).toEqual(new Set([end]));
    await anna.ok('share/update', { shareId, plan: closed, timeZone: 'UTC' });
    expect(await watch(ben)).toBe(1017);
    expect((await ben.ok('device/list', {})).total).toBe(0);
    const [row] = (await ben.ok('share/received/list', {})).shareList;
    expect(row).toMatchObject({ state: 'scheduled', plan: closed, timeZone: 'UTC' });
    expect((await anna.call('share/update', { shareId, plan: closed, timeZone: 'Mars/Base' })).code).toBe(1003);
    await anna.ok('share/update', { shareId, plan: everyDay('00:00:00', '23:59:59') });
    expect((await ben.ok('share/received/list', {})).shareList).toMatchObject([{ state: 'active', plan: null }]);
    await anna.ok('share/delete', { shareId, shareType: 2 });
  });
});

describe('re-sharing', () => {
  it('[SE-31] never grants more than the giver has, nor longer, and ends with the share it came from', async () => {
    const claraId = await userIdOf(clara);
    const endTime = Date.now() + 3_600_000;
    const first = await share(anna, 'ben', {
      items: [{ organizationId: gate }],
      permission: ['videoView', 'talk', 'Reshare'],
      endTime,
    });
    const beyond = { account: 'clara', items: [channel()], permission: ['videotapeView' as const] };
    expect((await ben.call('share/add', beyond)).code).toBe(1004);
    expect((await ben.call('share/add', { ...beyond, account: 'anna', permission: ['talk'] })).code).toBe(1004);
    const second = await share(ben, 'clara');
    await clara.ok('media/url', channel());
    expect(new Set(site.ticketsOf(claraId).map(({ until }) => until))).toEqual(new Set([endTime]));
    const listed = (await clara.ok('share/received/list', {})).shareList;
    expect(listed).toMatchObject([{ shareId: second, owner: 'ben', isPassedOn: true, state: 'active' }]);
    // Less for the giver is less for who received it from there, and back again.
    await anna.ok('share/update', { shareId: first, permission: ['talk', 'Reshare'] });
    await waitFor('the chain to end', () => site.ticketsOf(claraId).length === 0, 2000);
    expect(site.revoked.at(-1)?.code).toBe(1017);
    expect((await ben.ok('share/given/list', {})).shareList).toMatchObject([{ shareId: second, state: 'ended' }]);
    await anna.ok('share/update', { shareId: first, permission: ['videoView', 'Reshare'] });
    expect(await watch(clara)).toBe(200);
    // The right to share on goes, and with it what was shared on.
    await clara.ok('media/url', channel());
    await anna.ok('share/update', { shareId: first, permission: ['videoView'] });
    await waitFor('the chain to end', () => site.ticketsOf(claraId).length === 0, 2000);
    expect(await watch(clara)).toBe(1017);
    await anna.ok('share/update', { shareId: first, permission: ['videoView', 'Reshare'] });
    expect(await watch(clara)).toBe(200);
    // The camera leaves the organisation by which the giver had it.
    await anna.ok('device/move', { deviceSerial: camera, organizationId: '0' });
    await waitFor('the chain to end', () => site.ticketsOf(claraId).length === 0, 2000);
    expect((await clara.ok('device/list', {})).total).toBe(0);
    await anna.ok('device/move', { deviceSerial: camera, organizationId: gate });
    expect(await watch(clara)).toBe(200);
    await anna.ok('share/delete', { shareId: first, shareType: 2 });
    await waitFor('the chain to end', () => site.ticketsOf(claraId).length === 0, 2000);
    expect(await watch(clara)).toBe(1017);
    await ben.ok('share/delete', { shareId: second, shareType: 2 });
  });

  it('[SE-33] ends when the account in between is disabled', async () => {
    const [benId, claraId] = [await userIdOf(ben), await userIdOf(clara)];
    await share(anna, 'ben', { permission: ['videoView', 'Reshare'] });
    await share(ben, 'clara');
    await clara.ok('media/url', channel());
    await operator.ok('user/enable', { userId: benId, isEnabled: false });
    await waitFor('the chain to end', () => site.ticketsOf(claraId).length === 0, 2000);
    expect(await watch(clara)).toBe(1017);
    await operator.ok('user/enable', { userId: benId, isEnabled: true });
    expect(await watch(clara)).toBe(200);
    ben = await server.signIn('ben', 'Secret-1');
    for (const { shareId } of (await anna.ok('share/given/list', {})).shareList) {
      await anna.ok('share/delete', { shareId, shareType: 2 });
    }
    for (const { shareId } of (await ben.ok('share/given/list', {})).shareList) {
      await ben.ok('share/delete', { shareId, shareType: 2 });
    }
  });
});

describe('sharing by a role', () => {
  it('[SH-04] [EN-19] follows changes of the role within two seconds', async () => {
    const benId = await userIdOf(ben);
    const { roleId } = await anna.ok('role/add', {
      roleName: 'Neighbours',
      permissions: ['Realplay', 'DeviceManage'],
      resources: null,
    });
    const order = { account: 'ben', items: [channel()], shareType: 1 as const, roleId };
    expect((await ben.call('share/add', { ...order, account: 'clara' })).code).toBe(1007);
    expect((await anna.call('share/add', { ...order, permission: ['talk'] })).code).toBe(1003);
    const { shareId } = await anna.ok('share/add', order);
    await ben.ok('media/url', channel());
    const { deviceList } = await ben.ok('share/device/list', {});
    expect(deviceList).toMatchObject([{ permission: ['Realplay'], shareInfo: { shareType: 1, shareId } }]);
    const { roleList } = await anna.ok('role/list', {});
    const version = roleList.find((role) => role.roleId === roleId)?.version ?? 0;
    await anna.ok('role/update', { roleId, roleName: 'Neighbours', version, permissions: ['Replay'], resources: null });
    await waitFor('live to end', () => site.ticketsOf(benId).length === 0, 2000);
    expect(await watch(ben)).toBe(1004);
    expect((await ben.call('share/delete', { shareId, shareType: 2 })).code).toBe(1007);
    await ben.ok('share/delete', { shareId, shareType: 1 });
  });
});

describe('lists', () => {
  it('[SH-02] [SE-22] batches and lists with own, foreign and missing ids return own objects alone', async () => {
    const { device } = await ben.ok('device/add', { target: 'rtsp://192.0.2.41/1', deviceName: 'Own' });
    const serials = [device.deviceSerial, camera, 'MISSING'];
    const batch = { deviceSerialList: serials };
    expect((await ben.ok('device/batch', batch)).deviceList.map((row) => row.deviceSerial)).toEqual([
      device.deviceSerial,
    ]);
    const shareId = await share(anna, 'ben', { items: [{ organizationId: gate }] });
    expect((await ben.ok('device/batch', batch)).deviceList).toHaveLength(2);
    expect((await ben.ok('share/org/list', {})).orgList).toMatchObject([
      { organizationId: gate, isShared: 1, owner: 'anna', shareInfo: { shareId } },
    ]);
    expect((await clara.ok('share/org/list', {})).total).toBe(0);
    const mixed = { account: 'clara', items: [{ deviceSerial: device.deviceSerial }, { deviceSerial: 'MISSING' }] };
    expect((await ben.call('share/add', { ...mixed, permission: ['talk'] })).code).toBe(1009);
    expect((await clara.ok('share/received/list', {})).total).toBe(0);
    await anna.ok('share/delete', { shareId, shareType: 2 });
  });

  it('[SH-02] devices shared with an account are filtered by serial, word, channel, organisation and kind, 10 a page', async () => {
    const organizationId = (await anna.ok('org/add', { organizationName: 'Yard' })).organizationId;
    const devices: string[] = [];
    for (let no = 1; no <= 11; no += 1) {
      const order = { target: `rtsp://192.0.2.${100 + no}/1`, deviceName: `Yard ${no}`, organizationId };
      devices.push((await anna.ok('device/add', order)).device.deviceSerial);
    }
    const [first = '', second = ''] = devices;
    const shares = [
      await share(anna, 'ben', { items: [channel()] }),
      await share(anna, 'ben', { items: [{ deviceSerial: first }] }),
    ];
    const listed = async (filter: object) => {
      const { total, deviceList } = await ben.ok('share/device/list', filter);
      return { total, serials: deviceList.map(({ deviceSerial }) => deviceSerial) };
    };
    expect(await listed({})).toEqual({ total: 2, serials: [camera, first] });
    expect(await listed({ keyWord: 'gate' })).toEqual({ total: 1, serials: [camera] });
    expect(await listed({ keyWord: 'yard 1' })).toEqual({ total: 1, serials: [first] });
    expect(await listed({ keyWord: 'nothing' })).toEqual({ total: 0, serials: [] });
    expect(await listed({ deviceSerial: first })).toEqual({ total: 1, serials: [first] });
    expect(await listed({ channelNo: 1 })).toEqual({ total: 2, serials: [camera, first] });
    // A share of channel 1 alone has no second; a share of the whole device has every one.
    expect(await listed({ channelNo: 2 })).toEqual({ total: 1, serials: [first] });
    expect(await listed({ shareResourceType: 3 })).toEqual({ total: 1, serials: [camera] });
    expect(await listed({ shareResourceType: 2 })).toEqual({ total: 1, serials: [first] });
    expect(await listed({ deviceSerial: second })).toEqual({ total: 0, serials: [] });
    shares.push(await share(anna, 'ben', { items: [{ organizationId }] }));
    expect((await listed({ organizationId, shareResourceType: 1 })).total).toBe(11);
    const pages = [await listed({ shareResourceType: 1 }), await listed({ shareResourceType: 1, pageStart: 1 })];
    expect(pages.map(({ serials }) => serials.length)).toEqual([10, 1]);
    expect(pages.flatMap(({ serials }) => serials).toSorted()).toEqual(devices.toSorted());
    for (const shareId of shares) await anna.ok('share/delete', { shareId, shareType: 2 });
  });

  it('[SE-30] [EN-05] each of the 64 subsets grants exactly what it names', async () => {
    const names = Object.keys(SHARE_PERMISSIONS) as SharePermission[];
    const shareId = await share(anna, 'clara', { permission: names });
    for (let bits = 1; bits < 64; bits += 1) {
      const permission = names.filter((_name, index) => (bits & (1 << index)) !== 0);
      await anna.ok('share/update', { shareId, permission });
      const { deviceList } = await clara.ok('device/list', {});
      const given = permission.map((name) => SHARE_PERMISSIONS[name]);
      expect(new Set(deviceList[0]?.permission)).toEqual(new Set(given));
    }
    expect((await anna.call('share/update', { shareId, permission: [] })).code).toBe(1003);
    await anna.ok('share/delete', { shareId, shareType: 2 });
  });
});

describe('guest links', () => {
  const inAnHour = () => Date.now() + 3_600_000;

  it('[SE-33] open one live view by a password, and end within two seconds of being revoked', async () => {
    const annaId = await userIdOf(anna);
    const guest = server.client();
    const order = { live: channel(), endTime: inAnHour(), password: 'Gate-1', linkName: 'For the post' };
    const { linkId, url } = await anna.ok('share/link/create', order);
    expect(url).toBe(`http://localhost:8443/guest#${linkId}`);
    expect(await guest.call('share/link/open', { linkId })).toMatchObject({
      code: 2004,
      data: { passwordRequired: true },
    });
    expect((await guest.call('share/link/open', { linkId, password: 'Gate-2' })).code).toBe(2004);
    const opened = await guest.ok('share/link/open', { linkId, password: 'Gate-1' });
    expect(opened).toMatchObject({ kind: 'live', linkName: 'For the post', endTime: order.endTime });
    const held = site.ticketsOf(annaId);
    expect(held.map(({ kind, until }) => ({ kind, until }))).toEqual([
      { kind: 'live', until: order.endTime },
      { kind: 'hls', until: order.endTime },
    ]);
    expect((await anna.ok('share/link/list', {})).linkList).toMatchObject([
      { linkId, state: 'active', hasPassword: true, openCount: 1 },
    ]);
    expect((await ben.ok('share/link/list', {})).total).toBe(0);
    expect((await ben.call('share/link/revoke', { linkId })).code).toBe(1007);
    await anna.ok('share/link/revoke', { linkId });
    await waitFor('the guest to be cut off', () => site.ticketsOf(annaId).length === 0, 2000);
    expect(site.revoked.at(-1)?.code).toBe(1017);
    expect((await guest.call('share/link/open', { linkId, password: 'Gate-1' })).code).toBe(1017);
    expect((await guest.call('share/link/open', { linkId: 'x'.repeat(43) })).code).toBe(1007);
    const output = server.log.join('\n') + (await server.send({ path: '/metrics' })).body;
    expect(output).not.toContain(linkId);
  });

  it('[SE-31] show no more than their creator may see, and only as long', async () => {
    const benId = await userIdOf(ben);
    const guest = server.client();
    const clip = { ...channel(), startTime: 0, endTime: 600_000 };
    expect((await ben.call('share/link/create', { clip, endTime: inAnHour() })).code).toBe(1009);
    expect(
      (await clara.call('share/link/create', { live: { ...channel(), channelNo: 9 }, endTime: inAnHour() })).code,
    ).toBe(1009);
    const shareId = await share(anna, 'ben', { permission: ['videotapeView'] });
    expect((await ben.call('share/link/create', { clip, endTime: inAnHour() })).code).toBe(1004);
    await anna.ok('share/update', { shareId, permission: ['videotapeView', 'Reshare'] });
    expect((await ben.call('share/link/create', { live: channel(), endTime: inAnHour() })).code).toBe(1004);
    expect(
      (await ben.call('share/link/create', { clip: { ...clip, endTime: 600_001 }, endTime: inAnHour() })).code,
    ).toBe(1003);
    const { linkId } = await ben.ok('share/link/create', { clip, endTime: inAnHour() });
    const opened = await guest.ok('share/link/open', { linkId });
    expect(opened).toMatchObject({ kind: 'clip', clipStartTime: 0, clipEndTime: 600_000 });
    expect(new Set(site.ticketsOf(benId).map(({ range }) => range?.endTime))).toEqual(new Set([600_000]));
    // The right to make links goes, and with it the links.
    await anna.ok('share/update', { shareId, permission: ['videotapeView'] });
    await waitFor('the guest to be cut off', () => site.ticketsOf(benId).length === 0, 2000);
    expect((await guest.call('share/link/open', { linkId })).code).toBe(1017);
    await anna.ok('share/update', { shareId, permission: ['videotapeView', 'Reshare'] });
    await guest.ok('share/link/open', { linkId });
    await anna.ok('share/delete', { shareId, shareType: 2 });
    await waitFor('the guest to be cut off', () => site.ticketsOf(benId).length === 0, 2000);
    expect((await guest.call('share/link/open', { linkId })).code).toBe(1017);
    expect((await ben.ok('share/link/list', {})).linkList).toMatchObject([{ state: 'ended' }]);
  });

  it('[SE-31] start a clip at a keyframe, return the range to their creator, and serve nothing outside it', async () => {
    const annaId = await userIdOf(anna);
    const clip = { ...channel(), startTime: 30_000, endTime: 60_000 };
    site.keyMs = 28_500.4;
    const made = await anna.ok('share/link/create', { clip, endTime: inAnHour() });
    expect(made).toMatchObject({ clipStartTime: 28_500, clipEndTime: 60_000 });
    const opened = await server.client().ok('share/link/open', { linkId: made.linkId });
    expect(opened).toMatchObject({ clipStartTime: 28_500, clipEndTime: 60_000 });
    const range = { startTime: 28_500, endTime: 60_000 };
    expect(site.ticketsOf(annaId).map((grant) => [grant.kind, grant.range, grant.isExact])).toEqual([
      ['fragments', range, true],
      ['hls', range, true],
    ]);
    await anna.ok('share/link/revoke', { linkId: made.linkId });
    await waitFor('the guest to be cut off', () => site.ticketsOf(annaId).length === 0, 2000);
    // A keyframe after the start moves nothing, nor does a site that is away.
    site.keyMs = 30_400;
    expect(await anna.ok('share/link/create', { clip, endTime: inAnHour() })).toMatchObject({ clipStartTime: 30_000 });
    site.refusals.set('recordings', { code: 1012, data: null });
    expect(await anna.ok('share/link/create', { clip, endTime: inAnHour() })).toMatchObject({ clipStartTime: 30_000 });
    site.refusals.delete('recordings');
    site.keyMs = null;
  });

  it('[SE-01] limit password attempts', async () => {
    const { linkId } = await anna.ok('share/link/create', { live: channel(), endTime: inAnHour(), password: 'Gate-1' });
    const tries = Array.from({ length: 25 }, () => server.client().call('share/link/open', { linkId, password: 'no' }));
    const codes = (await Promise.all(tries)).map(({ code }) => code);
    expect(codes.filter((code) => code === 2004).length).toBeLessThanOrEqual(20);
    expect(codes).toContain(1005);
    expect((await server.client().call('share/link/open', { linkId, password: 'Gate-1' })).code).toBe(1005);
  });
});
