// Tests of the overview: each part for whoever may act on it, with its empty, filled and failed state, and where it leads.
// @vitest-environment happy-dom
import { PERMISSIONS, type Permission } from '@vedette/contract/permissions.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetAuth, rememberAuth } from '../../session/auth-store.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { Overview } from './overview.tsx';

const NOTHING = {
  'account/info': { homePage: null, homeCameras: null },
  'alarm/stats': { total: 0, countList: [] },
  'device/list': { total: 0, onlineTotal: 0, deviceList: [] },
  'record/gap/list': { total: 0, unansweredTotal: 0, isCut: false, channelList: [] },
  'org/resource/list': { total: 0, resourceList: [] },
};
const FAILED = { code: 1000, data: null };

let shown: RenderedComponent | null = null;
beforeEach(() => signedInAs(2));
afterEach(async () => {
  await shown?.close();
  forgetAuth(false);
});

function signedInAs(userType: number): void {
  rememberAuth({ accessToken: 'A', expireTime: 1, serverAddress: '', userId: 'u1', userName: 'ann', userType });
}

async function open(held: readonly Permission[], answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const flags = Object.fromEntries(PERMISSIONS.map((flag) => [flag, held.includes(flag)]));
  const all: Readonly<Record<string, unknown>> = { ...NOTHING, 'permission/list': { flags }, ...answers };
  shown = await show(<Overview />, (path) => {
    const data = all[path];
    return data === undefined || data === FAILED ? FAILED : { code: 200, data };
  });
}

const titles = () => [...document.querySelectorAll('h3')].map((one) => one.textContent);
const text = () => document.querySelector('main, body')?.textContent ?? '';
const asked = (call: string) => shown?.requests.requests.filter(({ url }) => url.endsWith(`/${call}`)).length;
const links = () => [...document.querySelectorAll('section li a')].map((one) => one.getAttribute('href'));

it('shows each part to whoever may act on it', async () => {
  await open(['Replay']);
  await expect.poll(titles).toEqual(['Offline devices', 'Recording gaps, last 24 hours']);
  expect(asked('alarm/stats')).toBe(0);
  await shown?.close();
  signedInAs(0);
  await open(PERMISSIONS);
  await expect
    .poll(titles)
    .toEqual(['Unhandled alarms', 'Offline devices', 'Recording gaps, last 24 hours', 'Storage', 'Latest snapshots']);
});

it('says so where nothing is wrong, and where nothing was chosen', async () => {
  await open(PERMISSIONS);
  for (const sentence of ['Every alarm is handled.', 'There are no devices yet.', 'Nothing is missing.'])
    await expect.poll(text).toContain(sentence);
  await expect.poll(text).toContain('Choose the cameras whose latest snapshot is shown here.');
});

it('leads from each row to where one acts on it', async () => {
  const gap = { startTime: 5_000_000, endTime: 5_060_000, reason: 'cameraOffline' };
  await open(['AlarmPush', 'Replay'], {
    'alarm/stats': { total: 3, countList: [{ key: 'critical', name: '', count: 3, newCount: 3 }] },
    'device/list': {
      total: 9,
      onlineTotal: 1,
      deviceList: [
        { deviceSerial: 'A1', keySerial: 'A1', deviceName: 'Gate', status: 0, statusReason: null, latestOnline: null },
      ],
    },
    'record/gap/list': {
      total: 1,
      unansweredTotal: 2,
      isCut: false,
      channelList: [
        {
          deviceSerial: 'A1',
          deviceName: 'Gate',
          channelNo: 2,
          channelName: 'Left',
          gapTotal: 2,
          gapMs: 60_000,
          longest: gap,
        },
      ],
    },
  });
  const inbox = '/homepage/container/alarmMsg?severity=';
  await expect
    .poll(links)
    .toEqual([
      ...['critical', 'major', 'minor', 'info'].map((severity) => `${inbox}${severity}&state=new`),
      '/homepage/container/deviceManage?status=offline&device=A1',
      '/homepage/container?device=A1&channel=2&time=4990000',
    ]);
  for (const sentence of ['Was never online', '8 more', '2 gaps, 60 s in all', '2 channels could not be asked.'])
    expect(text()).toContain(sentence);
});

it('says of a part alone that it could not be loaded, and asks again', async () => {
  await open(['Replay'], { 'record/gap/list': FAILED });
  await expect.poll(text).toContain('This could not be loaded.');
  expect(text()).toContain('There are no devices yet.');
  expect(asked('record/gap/list')).toBe(1);
  await shown?.click('section [role=alert] button');
  await expect.poll(() => asked('record/gap/list')).toBe(2);
});
