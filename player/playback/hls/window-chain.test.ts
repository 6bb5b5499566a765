// Windows are asked for one after the other, over gaps, and again while the recording grows.
import { describe, expect, test, vi } from 'vitest';
import { FakePlayerClock } from '../../fake-player-clock.fake.ts';
import { readPlaylist } from './hls-playlist.ts';
import type { PlaybackSource } from './playback-source.ts';
import { WindowChain } from './window-chain.ts';

const second = 1000;
const t0 = Date.parse('2026-11-20T10:00:00.000Z');

/** Recorded in pieces of 10 s, from and to in seconds after t0. */
function stage(spans: [number, number][]) {
  const getWindow = vi.fn<PlaybackSource['getWindow']>(({ startTime, endTime }) => {
    const lines = ['#EXTM3U'];
    for (const [from, to] of spans) {
      for (let at = from; at < to; at += 10) {
        const wall = t0 + at * second;
        if (wall + 10 * second <= startTime || wall >= endTime) continue;
        lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(wall).toISOString()}`, '#EXTINF:10,', `${at}.m4s`);
      }
    }
    return Promise.resolve({ kind: 'window', startTime, endTime, playlist: lines.join('\n'), baseUrl: 'http://h/' });
  });
  const nextRecorded = vi.fn<PlaybackSource['nextRecorded']>((at) => {
    for (const [from, to] of spans) if (at < t0 + to * second) return Promise.resolve(Math.max(at, t0 + from * second));
    return Promise.resolve(null);
  });
  const clock = new FakePlayerClock();
  const chain = new WindowChain({ source: { getWindow, nextRecorded }, clock, windowMs: 600 * second });
  const starts = (): number[] => readPlaylist(chain.text(), 'http://h/').map(({ wallMs }) => (wallMs - t0) / second);
  return { chain, clock, getWindow, starts, spans };
}

const { signal } = new AbortController();

describe('the chain of windows', () => {
  test('[LM-07] no window is longer than 600 s', async () => {
    const set = stage([[0, 2000]]);
    await set.chain.begin(t0, signal);
    for (let at = 0; at < 1800; at += 100) await set.chain.extend(t0 + at * second, signal);
    for (const [range] of set.getWindow.mock.calls)
      expect(range.endTime - range.startTime).toBeLessThanOrEqual(600_000);
    const starts = set.starts();
    expect(starts).toEqual(starts.map((_start, index) => index * 10));
    expect(starts.length).toBeGreaterThan(179);
  });

  test('a start in a gap reports the next recorded instant', async () => {
    const set = stage([[100, 200]]);
    expect(await set.chain.begin(t0, signal)).toEqual({ kind: 'at', at: t0 + 100 * second });
  });

  test('after the last recording there is no window', async () => {
    const set = stage([[100, 200]]);
    expect(await set.chain.begin(t0 + 300 * second, signal)).toEqual({ kind: 'none' });
  });

  test('a gap between windows is jumped over', async () => {
    const set = stage([
      [0, 30],
      [3000, 3020],
    ]);
    await set.chain.begin(t0, signal);
    await set.chain.extend(t0 + 40 * second, signal);
    expect(set.starts()).toEqual([0, 10, 20, 3000, 3010]);
    expect(set.chain.mediaTimeOf(t0 + 3005 * second)).toBe(35);
  });

  test('at the end it looks again every five seconds and goes on when there is more', async () => {
    const set = stage([[0, 30]]);
    await set.chain.begin(t0, signal);
    await set.chain.extend(t0 + 40 * second, signal);
    expect(set.chain.isComplete).toBe(true);
    const calls = set.getWindow.mock.calls.length;
    set.spans[0] = [0, 50];
    await set.chain.extend(t0 + 40 * second, signal);
    expect(set.getWindow.mock.calls).toHaveLength(calls);
    await set.clock.advanceAsync(5000);
    await set.chain.extend(t0 + 40 * second, signal);
    expect(set.starts()).toEqual([0, 10, 20, 30, 40]);
    expect(set.chain.isComplete).toBe(false);
  });

  test('audio that any window leaves out is told until another instant is opened', async () => {
    const set = stage([[0, 1200]]);
    await set.chain.begin(t0, signal);
    expect(set.chain.isAudioLeftOut).toBe(false);
    set.getWindow.mockImplementationOnce(({ startTime, endTime }) => {
      const playlist = `#EXTM3U\n#EXT-X-VEDETTE-AUDIO-LEFT-OUT\n#EXT-X-PROGRAM-DATE-TIME:${new Date(startTime).toISOString()}\n#EXTINF:10,\na.m4s`;
      return Promise.resolve({ kind: 'window', startTime, endTime, playlist, baseUrl: 'http://h/' });
    });
    await set.chain.extend(t0 + 620 * second, signal);
    expect(set.chain.isAudioLeftOut).toBe(true);
    expect(set.chain.text()).not.toContain('AUDIO-LEFT-OUT');
    await set.chain.begin(t0, signal);
    expect(set.chain.isAudioLeftOut).toBe(false);
  });

  test('a refusal is passed on with its code', async () => {
    const set = stage([[0, 30]]);
    set.getWindow.mockResolvedValueOnce({ kind: 'refused', code: 1009, reason: null });
    expect(await set.chain.begin(t0, signal)).toEqual({ kind: 'refused', code: 1009 });
  });
});
