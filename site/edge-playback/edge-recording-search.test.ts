// How devices are searched for recordings: whole days, cached, one search at a time per channel, no immediate retry after a failure.
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';
import { expect, test } from 'vitest';
import { EdgeRecordingSearch } from './edge-recording-search.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 4, 20, 12);
const PLACE = { deviceSerial: 'NVR1', channelNo: 2 };

function search(answer: (range: TimeRange) => readonly TimeRange[] | DeviceFault) {
  const asked: TimeRange[] = [];
  const now = { ms: 0 };
  const made = new EdgeRecordingSearch({
    clock: { wallMs: () => NOW + now.ms, monotonicMs: () => now.ms },
    ask: (_place, range) => {
      asked.push(range);
      const found = answer(range);
      return found instanceof DeviceFault ? Promise.reject(found) : Promise.resolve(found);
    },
  });
  return { made, asked, now };
}

test('[LV-06] searches whole days and caches them: past days for ten minutes, today for twenty seconds', async () => {
  const today = Math.floor(NOW / DAY) * DAY;
  const span = { startMs: today - DAY / 2, endMs: today + 3_600_000 };
  const { made, asked, now } = search(() => [span]);
  const past = { startMs: today - DAY / 4, endMs: today - DAY / 8 };
  expect(await made.held(PLACE, past)).toEqual([past]);
  expect(asked).toEqual([{ startMs: today - DAY, endMs: today }]);
  await made.held(PLACE, { startMs: today - DAY, endMs: today });
  expect(asked).toHaveLength(1);
  expect(await made.held(PLACE, { startMs: today - DAY, endMs: NOW })).toEqual([span]);
  expect(asked.slice(1)).toEqual([{ startMs: today, endMs: NOW }]);
  now.ms += 21_000;
  await made.held(PLACE, { startMs: today - DAY, endMs: NOW });
  expect(asked.slice(2)).toEqual([{ startMs: today, endMs: NOW + 21_000 }]);
  now.ms += 600_000;
  await made.held(PLACE, past);
  expect(asked).toHaveLength(4);
});

test('concurrent searches of one channel are serialised', async () => {
  const { made, asked } = search((range) => [range]);
  const range = { startMs: NOW - 3 * DAY, endMs: NOW };
  const all = await Promise.all([made.held(PLACE, range), made.held(PLACE, range), made.held(PLACE, range)]);
  expect(asked).toHaveLength(1);
  expect(all).toEqual([[range], [range], [range]]);
});

test('overlapping, adjacent, inverted or outlying spans are merged and clipped', async () => {
  const at = NOW - DAY;
  const { made } = search(() => [
    { startMs: at + 5000, endMs: at + 9000 },
    { startMs: at, endMs: at + 6000 },
    { startMs: at + 9500, endMs: at + 12_000 },
    { startMs: at + 20_000, endMs: at + 19_000 },
    { startMs: 0, endMs: 10 },
    { startMs: Number.NaN, endMs: Number.NaN },
  ]);
  const found = await made.held(PLACE, { startMs: at + 1000, endMs: at + 60_000 });
  expect(found).toEqual([{ startMs: at + 1000, endMs: at + 12_000 }]);
});

test('a failing device is not searched for ten seconds, and every caller gets the error', async () => {
  const fault = new DeviceFault('timeout', 'no answer');
  const { made, asked, now } = search(() => fault);
  const range = { startMs: NOW - DAY, endMs: NOW };
  await expect(made.held(PLACE, range)).rejects.toBe(fault);
  await expect(made.held(PLACE, range)).rejects.toBe(fault);
  expect(asked).toHaveLength(1);
  now.ms += 11_000;
  await expect(made.held(PLACE, range)).rejects.toBe(fault);
  expect(asked).toHaveLength(2);
});

test('searches neither the future nor more than a year', async () => {
  const { made, asked } = search(() => []);
  expect(await made.held(PLACE, { startMs: NOW + 1, endMs: NOW + DAY })).toEqual([]);
  expect(asked).toEqual([]);
  await expect(made.held(PLACE, { startMs: NOW - 400 * DAY, endMs: NOW })).rejects.toThrow(RangeError);
});
