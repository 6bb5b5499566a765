// Tracks for viewers by HLS: kept under each session from its first question, and not made any more when nobody asks.
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import { expect, it } from 'vitest';
import { LiveHlsTracks } from './live-hls-tracks.ts';

function stage() {
  let now = 0;
  const listeners = new Set<(tracks: LiveTracks) => void>();
  const ending = new AbortController();
  const tracks = new LiveHlsTracks(() => now);
  const grant = {
    sessionId: 'one',
    ended: ending.signal,
    followTracks: (onTracks: (told: LiveTracks) => void) => {
      listeners.add(onTracks);
      onTracks({ at: 1, tracks: [] });
      return () => listeners.delete(onTracks);
    },
  };
  const tell = (at: number): void => {
    for (const listener of listeners) listener({ at, tracks: [] });
  };
  const after = (ms: number): number[] => tracks.after(grant, ms).frames.map(({ at }) => at);
  return { listeners, ending, tracks, tell, after, pass: (ms: number) => (now += ms) };
}

it('answers what came since, what stands in view first, for half a minute', () => {
  const { tell, after } = stage();
  expect(after(0)).toEqual([1]);
  tell(1000);
  tell(2000);
  expect(after(1)).toEqual([1000, 2000]);
  tell(31_500);
  expect(after(0)).toEqual([2000, 31_500]);
  // The clock of the camera was set back: what was kept belongs to other frames.
  tell(500);
  expect(after(0)).toEqual([500]);
});

it('follows nothing before the first question, after the session, and where nobody asks for long', () => {
  const { listeners, ending, tell, after, pass, tracks } = stage();
  expect(listeners.size).toBe(0);
  after(0);
  pass(9000);
  tell(1000);
  expect(listeners.size).toBe(1);
  pass(2000);
  tell(2000);
  expect(listeners.size).toBe(0);
  after(0);
  expect(listeners.size).toBe(1);
  ending.abort();
  expect(listeners.size).toBe(0);
  tracks.close();
});
