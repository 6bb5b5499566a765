// Tests of one plan for many devices in a document: every channel gets it, and each refusal is said with its name.
// @vitest-environment happy-dom
import type { Device } from '@vedette/contract/entities.ts';
import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { PlanBatchDialog } from './plan-batch-dialog.tsx';

let shown: RenderedComponent | null = null;
afterEach(() => shown?.close());

const devices = [
  { deviceSerial: 'A1', deviceName: 'Gate' },
  { deviceSerial: 'B2', deviceName: 'Recorder' },
] as Device[];
const names: Readonly<Record<string, readonly string[]>> = { A1: ['Gate'], B2: ['Yard', 'Pier'] };
const stored = {
  plan: [],
  holidayList: ['2028-02-29'],
  preRoll: 7,
  quality: 0,
  secondStream: false,
  fillsGaps: true,
  retentionDays: 9,
  quotaBytes: null,
  timeZone: 'UTC',
  version: 3,
};

it('[EN-15] sets the plan of every channel, says which refused and why, and tries those again alone', async () => {
  const refusing = new Set(['B2:2']);
  const onClose = vi.fn();
  const page = await show(<PlanBatchDialog devices={devices} onClose={onClose} />, (path, given) => {
    const { deviceSerial, channelNo = 0 } = given as { deviceSerial: string; channelNo?: number };
    if (path === 'channel/list') {
      const channelList = (names[deviceSerial] ?? []).map((channelName, at) => {
        return { deviceSerial, channelNo: at + 1, channelName };
      });
      return { code: 200, data: { total: channelList.length, channelList } };
    }
    if (path === 'record/plan/set' && refusing.has(`${deviceSerial}:${channelNo}`)) return { code: 1010 };
    return { code: 200, data: stored };
  });
  shown = page;
  const sent = (): string[] =>
    page.requests.requests.flatMap(({ url }, at) => {
      if (!url.endsWith('record/plan/set')) return [];
      const body = page.requests.bodyOf(at) as typeof stored & { deviceSerial: string; channelNo: number };
      expect(body).toMatchObject({ holidayList: ['2028-02-29'], preRoll: 7, retentionDays: 9, version: 3 });
      expect(body.plan).toHaveLength(8);
      return [`${body.deviceSerial}:${body.channelNo}`];
    });
  const press = (label: string) =>
    act(async () => [...document.querySelectorAll('button')].find((one) => one.textContent === label)?.click());
  await press('Apply schedule');
  await act(() => vi.waitFor(() => expect(document.querySelector('[role=alert]')).not.toBeNull()));
  expect(sent().toSorted()).toEqual(['A1:1', 'B2:1', 'B2:2']);
  expect(document.querySelector('[role=alert]')?.textContent).toContain('Recorder · Pier: ');
  expect(document.querySelector('[role=alert]')?.textContent).not.toContain('Yard');
  expect(onClose).not.toHaveBeenCalled();
  refusing.clear();
  await press('Try again');
  await act(() => vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce()));
  expect(sent().slice(3)).toEqual(['B2:2']);
});
