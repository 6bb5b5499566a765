// The choice of devices in a document: it stays over pages, and is read again by batches.
// @vitest-environment happy-dom
import type { Device } from '@vedette/contract/entities.ts';
import { act, useEffect, useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { useChosenDevices } from './use-chosen-devices.ts';

const PAGE = 50;
const deviceOf = (at: number, deviceName: string) =>
  ({ deviceSerial: `S${at}`, keySerial: `S${at}`, deviceName }) as Device;
const pageOf = (page: number): Device[] =>
  Array.from({ length: PAGE }, (_, at) => deviceOf(page * PAGE + at, 'listed'));

let shown: RenderedComponent;
let chosen: ReturnType<typeof useChosenDevices>;
let turn: (page: number) => void;
const pages = Array.from({ length: 6 }, (_, page) => pageOf(page));
afterEach(async () => await shown.close());

function Choice() {
  const [page, setPage] = useState(0);
  const now = useChosenDevices(pages[page] ?? []);
  useEffect(() => {
    chosen = now;
    turn = setPage;
  }, [now]);
  return null;
}

/** The server has lost device S3 meanwhile. */
const answer = (path: string, input: unknown) => {
  const { deviceSerialList } = input as { deviceSerialList: string[] };
  const left = deviceSerialList.filter((serial) => serial !== 'S3');
  const deviceList = left.map((serial) => deviceOf(Number(serial.slice(1)), 'read again'));
  return path === 'device/batch' ? { code: 200, data: { deviceList } } : { code: 1006 };
};
const tickPage = (page: number) =>
  act(async () => chosen.tick(new Set([...chosen.ticked, ...(pages[page] ?? []).map(({ keySerial }) => keySerial)])));

it('[CA-05] devices of other pages stay chosen, are read again by batches of 100, and leave when they are gone', async () => {
  shown = await show(<Choice />, answer);
  for (let page = 0; page < pages.length; page += 1) {
    await act(async () => turn(page));
    await tickPage(page);
  }
  await vi.waitFor(() => expect(chosen.chosen).toHaveLength(299));
  expect(chosen.elsewhereCount).toBe(249);
  expect(chosen.chosen.some(({ deviceSerial }) => deviceSerial === 'S3')).toBe(false);
  // The page that is shown is as the list says, the others as the batch does.
  expect(chosen.chosen.filter(({ deviceName }) => deviceName === 'listed')).toEqual(pages[5]);
  const last = shown.requests.requests.slice(-3).map((_, at) => {
    const body = shown.requests.bodyOf(shown.requests.requests.length - 3 + at);
    return (body as { deviceSerialList: string[] }).deviceSerialList.length;
  });
  expect(last).toEqual([100, 100, 50]);
  await act(async () => chosen.choose([]));
  expect(chosen.chosen).toEqual([]);
});

it('what was ticked counts as it was until the answer is there', async () => {
  shown = await show(<Choice />, () => new Error('no connection'));
  await tickPage(0);
  await act(async () => turn(1));
  expect(chosen.chosen).toEqual(pages[0]);
  expect(chosen.elsewhereCount).toBe(PAGE);
});
