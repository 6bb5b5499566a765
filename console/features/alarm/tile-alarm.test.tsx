// Tests of the ring of a tile: it stands for what lasts, also where everything had to be forgotten and fetched again.
// @vitest-environment happy-dom
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, expect, it } from 'vitest';
import { forgetAlarms } from '../../realtime/alarm-store.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { fakeAlarm } from './alarm.fake.ts';
import { TileAlarm, useLastingAlarms } from './tile-alarm.tsx';

const PATIENT = { timeout: 10_000 };

let shown: RenderedComponent | null = null;
afterEach(async () => {
  await shown?.close();
  forgetAlarms();
});

function Wall({ onClient }: { readonly onClient: (client: QueryClient) => void }) {
  onClient(useQueryClient());
  useLastingAlarms();
  return <TileAlarm deviceSerial="A1" channelNo={1} />;
}

it('[AL-03] rings for what lasts, also after a reset that changed nothing', async () => {
  let client: QueryClient | undefined;
  const keep = (given: QueryClient): void => {
    client = given;
  };
  shown = await show(<Wall onClient={keep} />, () => ({ code: 200, data: { alarmList: [fakeAlarm()], next: null } }));
  const ring = (): Element | null => document.querySelector('[data-tile-alarm="FireAlarm"]');
  await expect.poll(ring, PATIENT).not.toBeNull();
  act(() => forgetAlarms());
  expect(ring()).toBeNull();
  await act(async () => client && (await fetchResourcesAgain(client)));
  await expect.poll(ring, PATIENT).not.toBeNull();
});
