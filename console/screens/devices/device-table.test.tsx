// Tests of the table of devices in a document: the newest status wins, however late the list came.
// @vitest-environment happy-dom
import type { Device } from '@vedette/contract/entities.ts';
import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pushToCache } from '../../realtime/push-to-cache.ts';
import { forgetStatus } from '../../realtime/status-store.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { showColumn } from './device-columns.ts';
import { DeviceTable } from './device-table.tsx';
import { readDeviceListQuery } from './list-question.ts';

let shown: RenderedComponent | null = null;
afterEach(async () => {
  await shown?.close();
  forgetStatus();
});

const device = {
  deviceSerial: 'A1',
  deviceName: 'Gate',
  deviceType: 0,
  deviceModel: '',
  deviceVersion: '',
  address: '',
  status: -1,
  latestOnline: null,
  organizationName: '',
  keySerial: 'A1',
} as Device;

function push(status: number) {
  const event = {
    kind: 'deviceStatus',
    deviceSerial: 'A1',
    status,
    statusReason: null,
    at: 1_700_000_000_000,
  } as const;
  return pushToCache(new QueryClient(), event);
}

async function table(): Promise<RenderedComponent> {
  const question = readDeviceListQuery(new URLSearchParams());
  shown = await show(<DeviceTable devices={[device]} question={question} onChange={vi.fn()} isStale={false} />, () => ({
    code: 200,
  }));
  return shown;
}

it('the columns are those that were chosen', async () => {
  const titles = (root: HTMLElement) => [...root.querySelectorAll('thead th')].map((cell) => cell.textContent);
  const { root } = await table();
  expect(titles(root)).toEqual(['Name', 'Status', 'Address', 'Model', 'Organisation', 'Last online']);
  await act(async () => {
    showColumn('address', false);
    showColumn('serial', true);
  });
  expect(titles(root)).toEqual(['Name', 'Status', 'Model', 'Organisation', 'Serial', 'Last online']);
  await act(async () => {
    showColumn('address', true);
    showColumn('serial', false);
  });
});

it('measures are asked for while one of their columns is shown, and are those of devices that are connected', async () => {
  const measure = { deviceSerial: 'A1', kbps: 2345, onlineSince: 1_700_000_000_000, lastRecordingAt: null };
  const question = readDeviceListQuery(new URLSearchParams());
  shown = await show(
    <DeviceTable devices={[device]} question={question} onChange={vi.fn()} isStale={false} />,
    (path) => (path.endsWith('device/measure/list') ? { code: 200, data: { measureList: [measure] } } : { code: 200 }),
  );
  const { root, requests } = shown;
  const asked = () => requests.requests.filter(({ url }) => url.endsWith('device/measure/list')).length;
  expect(asked()).toBe(0);
  await act(async () => showColumn('kbps', true));
  await expect.poll(asked).toBe(1);
  expect(root.textContent).not.toContain('2.3 Mbit/s');
  await act(() => push(1));
  await expect.poll(() => root.textContent).toContain('2.3 Mbit/s');
  await act(async () => showColumn('kbps', false));
});

describe('the status of a row', () => {
  it('is the fetched status while none was pushed', async () => {
    const { root } = await table();
    expect(root.textContent).toContain('Unknown');
    expect(root.textContent).toContain('Never');
  });

  it('is the pushed status even when an older list arrives after the push', async () => {
    await push(1);
    const { root } = await table();
    expect(root.textContent).toContain('Online');
    expect(root.textContent).toContain('Now');
  });

  it('follows a push while it is shown', async () => {
    const { root } = await table();
    await act(() => push(0));
    expect(root.textContent).toContain('Offline');
    expect(root.textContent).toContain('2023');
  });
});
