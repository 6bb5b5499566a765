// Devices, organisations, shares and tickets for several accounts, and what ends with a right.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let guest: CallClient;
let guestId: string;
const CAMERA = 'rtsp://192.0.2.10/1';
const RECORDER = 'rtsp://192.0.2.20/4';
let camera: string;
let recorder: string;
let gate: string;
let yard: string;

async function makeAccount(name: string, userType = 2, organizationIds: string[] = []): Promise<CallClient> {
  await operator.ok('user/add', { username: name, password: 'Secret-1', userType, organizationIds });
  return await server.signIn(name, 'Secret-1');
}

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  guest = await makeAccount('guest');
  guestId = (await guest.ok('account/info', {})).userId;
  gate = (await operator.ok('org/add', { organizationName: 'Gate' })).organizationId;
  yard = (await operator.ok('org/add', { organizationName: 'Yard 东院', parentOrgId: gate })).organizationId;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

describe('adding devices', () => {
  it('[DM-01] probes first: image and live view of the candidate by ticket, no secret in the answer', async () => {
    const target = 'rtsp://user:camera-secret@192.0.2.10/1';
    const { candidate } = await operator.ok('device/probe', { target });
    expect(candidate.deviceName).toBe('Camera  b');
    expect(candidate.channelList).toHaveLength(1);
    const [picture, live] = site.ticketsOf((await operator.ok('account/info', {})).userId);
    expect(picture).toMatchObject({ kind: 'probe', probeId: 'probe-192.0.2.10/1', channelNo: 1 });
    expect(live?.ticketId).not.toBe(picture?.ticketId);
    expect(candidate.snapshotUrl).toMatch(/^http:\/\/localhost:8443\/media\/snapshot\/[\w-]{43}$/);
    expect(JSON.stringify(candidate)).not.toContain('camera-secret');
  });

  it('[DM-01] [DM-02] adds each once, assigns it to the site, and answers 2024 and 1008', async () => {
    const order = { target: CAMERA, user: 'viewer', password: 'camera-secret', organizationId: yard };
    const { device } = await operator.ok('device/add', { ...order, deviceName: 'Front door 正门' });
    camera = device.deviceSerial;
    expect(device).toMatchObject({ organizationName: 'Yard 东院', channelTotal: 1, isShared: 0, keySerial: camera });
    expect(site.assigned.get(camera)).toMatchObject({ user: 'viewer', password: 'camera-secret' });
    expect((await operator.call('device/add', { ...order, deviceName: 'Again' })).code).toBe(2024);
    const stranger = { target: CAMERA, deviceName: 'Mine' };
    expect((await guest.call('device/add', stranger)).code).toBe(1008);
    recorder = (await operator.ok('device/add', { target: RECORDER, deviceName: 'Recorder' })).device.deviceSerial;
    const listed = JSON.stringify(await operator.ok('device/list', {})) + server.log.join('\n');
    expect(listed).not.toContain('camera-secret');
  });

  it('[ER-01] returns the error of the device, with its reason', async () => {
    site.refusals.set('probe', { code: 2316, data: { reason: 'deviceAuth' } });
    const answer = await operator.call('device/add', { target: 'rtsp://192.0.2.30/1', deviceName: 'Locked' });
    expect(answer).toMatchObject({ code: 2316, message: 'devInternalErr', data: { reason: 'deviceAuth' } });
    site.refusals.clear();
  });
});

describe('lists', () => {
  it('[DM-03] [CA-05] the tree lists organisations before devices, with channels', async () => {
    const { total, resourceList } = await operator.ok('org/resource/list', {});
    expect(total).toBe(4);
    expect(resourceList.map((row) => row.resourceType)).toEqual(['organization', 'organization', 'device', 'device']);
    const second = await operator.ok('org/resource/list', { pageStart: 1, pageSize: 3 });
    expect(second.resourceList).toEqual(resourceList.slice(3));
    const below = await operator.ok('org/resource/sub', { organizationId: gate });
    expect(below.total).toBe(2);
    const alone = await operator.ok('org/resource/sub', { organizationId: gate, queryMode: 1 });
    expect(alone.resourceList.map((row) => row.resourceType)).toEqual(['organization']);
  });

  it('[DM-03] [EN-03] organisations and devices of one organisation; 0 is the root', async () => {
    const top = await operator.ok('org/list', {});
    expect(top.orgList).toMatchObject([{ organizationName: 'Gate', parentOrgId: '0' }]);
    const { orgList } = await operator.ok('org/list', { organizationId: gate });
    expect(orgList).toMatchObject([{ organizationId: yard, parentOrgId: gate, owner: 'operator' }]);
    expect((await operator.ok('org/device/list', { organizationId: yard })).total).toBe(1);
    expect((await operator.ok('org/device/list', { organizationId: '0' })).total).toBe(1);
    expect((await guest.call('org/device/list', { organizationId: yard })).code).toBe(1007);
  });

  it('[WG-12] finds by name, serial and one and two Chinese characters, without wildcards', async () => {
    const names = async (keyWord: string) =>
      (await operator.ok('org/search', { keyWord })).hitList.map((hit) => `${hit.type} ${hit.name}`);
    expect(await names('正门')).toEqual(['device Front door 正门', 'channel Front door 正门']);
    expect(await names('东院')).toEqual(['organization Yard 东院']);
    expect(await names(camera)).toEqual(['device Front door 正门']);
    expect(await names('%')).toEqual([]);
    expect(await names('r')).toContain('device Recorder');
    // One character has no pairs: it is found by itself, in a name, in a serial, and not where it is missing.
    expect(await names('门')).toEqual(['device Front door 正门', 'channel Front door 正门']);
    expect(await names('院')).toEqual(['organization Yard 东院']);
    expect(await names('R')).toEqual(await names('r'));
    expect(await names('魚')).toEqual([]);
    expect(await names('_')).toEqual([]);
    expect((await operator.ok('device/list', { keyWord: '门' })).total).toBe(1);
    expect((await guest.ok('org/search', { keyWord: '正门' })).total).toBe(0);
    expect((await operator.ok('device/list', { keyWord: '正门' })).total).toBe(1);
  });

  it('[DM-01] [CA-05] pages, batches and channels', async () => {
    const page = await operator.ok('device/list', { pageNo: 2, pageSize: 1 });
    expect(page).toMatchObject({ total: 2, deviceList: [{ deviceName: 'Recorder' }] });
    expect((await operator.ok('device/list', { organizationId: gate })).total).toBe(1);
    expect((await operator.ok('device/list', { organizationId: '0' })).total).toBe(2);
    const batch = { deviceSerialList: [camera, recorder, 'MISSING'] };
    expect((await operator.ok('device/batch', batch)).deviceList).toHaveLength(2);
    expect((await operator.ok('device/batch', { ...batch, recorderOnly: true })).deviceList).toHaveLength(1);
    expect((await guest.ok('device/batch', batch)).deviceList).toEqual([]);
    const first = await operator.ok('channel/list', { deviceSerial: recorder, pageStart: 0, pageSize: 3 });
    const last = await operator.ok('channel/list', { deviceSerial: recorder, pageStart: 1, pageSize: 3 });
    expect([first.total, first.channelList.length, last.channelList.length]).toEqual([4, 3, 1]);
  });
});

describe('changing devices', () => {
  it('[DM-01] [FT-43] a stale change returns the newer device; a rename reaches every page', async () => {
    const { device } = await operator.ok('device/get', { deviceSerial: camera });
    const renamed = { deviceSerial: camera, deviceName: 'Door', version: device.version };
    const after = await operator.ok('device/update', renamed);
    expect(after.device).toMatchObject({ deviceName: 'Door', version: device.version + 1 });
    const stale = await operator.call('device/update', { ...renamed, deviceName: 'Other' });
    expect(stale).toMatchObject({ code: 1010, data: { deviceName: 'Door' } });
    const channel = await operator.ok('channel/update', {
      deviceSerial: recorder,
      channelNo: 2,
      channelName: 'Stairs',
    });
    expect(channel.channel.channelName).toBe('Stairs');
    expect(
      (await operator.call('channel/update', { deviceSerial: recorder, channelNo: 9, channelName: 'x' })).code,
    ).toBe(1009);
  });
});

describe('sharing one channel', () => {
  let shareId: string;
  const share = () => ({
    account: 'guest',
    items: [{ deviceSerial: recorder, channelNo: 2 }],
    permission: ['videoView' as const],
    shareName: 'Stairs for you',
  });

  it('[SH-01] [PM-03] grants that channel alone', async () => {
    expect((await guest.ok('device/list', {})).total).toBe(0);
    shareId = (await operator.ok('share/add', share())).shareId;
    const { deviceList } = await guest.ok('device/list', {});
    expect(deviceList).toMatchObject([
      {
        deviceSerial: recorder,
        isShared: 3,
        channelNo: 2,
        keySerial: `${recorder}-3-2-2`,
        permission: ['Realplay'],
        address: '',
        deviceUserName: '',
        shareInfo: { shareId, owner: 'operator', shareName: 'Stairs for you' },
      },
    ]);
    const { channelList } = await guest.ok('channel/list', { deviceSerial: recorder });
    expect(channelList.map((channel) => channel.channelNo)).toEqual([2]);
    const { resourceList } = await guest.ok('org/resource/list', {});
    expect(resourceList).toMatchObject([{ resourceType: 'device', channelList: [{ channelNo: 2 }] }]);
    expect((await guest.ok('share/device/list', { shareResourceType: 3 })).total).toBe(1);
    expect((await guest.ok('share/device/list', { shareResourceType: 1 })).total).toBe(0);
    expect((await guest.ok('share/received/list', {})).shareList).toMatchObject([{ account: 'guest', channelNo: 2 }]);
    expect((await operator.ok('share/given/list', {})).total).toBe(1);
  });

  it('[SE-22] [SE-23] refuses another channel, another device, and further rights', async () => {
    const on = (channelNo: number) => ({ deviceSerial: recorder, channelNo });
    expect((await guest.call('media/url', on(2))).code).toBe(200);
    expect((await guest.call('media/url', on(1))).code).toBe(1009);
    expect((await guest.call('media/url', { deviceSerial: camera, channelNo: 1 })).code).toBe(1009);
    expect((await guest.call('record/query', { ...on(2), startTime: 1, endTime: 2 })).code).toBe(1004);
    expect((await guest.call('device/delete', { deviceSerial: recorder })).code).toBe(1004);
    expect((await guest.call('device/delete', { deviceSerial: camera })).code).toBe(1009);
    expect((await guest.call('share/add', { ...share(), account: 'operator' })).code).toBe(1004);
    const foreign = { ...share(), account: 'operator', items: [{ deviceSerial: camera }] };
    expect((await guest.call('share/add', foreign)).code).toBe(1009);
  });

  it('[DM-02] adding a device that is shared with me answers 2029', async () => {
    expect((await guest.call('device/add', { target: RECORDER, deviceName: 'Mine' })).code).toBe(2029);
  });

  it('[SH-03] [SE-33] [SE-24] withdrawal revokes its tickets with 1017 and notifies the page within 2 s', async () => {
    const heard: { event?: { kind: string } }[] = [];
    const socket = server.webSocket('/ws');
    socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8')) as { event?: { kind: string } }));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: guest.accessToken })));
    await waitFor('the welcome', () => heard.length > 0);
    const before = site.ticketsOf(guestId).map((grant) => grant.ticketId);
    expect(before.length).toBeGreaterThan(0);
    expect((await operator.call('share/delete', { shareId, shareType: 1 })).code).toBe(1007);
    await operator.ok('share/delete', { shareId, shareType: 2 });
    await waitFor('the tickets to end', () => site.ticketsOf(guestId).length === 0, 2000);
    const codes = site.revoked.filter((one) => before.includes(one.ticketId)).map((one) => one.code);
    expect(codes).toEqual(before.map(() => 1017));
    await waitFor('the page to hear of it', () => heard.some((one) => one.event?.kind === 'rightsChanged'), 2000);
    expect((await guest.call('media/url', { deviceSerial: recorder, channelNo: 2 })).code).toBe(1017);
    expect((await guest.ok('device/list', {})).total).toBe(0);
    expect((await guest.call('share/delete', { shareId, shareType: 2 })).code).toBe(1007);
    socket.close();
  });

  it('[SE-32] an expired share ends its tickets within 2 s, and notifies the page', async () => {
    const heard: string[] = [];
    const socket = server.webSocket('/ws');
    socket.on('message', (raw: Buffer) => heard.push(raw.toString('utf8')));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: guest.accessToken })));
    await waitFor('the welcome', () => heard.length > 0);
    const endTime = Date.now() + 1500;
    await operator.ok('share/add', { ...share(), endTime });
    const changeCount = () => heard.filter((text) => text.includes('rightsChanged')).length;
    await waitFor('word of the share', () => changeCount() === 1);
    await guest.ok('media/url', { deviceSerial: recorder, channelNo: 2 });
    expect(new Set(site.ticketsOf(guestId).map((grant) => grant.until))).toEqual(new Set([endTime]));
    await waitFor('the tickets to end', () => site.ticketsOf(guestId).length === 0, 4000);
    expect(site.revoked.at(-1)?.code).toBe(1017);
    expect((site.revoked.at(-1)?.at ?? 0) - endTime).toBeLessThan(2000);
    await waitFor('word of its end', () => changeCount() === 2, 2000);
    socket.close();
    const late = { ...share(), endTime: Date.now() - 1 };
    expect((await operator.call('share/add', late)).code).toBe(1003);
  });

  it('[PM-04] a shared organisation grants its content, and appears at the root', async () => {
    const items = [{ organizationId: gate }];
    const given = await operator.ok('share/add', { ...share(), items, permission: ['videoView', 'videotapeView'] });
    const { resourceList } = await guest.ok('org/resource/list', {});
    expect(resourceList).toMatchObject([
      { resourceType: 'organization', organization: { organizationName: 'Gate', parentOrgId: '0', isShared: 1 } },
      { resourceType: 'organization', organization: { organizationId: yard, parentOrgId: gate } },
      { resourceType: 'device', device: { deviceSerial: camera, isShared: 1, permission: ['Realplay', 'Replay'] } },
    ]);
    await guest.ok('media/url', { deviceSerial: camera, channelNo: 1 });
    await operator.ok('device/move', { deviceSerial: camera, organizationId: '0' });
    await waitFor('the tickets of the moved camera to end', () => site.ticketsOf(guestId).length === 0, 2000);
    expect((await guest.ok('device/list', {})).total).toBe(0);
    await operator.ok('device/move', { deviceSerial: camera, organizationId: yard });
    expect((await guest.call('device/move', { deviceSerial: camera, organizationId: '0' })).code).toBe(1004);
    await guest.ok('share/delete', { shareId: given.shareId, shareType: 2 });
    expect((await guest.ok('org/list', {})).total).toBe(0);
  });
});

describe('sub-accounts', () => {
  it('[PM-02] see the organisations assigned to them and may view, not manage', async () => {
    const clerk = await makeAccount('clerk', 5, [gate]);
    expect((await clerk.ok('device/list', {})).deviceList).toMatchObject([{ deviceSerial: camera, isShared: 0 }]);
    expect((await clerk.ok('permission/list', {})).permissionList).toEqual(['Realplay', 'Replay', 'Export']);
    expect((await clerk.call('media/url', { deviceSerial: camera, channelNo: 1 })).code).toBe(200);
    expect((await clerk.call('device/update', { deviceSerial: camera, deviceName: 'x' })).code).toBe(1004);
    expect((await clerk.call('org/add', { organizationName: 'x', parentOrgId: gate })).code).toBe(1004);
    expect((await clerk.call('device/add', { target: CAMERA, deviceName: 'x' })).code).toBe(1004);
    expect(
      (await clerk.call('share/add', { account: 'guest', items: [{ deviceSerial: camera }], permission: ['talk'] }))
        .code,
    ).toBe(1004);
    const background = await makeAccount('backoffice', 3);
    expect((await background.call('device/probe', { target: CAMERA })).code).toBe(1004);
  });
});

describe('site offline and back', () => {
  it('calls that need it answer 1012, lists still work, and on its return it gets all assignments', async () => {
    await operator.ok('share/add', { account: 'guest', items: [{ deviceSerial: camera }], permission: ['videoView'] });
    await guest.ok('media/url', { deviceSerial: camera, channelNo: 1 });
    const held = site;
    await site.hangUp();
    const calls: [CallPath, object][] = [
      ['media/url', { deviceSerial: camera, channelNo: 1 }],
      ['device/probe', { target: CAMERA }],
      ['record/query', { deviceSerial: camera, channelNo: 1, startTime: 0, endTime: 1 }],
    ];
    for (const [path, input] of calls) {
      const answer = await waitFor(`${path} to answer 1012`, async () => {
        const given = await operator.raw(path, input);
        return given.code === 1012 && given;
      });
      expect(answer.message).toBe('serviceBusy');
    }
    expect((await operator.ok('system/health', {})).siteOnline).toBe(false);
    const { shareList } = await guest.ok('share/received/list', {});
    await operator.ok('share/delete', { shareId: shareList[0]?.shareId ?? '', shareType: 2 });
    await operator.ok('device/delete', { deviceSerial: recorder });
    site = await ScriptedSite.dial(server, held);
    expect([...site.assigned.keys()]).toEqual([camera]);
    expect(site.removedRecordings).toHaveLength(4);
    expect(site.ticketsOf(guestId)).toEqual([]);
    expect(site.revoked.map((one) => one.code)).toContain(1017);
  });

  it('[SE-51] only the local site may connect', async () => {
    const codes = await Promise.all(
      [{ secret: 'guess' }, { protocol: 2 }].map(
        (wrong) =>
          new Promise<number>((resolve) => {
            const socket = server.webSocket('/site');
            socket.on('open', () =>
              socket.send(
                JSON.stringify({ type: 'hello', protocol: 1, siteId: 'local', secret: '0'.repeat(64), ...wrong }),
              ),
            );
            socket.on('close', resolve);
          }),
      ),
    );
    // Another version is told so, before anything else is looked at.
    expect(codes).toEqual([4401, 4406]);
    const outside = server.webSocket('/site', { 'x-forwarded-for': '192.0.2.1' });
    const refused = await new Promise((resolve) => outside.on('error', (error) => resolve(error.message)));
    expect(refused).toContain('404');
  });
});

describe('deleting a device', () => {
  it('[DM-01] removes it everywhere, with its recordings', async () => {
    await operator.ok('media/url', { deviceSerial: camera, channelNo: 1 });
    await operator.ok('device/delete', { deviceSerial: camera });
    expect(site.assigned.size).toBe(0);
    expect(site.removedRecordings).toHaveLength(5);
    await waitFor('its tickets to end', () => site.revoked.some((one) => one.code === 1009), 2000);
    expect((await operator.call('device/get', { deviceSerial: camera })).code).toBe(1009);
    expect((await operator.call('device/delete', { deviceSerial: camera })).code).toBe(1009);
  });
});
