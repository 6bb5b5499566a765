// Audit log for the owner of a camera: everyone who viewed it, exported it, or shared it on.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let other: CallClient;
let friend: CallClient;
let camera: string;
let yard: string;
let shareId: string;

const HOUR = 3_600_000;
const gate = () => ({ deviceSerial: camera, channelNo: 1 });
const endTime = () => Date.now() + HOUR;

async function account(name: string): Promise<CallClient> {
  await operator.ok('user/add', { username: name, password: 'Secret-1', userType: 2 });
  return await server.signIn(name, 'Secret-1');
}

async function lines(client: CallClient, filter: object = {}) {
  return (await client.ok('audit/list', { deviceSerial: camera, pageSize: 50, ...filter })).auditList;
}

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  site.spans = [{ startTime: 0, endTime: 600_000, recordType: 1 }];
  [owner, other, friend] = [await account('wang'), await account('otto'), await account('ben')];
  camera = (await owner.ok('device/add', { target: 'rtsp://192.0.2.81/1', deviceName: 'Gate' })).device.deviceSerial;
  yard = (await other.ok('device/add', { target: 'rtsp://192.0.2.82/1', deviceName: 'Yard' })).device.deviceSerial;
  const all = ['videoView', 'videotapeView', 'Export', 'Reshare'] as const;
  const order = { account: 'ben', permission: [...all], shareName: 'Night shift' };
  shareId = (await owner.ok('share/add', { ...order, items: [{ deviceSerial: camera }] })).shareId;
  await other.ok('share/add', { ...order, items: [{ deviceSerial: yard }] });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const throughShare = () => ({ shareId, shareName: 'Night shift', userName: 'wang' });

it('[SE-102] records the share by which an account viewed', async () => {
  await friend.ok('media/url', gate());
  await friend.ok('record/url', { ...gate(), startTime: 0, endTime: 60_000, quality: 0, srcType: 1 });
  await friend.ok('capture/get', gate());
  const found = await lines(owner, { kind: 'watch', userName: 'ben' });
  const item = { deviceSerial: camera, channelNo: 1, name: expect.stringMatching(/./) };
  expect(found).toMatchObject(
    ['snapshot', 'playback', 'live'].map((way) => ({
      userName: 'ben',
      address: expect.stringMatching(/./),
      detail: { way, itemList: [item], share: throughShare() },
    })),
  );
  await owner.ok('media/url', gate());
  expect((await lines(owner, { userName: 'wang' }))[0]?.detail).toEqual({ way: 'live', itemList: [item] });
});

it('[SE-102] a guest link to a shared camera is in the log of its owner: created, opened, revoked', async () => {
  const { linkId } = await friend.ok('share/link/create', { live: gate(), endTime: endTime(), linkName: 'For Kim' });
  const guest = server.client();
  for (let count = 0; count < 3; count += 1) await guest.ok('share/link/open', { linkId });
  const clip = { ...gate(), startTime: 30_000, endTime: 60_000 };
  const made = await owner.ok('share/link/create', { clip, endTime: endTime(), linkName: 'Own' });
  await guest.ok('share/link/open', { linkId: made.linkId });
  await friend.ok('share/link/revoke', { linkId });
  const link = { linkName: 'For Kim', userName: 'ben' };
  const opened = await lines(owner, { kind: 'watch', startTime: 0 });
  const openings = opened.filter(({ call }) => call === 'share/link/open');
  expect(openings).toMatchObject([
    { userName: '', detail: { way: 'guestClip', link: { linkName: 'Own' }, footage: { endTime: 60_000 } } },
    ...Array.from({ length: 3 }, () => ({ userName: '', detail: { way: 'guestLive', link, share: throughShare() } })),
  ]);
  expect((await lines(owner, { kind: 'write', userName: 'ben' })).map(({ call, detail }) => [call, detail])).toEqual([
    ['share/link/revoke', expect.objectContaining({ link, share: throughShare() })],
    ['share/link/create', expect.objectContaining({ link, share: throughShare() })],
  ]);
  // Who made the link finds its openings too, nobody else does.
  expect((await lines(friend)).filter(({ call }) => call === 'share/link/open')).toHaveLength(3);
  expect(await lines(other)).toEqual([]);
  expect((await lines(operator)).filter(({ call }) => call === 'share/link/open')).toEqual([]);
});

it('[SE-102] an export of channels of several owners is one entry for each, about its own alone', async () => {
  const range = { channelNo: 1, startTime: 0, endTime: 600_000 };
  const items = [camera, yard].map((deviceSerial) => ({ deviceSerial, ...range }));
  await friend.ok('record/export/start', { items });
  const exported = async (client: CallClient, deviceSerial: string) =>
    (await lines(client, { deviceSerial, kind: 'watch' })).filter(({ call }) => call === 'record/export/start');
  const [line] = await exported(owner, camera);
  const footage = { startTime: 0, endTime: 600_000 };
  expect(line).toMatchObject({ userName: 'ben', detail: { way: 'export', share: throughShare(), footage } });
  expect(line?.detail?.itemList.map(({ deviceSerial }) => deviceSerial)).toEqual([camera]);
  expect(await exported(owner, yard)).toEqual([]);
  const [theirs] = await exported(other, yard);
  expect(theirs?.object).toBe(`deviceSerial=${yard} channelNo=1`);
});

it('[SE-102] a re-share is in the log of the owner, with its receiver, changes and end', async () => {
  const third = await account('third');
  const items = [{ deviceSerial: camera }, { deviceSerial: yard }];
  const order = { account: 'third', items, permission: ['videoView' as const], shareName: 'Passed on' };
  const passed = await friend.ok('share/add', order);
  await third.ok('media/url', gate());
  expect((await lines(owner, { userName: 'third' }))[0]?.detail?.share).toMatchObject({
    shareName: 'Passed on',
    userName: 'ben',
  });
  await friend.ok('share/update', { shareId: passed.shareId, items: [{ deviceSerial: yard }] });
  await third.ok('share/quit', { shareId: passed.shareId });
  const about = (await lines(owner, { kind: 'write' })).filter(({ detail }) => detail?.toUserName === 'third');
  expect(about.map(({ call }) => call)).toEqual(['share/update', 'share/add']);
  expect(about[0]).toMatchObject({ userName: 'ben', object: `deviceSerial=${camera}` });
  expect((await lines(other, { deviceSerial: yard, userName: 'third' })).map(({ call }) => call)).toEqual([
    'share/quit',
  ]);
  expect((await lines(friend, { deviceSerial: yard, userName: 'third' })).map(({ call }) => call)).toEqual([
    'share/quit',
  ]);
});

it('keeps the hash chain valid, and exports all of it', async () => {
  expect((await operator.ok('audit/verify', {})).isWhole).toBe(true);
  const { csv } = await owner.ok('audit/export', { userName: 'ben' });
  expect(csv).toContain('share Night shift of wang');
  expect(csv).toContain('link For Kim of ben');
  expect(csv).toContain('third');
});
