// Metrics of sites: one label set per stream, escaped, without unknown values.
import type { SiteHealth } from '@vedette/contract/site/site.ts';
import { expect, test } from 'vitest';
import { siteMetrics } from './site-metrics.ts';

const health: SiteHealth = {
  storage: {
    folder: '/srv/footage',
    usedBytes: 10,
    freeBytes: 20,
    budgetBytes: 30,
    state: 'full',
    reason: null,
    oldestAt: null,
  },
  events: { waiting: 1, dropped: 2, heldBack: 3 },
  restream: null,
  streams: [
    {
      deviceSerial: 'A"1',
      channelNo: 2,
      quality: 0,
      state: 'live',
      reason: null,
      lastFrameAt: 1500,
      counters: { packets: 7, 'recorder.lossMaxMs': 40 },
    },
    { deviceSerial: 'B', channelNo: 1, quality: 1, state: 'failed', reason: 'auth', lastFrameAt: null, counters: {} },
  ],
};

test('labels each stream separately', () => {
  const text = siteMetrics(health);
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'vedette_storage_ok 0',
      'vedette_site_events{counter="dropped"} 2',
      'vedette_stream_counter{device="A\\"1",channel="2",quality="0",counter="packets"} 7',
      'vedette_stream_last_frame_seconds{device="A\\"1",channel="2",quality="0"} 1.5',
      'vedette_stream_state{device="B",channel="1",quality="1",state="failed"} 1',
    ]),
  );
  expect(text).not.toMatch(/srv|restream|last_frame_seconds\{device="B"/);
});
