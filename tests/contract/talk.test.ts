// Talk and transcodes by calls, with a scripted site: rights, refusals, and the content of tickets.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let camera: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  camera = await added('rtsp://192.0.2.10/1');
});
afterEach(() => site.refusals.clear());
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function added(target: string): Promise<string> {
  return (await operator.ok('device/add', { target, deviceName: 'Front door' })).device.deviceSerial;
}

const dev = () => ({ deviceSerial: camera, channelNo: 1 });

it.each([
  'ws',
  'webrtc',
] as const)('[LV-04] returns an address for the method `%s` with a ticket naming the talker', async (method) => {
  const answer = await operator.ok('talk/url', { ...dev(), method });
  expect(answer.url).toMatch(/^ws:\/\/localhost:8443\/media\/talk#[\w-]{43}$/);
  expect(answer.codec).toBe('pcma');
  expect([...site.tickets.values()].at(-1)).toMatchObject({ kind: 'talk', ...dev(), userName: 'operator' });
});

it('[SE-36] a second talker is told who talks, and gets no ticket', async () => {
  const before = site.tickets.size;
  site.refusals.set('talk', { code: 1018, data: { userName: 'anna' } });
  const busy = await operator.call('talk/url', { ...dev(), method: 'ws' });
  expect([busy.code, busy.data]).toEqual([1018, { userName: 'anna' }]);
  expect(site.tickets.size).toBe(before);
});

it('[EN-05] a share without talk allows viewing and no talk', async () => {
  await operator.ok('user/add', { username: 'viewer', password: 'Visit-2026', userType: 2 });
  await operator.ok('share/add', { account: 'viewer', items: [dev()], permission: ['videoView'] });
  const viewer = await server.signIn('viewer', 'Visit-2026');
  expect((await viewer.call('media/url', dev())).code).toBe(200);
  for (const method of ['ws', 'webrtc'] as const)
    expect((await viewer.call('talk/url', { ...dev(), method })).code).toBe(1004);
});

it('an H.264-only viewer gets a transcode of the smallest stream; others get the original', async () => {
  const hevc = { deviceSerial: await added('rtsp://192.0.2.11/h265'), channelNo: 1 };
  const made = await operator.ok('media/url', { ...hevc, codecs: ['h264'] });
  expect(made).toMatchObject({ codec: 'h264', quality: 1 });
  const live = () => [...site.tickets.values()].filter((one) => one.kind === 'live').at(-1);
  expect(live()).toMatchObject({ quality: 1, transcode: 'h264' });
  expect(await operator.ok('media/url', { ...hevc, codecs: ['h264', 'h265'] })).toMatchObject({ codec: 'h265' });
  expect(live()?.transcode).toBeUndefined();
  expect(await operator.ok('media/url', { ...hevc, codecs: ['mjpeg'] })).toMatchObject({ codec: 'mjpeg', quality: 1 });
  expect(live()?.transcode).toBe('mjpeg');
  expect(await operator.ok('media/url', { ...hevc, codecs: [] })).toMatchObject({ codec: 'h265' });
});
