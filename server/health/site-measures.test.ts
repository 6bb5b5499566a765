// What is known of sites between two polls.
import type { SiteHealth } from '@vedette/contract/site/site.ts';
import { expect, it } from 'vitest';
import { SiteMeasures } from './site-measures.ts';

const storage = {
  folder: '/',
  usedBytes: 0,
  freeBytes: 0,
  budgetBytes: 0,
  state: 'normal',
  reason: null,
  oldestAt: null,
} as const;

function health(...streams: (readonly [deviceSerial: string, quality: number, bytes: number])[]): SiteHealth {
  return {
    storage,
    streams: streams.map(([deviceSerial, quality, bytes]) => ({
      deviceSerial,
      channelNo: 1,
      quality,
      state: 'playing',
      reason: null,
      lastFrameAt: 0,
      counters: { bytes },
    })),
  };
}

it('the bit rate of a device is that of all its streams between two polls', () => {
  const measures = new SiteMeasures();
  measures.note('local', { at: 0, health: health(['A1', 0, 1000], ['A1', 1, 500], ['A11', 0, 0]) });
  expect(measures.kbpsOf('A1', 0)).toBeNull();
  measures.note('local', { at: 2000, health: health(['A1', 0, 251_000], ['A1', 1, 25_500], ['A11', 0, 1000]) });
  expect(measures.kbpsOf('A1', 2000)).toBe(1100);
  expect(measures.kbpsOf('A11', 2000)).toBe(4);
});

it('a counter that begins anew is no bit rate, and what is old counts no more', () => {
  const measures = new SiteMeasures();
  measures.note('local', { at: 0, health: health(['A1', 0, 9000]) });
  measures.note('local', { at: 1000, health: health(['A1', 0, 10]) });
  expect(measures.kbpsOf('A1', 1000)).toBeNull();
  measures.note('local', { at: 2000, health: health(['A1', 0, 1010]) });
  expect(measures.kbpsOf('A1', 2000)).toBe(8);
  expect(measures.kbpsOf('A1', 60_000)).toBeNull();
  expect(measures.of('local', 2000)?.at).toBe(2000);
  expect(measures.of('local', 60_000)).toBeNull();
});
