// Manual recording over the real server: the request to the site, the required right, and an offline camera.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let deviceSerial: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const { device } = await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' });
  deviceSerial = device.deviceSerial;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

describe('record now', () => {
  it('asks the site to record from now for the requested time', async () => {
    const before = Date.now();
    const { startTime, endTime } = await operator.ok('record/trigger', { deviceSerial, channelNo: 1, seconds: 90 });
    expect(startTime).toBeGreaterThanOrEqual(before);
    expect(endTime - startTime).toBe(90_000);
    expect(site.triggered).toEqual([{ deviceSerial, channelNo: 1, startTime, endTime, reason: 'manual' }]);
  });

  it('needs the right to see recordings', async () => {
    await operator.ok('user/add', { username: 'viewer', password: 'Secret-1', userType: 2 });
    const viewer = await server.signIn('viewer', 'Secret-1');
    const order = { deviceSerial, channelNo: 1, seconds: 60 };
    expect((await viewer.call('record/trigger', order)).code).toBe(1009);
    const items = [{ deviceSerial, channelNo: 1 }];
    await operator.ok('share/add', { account: 'viewer', items, permission: ['videoView'] });
    expect((await viewer.call('record/trigger', order)).code).toBe(1004);
    await operator.ok('share/add', { account: 'viewer', items, permission: ['videotapeView'] });
    expect((await viewer.call('record/trigger', order)).code).toBe(200);
  });

  it('fails for an offline camera, and returns the error of the site', async () => {
    const order = { deviceSerial, channelNo: 1, seconds: 60 };
    site.refusals.set('trigger', { code: 1006, data: null });
    expect((await operator.call('record/trigger', order)).code).toBe(1006);
    site.refusals.clear();
    site.report({ kind: 'deviceStatus', deviceSerial, status: 0, reason: 'unreachable', at: Date.now() });
    await waitFor('the camera to be offline', async () => {
      const { device } = await operator.ok('device/get', { deviceSerial });
      return device.status === 0;
    });
    const asked = site.triggered.length;
    expect(await operator.call('record/trigger', order)).toMatchObject({ code: 2317, data: { reason: 'unreachable' } });
    expect(site.triggered.length).toBe(asked);
  });
});
