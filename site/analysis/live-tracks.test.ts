// Who watches is told what is followed now, and nobody else costs anything.
import { order, region, SQUARE } from '@vedette/rules/scene/made-order.fake.ts';
import { framesOf, stand, walk } from '@vedette/rules/scene/made-scene.fake.ts';
import { Scene } from '@vedette/rules/scene/scene.ts';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import { expect, test, vi } from 'vitest';
import { liveTracks, TrackFollowers } from './live-tracks.ts';

test('walkers have their box, and what stood there from the first has none', () => {
  const scene = new Scene([order('intrusion', [region('zone', SQUARE)])]);
  const walker = { path: walk([0.2, 0.8], [0.6, 0.8], [1, 4]) };
  for (const frame of framesOf([walker, { path: stand([0.8, 0.7]) }], 3, 4)) scene.step({ ...frame, aspect: 16 / 9 });
  expect(liveTracks(scene, 1_003_000)).toEqual({
    at: 1_003_000,
    tracks: [
      { trackId: expect.any(Number), objectClass: 'person', score: 0.8, box: [0.4417, 0.6, 0.05, 0.2], isStill: false },
    ],
  });
  expect(liveTracks(null, 1)).toEqual({ at: 1, tracks: [] });
});

test('a follower is told at once what stands there, then of every frame until it leaves', () => {
  let now: LiveTracks | null = { at: 1, tracks: [] };
  const current = vi.fn(() => now);
  const followers = new TrackFollowers(current);
  followers.changed('street');
  expect(current).not.toHaveBeenCalled();
  const told: number[] = [];
  const stop = followers.follow('street', ({ at }) => told.push(at));
  now = { at: 2, tracks: [] };
  followers.changed('street');
  followers.changed('yard');
  stop();
  stop();
  followers.changed('street');
  expect(told).toEqual([1, 2]);
  now = null;
  followers.follow('street', ({ at }) => told.push(at));
  expect(told).toEqual([1, 2]);
});
