// Fifty virtual cameras on the network of a real installation: found within five seconds, added, and removed on Bye.
import { CHANNEL_TYPE, DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../harness/api-client.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const CAMERAS = 50;
let product: Product;
let cameras: VirtualSite;
let special: VirtualSite;
let operator: ApiClient;

beforeAll(async () => {
  // An address of this test alone stands in for the group, so that others on this machine are not heard.
  [cameras, special] = await Promise.all([
    startVirtualSite(['--cameras', String(CAMERAS), '--discovery', '127.0.0.1:0']),
    startVirtualSite(['--special']),
  ]);
  product = await Product.start({ env: { VEDETTE_DISCOVERY: `127.0.0.1:${cameras.discoveryPort}` } });
  operator = await product.setUp();
}, 120_000);

afterAll(async () => {
  await Promise.all([product?.stop(), cameras?.stop(), special?.stop()]);
});

it('[DM-01] finds fifty cameras, each once, and marks the added one', async () => {
  const { candidateList, isDone } = await operator.ok('device/discover', {});

  expect(isDone).toBe(true);
  const targets = cameras.devices.filter(({ kind }) => kind === 'camera').map(({ target }) => target);
  expect(candidateList.map(({ target }) => target).sort()).toEqual(targets.toSorted());
  expect(new Set(candidateList.map(({ endpoint }) => endpoint)).size).toBe(CAMERAS);
  expect(candidateList.every(({ deviceSerial }) => deviceSerial === null)).toBe(true);

  const [first] = candidateList;
  const account = cameras.devices[0];
  const added = await operator.ok('device/add', {
    target: first?.target ?? '',
    user: account?.user ?? '',
    password: account?.password ?? '',
    deviceName: first?.deviceName ?? '',
  });
  const again = await operator.ok('device/discover', { seen: 0, waitMs: 5000 });
  const found = await waitFor('the camera among those found', async () => {
    const { candidateList: list } = await operator.ok('device/discover', { scanId: again.scanId, seen: 0 });
    return list.find(({ target }) => target === first?.target);
  });
  expect(found.deviceSerial).toBe(added.device.deviceSerial);
});

it('[DM-01] finds a camera in an address range without a password, and probes nothing outside it', async () => {
  const port = Number(new URL(cameras.devices[1]?.target ?? '').port);
  const { candidateList, checked, total } = await operator.ok('device/discover', {
    scope: '127.0.0.1/32',
    ports: [port, 9],
  });
  expect([checked, total]).toEqual([1, 1]);
  expect(candidateList).toMatchObject([{ driver: 'onvif', address: `127.0.0.1:${port}` }]);
  for (const scope of ['127.0.0.0/16', 'camera.example', '224.0.0.0/24']) {
    expect((await operator.call('device/discover', { scope })).code, scope).toBe(1003);
  }
});

it('[EN-18] [EN-06] identifies a radar, a door controller and an AI box by their own data, and a forced door raises an alarm', async () => {
  const added = await Promise.all(
    special.devices
      .filter(({ kind }) => kind !== 'offline')
      .map(async ({ name: deviceName, target, user, password }) => {
        const { device } = await operator.ok('device/add', { target, user, password, deviceName });
        const { deviceSerial, deviceType } = device;
        const { channelList } = await operator.ok('channel/list', { deviceSerial, pageNo: 1 });
        return {
          deviceName,
          deviceSerial,
          deviceType,
          channelTypes: channelList.map(({ channelType }) => channelType),
        };
      }),
  );
  expect(added).toMatchObject([
    { deviceName: 'Yard Radar', deviceType: DEVICE_TYPE.RADAR, channelTypes: [CHANNEL_TYPE.radar] },
    { deviceName: 'Server Room Door', deviceType: DEVICE_TYPE.ACS, channelTypes: [CHANNEL_TYPE.video] },
    { deviceName: 'Analytics Box', deviceType: DEVICE_TYPE.AIBOX, channelTypes: [0, 0] },
  ]);
  const deviceSerial = added[1]?.deviceSerial ?? '';
  const happens = async (topic: string, data: object): Promise<void> => {
    const url = `${special.controlUrl}/devices/${deviceSerial}/raise`;
    const { status } = await fetch(url, { method: 'POST', body: JSON.stringify({ topic, data }) });
    expect(status).toBe(200);
  };
  // Browsers list neither doors nor what they tell (PM-05).
  const client = new ApiClient(product.url);
  const account = { account: 'operator', password: 'Watch-2026', browserId: 'door', clientType: 'client' } as const;
  client.accessToken = (await client.ok('account/login', account)).accessToken;
  const alarms = async (caller: ApiClient) => (await caller.ok('alarm/list', { groups: ['access'] })).alarmList;
  await waitFor('a subscription at the door', async () => {
    const state = (await (await fetch(`${special.controlUrl}/state`)).json()) as {
      devices: { serial: string; subscriptions: number }[];
    };
    return state.devices.find(({ serial }) => serial === deviceSerial)?.subscriptions === 1;
  });
  await happens('tns1:Door/State/DoorAlarm', { State: 'DoorForcedOpen' });
  await happens('tns1:AccessControl/Denied/Credential', {});
  const told = await waitFor('both alarms', async () => {
    const list = await alarms(client);
    return list.length === 2 ? list : undefined;
  });
  expect(told.map(({ type, deviceSerial: at }) => [type, at]).toSorted()).toEqual([
    ['AccessDenied', deviceSerial],
    ['DoorForced', deviceSerial],
  ]);
  expect(await alarms(operator)).toEqual([]);
});
