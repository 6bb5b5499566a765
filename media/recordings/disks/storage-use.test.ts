// Tests of what each channel takes, and of the rate at which it grows.
import { expect, it } from 'vitest';
import { RecordedTrack } from '../recorded-track.ts';
import { channelUses } from './storage-use.ts';

const HOUR = 3_600_000;
const NOW = 1_700_000_000_000;

function track(channelId: string, quality: 0 | 1, ...hoursAgo: readonly number[]): RecordedTrack {
  const made = new RecordedTrack({ channelId, quality });
  for (const hours of hoursAgo.toSorted((a, b) => b - a)) {
    const startMs = NOW - hours * HOUR;
    made.insert({ startMs, endMs: startMs + HOUR / 10, mediaBytes: 900, indexBytes: 100 }, false);
  }
  return made;
}

it('adds the qualities of a channel, and measures the last day alone', () => {
  const [use, ...others] = channelUses([track('a', 0, 48, 30, 20, 10), track('a', 1, 5)], NOW);
  expect(others).toEqual([]);
  expect(use).toEqual({
    channelId: 'a',
    usedBytes: 5000,
    bytesPerDay: 3000,
    oldestAt: NOW - 48 * HOUR,
    newestAt: NOW - 4.9 * HOUR,
  });
});

it('measures since the first recording where that is less than a day, and not at all at the beginning', () => {
  expect(channelUses([track('a', 0, 12, 6)], NOW)[0]?.bytesPerDay).toBe(4000);
  expect(channelUses([track('a', 0, 0.1)], NOW)[0]?.bytesPerDay).toBeNull();
});

it('counts of a file that began before the day only the part within it', () => {
  const across = new RecordedTrack({ channelId: 'a', quality: 0 });
  across.insert({ startMs: NOW - 24.5 * HOUR, endMs: NOW - 23.5 * HOUR, mediaBytes: 1000, indexBytes: 0 }, false);
  expect(channelUses([across], NOW)[0]?.bytesPerDay).toBe(500);
});

it('knows no channel without recordings', () => {
  expect(channelUses([new RecordedTrack({ channelId: 'a', quality: 0 })], NOW)).toEqual([]);
});
