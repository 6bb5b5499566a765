// Playback against an engine played by hand: opening, gaps, refusal, recovery, the right that is withdrawn.
// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { FakePlayerClock } from '../../fake-player-clock.fake.ts';
import type { EngineOptions } from './playback-engine.ts';
import { PlaybackSession } from './playback-session.ts';
import type { PlaybackSource } from './playback-source.ts';

const t0 = Date.parse('2026-11-20T10:00:00.000Z');
const MINUTE = 60_000;

/** Recorded from t0 for an hour, in segments of 10 s. */
function playlist(from: number, to: number): string {
  const lines = ['#EXTM3U'];
  for (let at = Math.max(t0, Math.floor(from / 10_000) * 10_000); at < Math.min(to, t0 + 60 * MINUTE); at += 10_000) {
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(at).toISOString()}`, '#EXTINF:10,', `${at}.m4s`);
  }
  return lines.join('\n');
}

function stage() {
  const clock = new FakePlayerClock();
  const engines: { options: EngineOptions; close: ReturnType<typeof vi.fn> }[] = [];
  const getWindow = vi.fn<PlaybackSource['getWindow']>(({ startTime, endTime }) =>
    Promise.resolve({
      kind: 'window',
      startTime,
      endTime,
      playlist: playlist(startTime, endTime),
      baseUrl: 'http://h/',
    }),
  );
  const nextRecorded = vi.fn<PlaybackSource['nextRecorded']>((at) =>
    Promise.resolve(at < t0 + 60 * MINUTE ? Math.max(at, t0) : null),
  );
  const video = document.createElement('video');
  vi.spyOn(video, 'play').mockResolvedValue();
  const session = new PlaybackSession({
    video,
    canvas: document.createElement('canvas'),
    source: { getWindow, nextRecorded },
    clock,
    openEngine: (options) => {
      const close = vi.fn<() => void>();
      engines.push({ options, close });
      return Promise.resolve({ close });
    },
  });
  return { clock, engines, getWindow, nextRecorded, session };
}

describe('playback', () => {
  let set: ReturnType<typeof stage>;
  beforeEach(() => {
    set = stage();
  });

  test('[ST-07] begins in a window of 600 s that starts at the instant asked for', async () => {
    set.session.seek(t0 + 5 * MINUTE + 4000);
    expect(set.session.position).toBe(t0 + 5 * MINUTE + 4000);
    await settlePromises();
    const [range] = set.getWindow.mock.calls[0] ?? [];
    expect(range).toEqual({ startTime: t0 + 5 * MINUTE + 4000, endTime: t0 + 15 * MINUTE + 4000 });
    // The first segment begins four seconds before the instant.
    expect(set.engines[0]?.options.startAt).toBe(4);
    expect(set.session.state).toMatchObject({ kind: 'loading' });
  });

  test('into a gap it goes on at the next recorded instant and says so', async () => {
    set.session.seek(t0 - 30 * MINUTE);
    await settlePromises();
    expect(set.session.jump).toEqual({ from: t0 - 30 * MINUTE, to: t0 });
    expect(set.session.position).toBe(t0);
  });

  test('is empty after the last recording', async () => {
    set.session.seek(t0 + 90 * MINUTE);
    await settlePromises();
    expect(set.session.state).toEqual({ kind: 'empty', at: t0 + 90 * MINUTE });
    expect(set.engines).toHaveLength(0);
  });

  test('only the newest of many seeks is opened', async () => {
    for (let minute = 1; minute <= 5; minute++) set.session.seek(t0 + minute * MINUTE);
    await settlePromises();
    expect(set.engines).toHaveLength(1);
    expect(set.session.position).toBe(t0 + 5 * MINUTE);
  });

  test('an expired ticket requests a new window three times, then fails', async () => {
    set.session.seek(t0);
    await settlePromises();
    for (let times = 0; times < 4; times++) {
      set.engines.at(-1)?.options.onFault({ kind: 'network', status: 404, message: 'gone' });
      await settlePromises();
    }
    expect(set.engines).toHaveLength(4);
    expect(set.engines.every(({ close }) => close.mock.calls.length === 1)).toBe(true);
    expect(set.session.state).toMatchObject({ kind: 'failed', message: 'gone' });
  });

  test('[PM-04] a revoked right blanks the video', async () => {
    set.session.seek(t0);
    await settlePromises();
    set.getWindow.mockResolvedValueOnce({ kind: 'refused', code: 1017, reason: null });
    await set.session.verify();
    expect(set.session.state).toEqual({ kind: 'denied', code: 1017 });
    expect(set.engines[0]?.close).toHaveBeenCalledOnce();
  });

  test('reports a format that the browser refuses', async () => {
    set.session.seek(t0);
    await settlePromises();
    set.engines[0]?.options.onFault({ kind: 'codec', codec: 'hvc1' });
    expect(set.session.state).toEqual({ kind: 'unsupported', codec: 'hvc1' });
  });

  test('closing while a window is pending opens nothing', async () => {
    set.session.seek(t0);
    set.session.close();
    await settlePromises();
    expect(set.engines).toHaveLength(0);
  });
});
