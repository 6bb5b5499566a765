// Metrics of sites: one label set per stream, escaped, without unknown values.
import type { SiteHealth } from '@vedette/contract/site/site.ts';
import { expect, test } from 'vitest';
import { writeMetrics } from './exposition.ts';
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
  const text = writeMetrics(siteMetrics([{ siteId: 'local', status: 'online', health }]));
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'vedette_storage_ok{site="local"} 0',
      'vedette_site_events{site="local",figure="dropped"} 2',
      'vedette_stream_figure{site="local",device="A\\"1",channel="2",quality="0",figure="packets"} 7',
      'vedette_stream_last_frame_seconds{site="local",device="A\\"1",channel="2",quality="0"} 1.5',
      'vedette_stream_state{site="local",device="B",channel="1",quality="1",state="failed"} 1',
    ]),
  );
  expect(text).not.toMatch(/srv|restream|last_frame_seconds\{site="local",device="B"/);
});
