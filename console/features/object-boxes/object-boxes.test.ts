// Boxes stand where the objects are in the picture on screen: between frames that were looked at, letterboxed, and zoomed.
import type { LiveTrack } from '@vedette/contract/media-wire.ts';
import { describe, expect, it } from 'vitest';
import { LiveObjects } from './live-objects.ts';
import { objectAt } from './object-track.ts';
import { pictureArea } from './picture-area.ts';

const walker = (x: number, over: Partial<LiveTrack> = {}): LiveTrack => ({
  trackId: 1,
  objectClass: 'person',
  score: 0.8,
  box: [x, 0.5, 0.1, 0.2],
  isStill: false,
  ...over,
});

describe('live objects', () => {
  it('stand between the frames that were looked at, with where they came from', () => {
    const objects = new LiveObjects();
    objects.add({ at: 1000, tracks: [walker(0.1)] });
    objects.add({ at: 1250, tracks: [walker(0.2)] });
    const [seen] = objects.at(1125);
    expect(seen?.box[0]).toBeCloseTo(0.15);
    expect(seen?.trail.map(([x]) => Math.round(x * 100))).toEqual([15, 20]);
    expect(objects.at(999)).toEqual([]);
  });

  it('stay a moment in pictures that are newer, and as long as they stand still', () => {
    const objects = new LiveObjects();
    objects.add({ at: 1000, tracks: [walker(0.1), walker(0.7, { trackId: 2, isStill: true })] });
    expect(objects.at(1900)).toHaveLength(2);
    expect(objects.at(60_000).map(({ box }) => box[0])).toEqual([0.7]);
    objects.add({ at: 61_000, tracks: [] });
    expect(objects.at(61_000)).toEqual([]);
  });

  it('go on as they went in pictures that are newer than the newest frame', () => {
    const objects = new LiveObjects();
    for (const [at, x] of [
      [1000, 0.1],
      [1250, 0.15],
      [1500, 0.2],
    ] as const)
      objects.add({ at, tracks: [walker(x), walker(0.7, { trackId: 2, isStill: true })] });
    expect(objects.at(2000).map(({ box }) => Math.round(box[0] * 100))).toEqual([30, 70]);
    expect(objects.at(2600).map(({ box }) => box[0])).toEqual([0.7]);
  });

  it('that are gone from the next frame are gone from the picture, and those that were missed shortly are not', () => {
    const objects = new LiveObjects();
    objects.add({ at: 1000, tracks: [walker(0.1), walker(0.5, { trackId: 2 })] });
    objects.add({ at: 1250, tracks: [] });
    objects.add({ at: 1500, tracks: [walker(0.3)] });
    expect(objects.at(1250).map(({ box }) => box[0])).toEqual([0.2]);
    expect(objects.at(1100)).toHaveLength(2);
  });

  it('begin anew when the clock of the site goes back', () => {
    const objects = new LiveObjects();
    objects.add({ at: 9000, tracks: [walker(0.1)] });
    objects.add({ at: 1000, tracks: [walker(0.4)] });
    expect(objects.at(1000).map(({ box }) => box[0])).toEqual([0.4]);
  });
});

it('a trail is two seconds long', () => {
  const samples = [0, 1000, 2000, 3000, 4000].map((at) => ({ at, box: [at / 10_000, 0, 0, 0] as const }));
  const { trail } = objectAt({ objectClass: 'person', score: 1, samples }, 3500);
  expect(trail.map(([x]) => Math.round(x * 10_000))).toEqual([1500, 2000, 3000, 3500]);
});

describe('the area of a picture', () => {
  const whole = { scale: 1, left: 0, top: 0 };

  it('has bars beside or above it where the window has another shape', () => {
    const picture = { width: 640, height: 360 };
    expect(pictureArea({ width: 200, height: 90 }, picture, whole)).toEqual({ x: 20, y: 0, width: 160, height: 90 });
    expect(pictureArea({ width: 160, height: 100 }, picture, whole)).toEqual({ x: 0, y: 5, width: 160, height: 90 });
  });

  it('grows and moves with digital zoom', () => {
    const area = pictureArea({ width: 200, height: 90 }, { width: 16, height: 9 }, { scale: 2, left: 0.25, top: 0.5 });
    expect(area).toEqual({ x: -60, y: -90, width: 320, height: 180 });
  });
});
