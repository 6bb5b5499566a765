// Live HLS windows that several sessions share.
import { expect, test } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { StreamHub } from '../stream/hub.ts';
import { LiveHlsPool } from './live-hls-pool.ts';

test('[SE-100] segments live HLS once per stream for all viewers, until the last one leaves', () => {
  let opened = 0;
  const hub = new StreamHub({ clock: systemClock, onConsumerFailure: () => undefined, lingerMs: 0 });
  const cache = new LiveHlsPool();
  const options = {
    hub,
    monotonicMs: () => 0,
    streamKey: 'shelf/0',
    open: () => {
      opened += 1;
      return {
        counters: {} as never,
        server: null,
        retryNow: () => undefined,
        close: () => Promise.resolve(),
      };
    },
  };
  const [one, other] = [new AbortController(), new AbortController()];
  const first = cache.take('s1', one.signal, options);
  expect(cache.take('s2', other.signal, options)).toBe(first);
  expect(cache.take('s1', one.signal, options)).toBe(first);
  one.abort();
  expect([opened, cache.take('s2', other.signal, options)]).toEqual([1, first]);
  other.abort();
  const third = new AbortController();
  expect(cache.take('s3', third.signal, options)).not.toBe(first);
  third.abort();
});
