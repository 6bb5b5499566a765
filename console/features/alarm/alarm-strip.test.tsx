// Tests of the newest alarms above the wall: what a device reports as a whole is there too, and opens in the alarm centre.
// @vitest-environment happy-dom
import { act } from 'react';
import { useLocation } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { forgetAlarms, noteLasting } from '../../realtime/alarm-store.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { fakeAlarm } from './alarm.fake.ts';
import { AlarmStrip } from './alarm-strip.tsx';

let shown: RenderedComponent | null = null;
afterEach(async () => {
  await shown?.close();
  forgetAlarms();
});

function Address() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

const ofDevice = { channelNo: 0, channelName: '', group: 'storage', severity: 'major' } as const;

it('shows alarms of devices, ongoing ones that are older than the list too, and opens them in the alarm centre', async () => {
  const recent = fakeAlarm({ ...ofDevice, alarmId: 'recent', type: 'DiskFull', time: 3000 });
  const camera = fakeAlarm({ alarmId: 'camera', time: 2000 });
  const older = fakeAlarm({ ...ofDevice, alarmId: 'older', type: 'DiskError', time: 1000 });
  const info = fakeAlarm({ ...ofDevice, alarmId: 'info', severity: 'info', time: 4000 });
  shown = await show(
    <>
      <AlarmStrip />
      <Address />
    </>,
    () => ({ code: 200, data: { alarmList: [info, recent, camera], next: null } }),
  );
  act(() => noteLasting([older]));
  const cards = () =>
    [...document.querySelectorAll('[data-strip-alarm]')].map((one) => one.getAttribute('data-strip-alarm'));
  await expect.poll(cards).toEqual(['recent', 'camera', 'older']);
  await shown.click('[data-strip-alarm="older"]');
  expect(document.querySelector('output')?.textContent).toBe('/homepage/alarmMsg?alarm=older');
});
