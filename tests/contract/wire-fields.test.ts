// The fields of the specification's entities, as a client finds them in the answers of calls, with a scripted site.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let guest: CallClient;
let camera: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const { organizationId } = await operator.ok('org/add', { organizationName: 'Yard' });
  const order = { target: 'rtsp://192.0.2.10/1', deviceName: 'Roof', organizationId };
  camera = (await operator.ok('device/add', order)).device.deviceSerial;
  await operator.ok('user/add', { username: 'guest', password: 'Visit-2026', userType: 2 });
  guest = await server.signIn('guest', 'Visit-2026');
  await operator.ok('share/add', { account: 'guest', items: [{ organizationId }], permission: ['videoView'] });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

/** Names that are absent from what a client got. */
function missing(answered: unknown, names: string): string[] {
  const there = Object.keys((answered ?? {}) as object);
  return names.split(' ').filter((name) => !there.includes(name));
}

const DEVICE =
  'deviceSerial deviceName deviceType deviceModel deviceVersion status latestOnline organizationId organizationName supportMultiChannel isShared permission shareInfo keySerial channelNo deviceUserName';
const SHARE_INFO = 'shareId shareType shareName owner permission startTime endTime channelNo description';

it('[EN-01] [EN-09] a device, listed and alone, of its owner and of who received it', async () => {
  for (const client of [operator, guest]) {
    const { deviceList } = await client.ok('device/list', {});
    expect(missing(deviceList[0], DEVICE)).toEqual([]);
  }
  expect(missing((await operator.ok('device/get', { deviceSerial: camera })).device, DEVICE)).toEqual([]);
});

it('[EN-01] [EN-10] a channel', async () => {
  const { channelList } = await operator.ok('channel/list', { deviceSerial: camera });
  expect(missing(channelList[0], 'channelNo channelName channelType deviceSerial status streamNum')).toEqual([]);
});

it('[EN-01] [EN-11] the information of a share, with a device and in both lists', async () => {
  const [device] = (await guest.ok('device/list', {})).deviceList;
  const [given] = (await operator.ok('share/given/list', {})).shareList;
  const [received] = (await guest.ok('share/received/list', {})).shareList;
  for (const share of [device?.shareInfo, given, received]) expect(missing(share, SHARE_INFO)).toEqual([]);
});

it('[EN-01] [EN-12] an organisation, a group and a role', async () => {
  const organization = 'organizationId organizationName parentOrgId isShared owner shareInfo';
  for (const client of [operator, guest])
    expect(missing((await client.ok('org/list', {})).orgList[0], organization)).toEqual([]);
  expect(missing((await operator.ok('group/list', {})).groupList[0], 'groupName isDefault')).toEqual([]);
  await operator.ok('role/add', { roleName: 'Guards', permissions: ['Realplay'] });
  expect(missing((await operator.ok('role/list', {})).roleList[0], 'roleId roleName')).toEqual([]);
});

it('[EN-01] [EN-13] a preset and a record item', async () => {
  const dev = { deviceSerial: camera, channelNo: 1 };
  expect(missing((await operator.ok('preset/list', dev)).presetList[0], 'presetIndex name image')).toEqual([]);
  site.spans = [{ startTime: 10, endTime: 20, recordType: 1 }];
  const { recordList } = await operator.ok('record/query', { ...dev, startTime: 0, endTime: 100 });
  expect(missing(recordList[0], 'startTime endTime srcType')).toEqual([]);
});

it('[EN-01] [EN-14] [EN-20] auth, and the type of who signed in', async () => {
  const { username: account, password } = OPERATOR;
  const sign = (name: string, word: string) =>
    server.client().ok('account/login', { account: name, password: word, browserId: 'b', clientType: 'web' });
  const answer = await sign(account, password);
  expect(missing(answer, 'accessToken expireTime serverAddress')).toEqual([]);
  expect([answer.userType, (await sign('guest', 'Visit-2026')).userType]).toEqual([0, 2]);
});

it('[VE-04] the version of the server is four dotted numbers', async () => {
  const { softVersion } = await server.client().ok('server/version', {});
  expect(softVersion).toMatch(/^\d+(?:\.\d+){3}$/);
});

it('[LM-06] a batch of devices has a hundred serials at most', async () => {
  const serials = (count: number) => Array.from({ length: count }, (_, at) => `S${at}`);
  expect((await operator.call('device/batch', { deviceSerialList: serials(100) })).code).toBe(200);
  expect((await operator.call('device/batch', { deviceSerialList: serials(101) })).code).toBe(1003);
});
