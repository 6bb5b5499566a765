// Tracks by HLS are asked for while they are wanted, each once, and not at all of a site that does not know them.
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HlsTrackQuestions } from './hls-tracks.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { href: 'http://page/live' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function questions(answer: (url: URL) => Response) {
  const [asked, told]: [string[], LiveTracks[]] = [[], []];
  const made = new HlsTrackQuestions({
    url: '/media/hls/ticket/index.m3u8',
    onTracks: (tracks) => told.push(tracks),
    ask: (url) => {
      asked.push(url);
      return Promise.resolve(answer(new URL(url)));
    },
  });
  return { asked, told, made };
}

test('asks every second for what is newer, from the follow to the leave', async () => {
  const { asked, told, made } = questions((url) => {
    const after = Number(url.searchParams.get('after'));
    return Response.json({ frames: [{ at: after + 5, tracks: [] }] });
  });
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toEqual([]);
  made.follow(true);
  await vi.advanceTimersByTimeAsync(1500);
  expect(asked).toEqual([0, 5].map((after) => `http://page/media/hls/ticket/tracks.json?after=${after}`));
  expect(told.map(({ at }) => at)).toEqual([5, 10]);
  made.follow(false);
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(2);
});

test('asks no more where they are not known, and again after a failure', async () => {
  const older = questions(() => new Response(null, { status: 404 }));
  older.made.follow(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(older.asked).toHaveLength(1);
  const away = questions(() => {
    throw new TypeError('no network');
  });
  away.made.follow(true);
  await vi.advanceTimersByTimeAsync(2500);
  expect(away.asked).toHaveLength(3);
  away.made.follow(false);
});
