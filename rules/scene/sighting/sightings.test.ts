// A track is told once when it is gone, in parts where it stays, and not while it stands still; the frame that shows it best is named.
import { describe, expect, it } from 'vitest';
import { SIGHTING_LIMITS } from '@vedette/contract/site/site-sighting.ts';
import type { Track } from '../tracking/track.ts';
import { type SceneSighting, Sightings } from './sightings.ts';

const START = 1_000_000;

function track(atS: number, more: Partial<Track> = {}): Track {
  return {
    trackId: 1,
    objectClass: 'person',
    box: { x: 0.1 + (atS % 50) / 100, y: 0.3, width: 0.1, height: 0.3 },
    medianScore: 0.8,
    isConfirmed: true,
    sinceMs: START,
    seenMs: START + atS * 1000,
    isSeen: true,
    hasMoved: true,
    restsSinceMs: START + atS * 1000,
    isStationary: false,
    isBackground: false,
    ...more,
  };
}

const nowhere = () => [];

/** Four frames a second; what `of` answers for each second is in view. */
function watch(seconds: number, of: (atS: number) => readonly Track[], sightings = new Sightings()) {
  const over: SceneSighting[] = [];
  const better: number[] = [];
  for (let step = 0; step < seconds * 4; step += 1) {
    const found = sightings.step(of(step / 4), nowhere);
    over.push(...found.over);
    if (found.better.length > 0) better.push(step / 4);
  }
  return { sightings, over, better };
}

describe('a sighting', () => {
  it('is told when its track is gone, with its path from the first to the last box', () => {
    const { over } = watch(12, (atS) => (atS <= 10 ? [track(atS)] : []));
    expect(over).toHaveLength(1);
    expect(over[0]).toMatchObject({ trackId: 1, objectClass: 'person', fromMs: START, untilMs: START + 10_000 });
    expect(over[0]?.path.at(0)).toEqual([0, 0.1, 0.3, 0.1, 0.3]);
    expect(over[0]?.path.at(-1)).toEqual([10_000, 0.2, 0.3, 0.1, 0.3]);
  });

  it('is told every five minutes of a track that goes on, with no more points than fit', () => {
    const { over, sightings } = watch(700, (atS) => [track(atS)]);
    const last = sightings.end();
    const lengths = [...over, ...last].map(({ fromMs, untilMs }) => Math.round((untilMs - fromMs) / 1000));
    expect(lengths).toEqual([300, 300, 99]);
    for (const { path } of over) {
      expect(path.length).toBeLessThanOrEqual(SIGHTING_LIMITS.points);
      expect(path.length).toBeGreaterThan(SIGHTING_LIMITS.points / 3);
      expect(path.map(([afterMs]) => afterMs)).toEqual(path.map(([afterMs]) => afterMs).toSorted((a, b) => a - b));
    }
    expect(sightings.end()).toEqual([]);
  });

  it('of what stands still ends after five minutes, and the next begins when it moves', () => {
    const parked = (atS: number) =>
      track(atS, { isStationary: atS > 10 && atS < 3600, box: { x: 0.4, y: 0.4, width: 0.2, height: 0.2 } });
    const { over, sightings } = watch(3610, (atS) => [parked(atS)]);
    expect(over).toHaveLength(1);
    expect(over[0]?.untilMs).toBe(START + 300_000);
    expect(sightings.end().map(({ fromMs }) => fromMs)).toEqual([START + 3_600_000]);
  });

  it('ends where frames stop, as they do when nothing moves any more', () => {
    const { sightings } = watch(4, (atS) => [track(atS)]);
    expect(sightings.endIdle(START + 13_000)).toEqual([]);
    expect(sightings.endIdle(START + 14_000)).toHaveLength(1);
    expect(sightings.endIdle(START + 99_000)).toEqual([]);
  });

  it('is none of a ghost, nor of what was there from the first and never moved', () => {
    const { over, sightings } = watch(20, (atS) => [
      track(atS, { isBackground: true }),
      track(atS, { trackId: 2, isConfirmed: false }),
    ]);
    expect([...over, ...sightings.end()]).toEqual([]);
  });

  it('is best where the object is large, whole and sure; little better is not better', () => {
    const sized = (width: number, x = 0.3) => ({ box: { x, y: 0.3, width, height: 0.3 } });
    const steps: Partial<Track>[] = [
      sized(0.1),
      sized(0.11),
      sized(0.2),
      { ...sized(0.2), medianScore: 0.4 },
      sized(0.4, 0.6),
    ];
    const { better, sightings } = watch(steps.length / 4, (atS) => [track(atS, steps[atS * 4])]);
    expect(better).toEqual([0, 0.5]);
    expect(sightings.end()[0]?.bestMs).toBe(START + 500);
  });

  it('names the zones in which it was, each once', () => {
    const sightings = new Sightings();
    for (const [atS, names] of [
      [0, ['Yard']],
      [1, []],
      [2, ['Yard', 'Gate']],
    ] as const)
      sightings.step([track(atS)], () => names);
    expect(sightings.end()[0]?.regions).toEqual(['Yard', 'Gate']);
  });
});
