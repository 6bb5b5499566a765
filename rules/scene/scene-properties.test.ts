// What holds of every scene: crossings are exact at any rate, starts and ends are pairs, and order does not matter.
import { ANALYSIS_ALGORITHMS, OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Detection } from './detection/detection.ts';
import { detectionsAt, framesOf, stand, walk } from './made-scene.fake.ts';
import { MIDDLE, order, region, runScene, SQUARE } from './made-order.fake.ts';
import type { SceneEvent } from './rules/scene-event.ts';
import { Scene } from './scene.ts';

const rate = fc.constantFrom(0.5, 1, 2, 5, 10);
const share = fc.double({ min: 0.05, max: 0.95, noNaN: true });
const line = region('line', MIDDLE);
const crossing = order('lineCrossing', [line]);
const everyTask = ANALYSIS_ALGORITHMS.map((algorithm) =>
  order(algorithm, [line, region('zone', SQUARE, { regionId: 'r2' })], {
    classes: [...OBJECT_CLASSES],
    dwellS: 2,
    densityLevels: [1, 2, 3],
    threshold: 1,
  }),
);

describe('a line', () => {
  it('is crossed once by a straight walk, at any rate of frames, phase, speed and direction', () => {
    const any = fc.record({
      rate,
      phase: fc.double({ min: 0, max: 1, noNaN: true }),
      isOutward: fc.boolean(),
      // Heights a second: a slow and a hurried walk.
      speed: fc.double({ min: 0.4, max: 1, noNaN: true }),
      height: fc.double({ min: 0.1, max: 0.3, noNaN: true }),
      from: fc.double({ min: 0.45, max: 0.8, noNaN: true }),
      to: fc.double({ min: 0.45, max: 0.8, noNaN: true }),
    });
    fc.assert(
      fc.property(any, (given) => {
        const [left, right] = [0.1, 0.9];
        const seconds = ((right - left) * 16) / 9 / (given.speed * given.height);
        const ends = given.isOutward ? [left, right] : [right, left];
        const path = walk([ends[0] ?? 0, given.from], [ends[1] ?? 0, given.to], [-given.phase / given.rate, seconds]);
        const walker = { path, height: given.height, width: given.height / 5 };
        const events = runScene([crossing], framesOf([walker], seconds, given.rate));
        expect(events.map(({ direction }) => direction)).toEqual([given.isOutward ? 'out' : 'in']);
      }),
      { numRuns: 200 },
    );
  });

  it('is not crossed by who stands or jitters on it, or walks along it with feet that jitter', () => {
    const jitter = fc.array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), { minLength: 10, maxLength: 60 });
    fc.assert(
      fc.property(jitter, rate, fc.boolean(), (steps, each, isWalking) => {
        const height = 0.2;
        const frames = steps.map((by, at) => {
          const y = isWalking ? 0.3 + (0.6 * at) / steps.length : 0.6;
          const x = 0.5 + (by * height * 9) / 16;
          return { atMs: (at * 1000) / each, detections: detectionsAt([{ path: stand([x, y]), height }], 0) };
        });
        expect(runScene([crossing], frames)).toEqual([]);
      }),
    );
  });

  it('is crossed out and in by turns by who walks to and fro', () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 1, maxLength: 12 }), (turns) => {
        let [x, atMs] = [0.1, 0];
        const frames = turns.flatMap((to) => {
          // 0.8 heights a second, five frames a second.
          const steps = Math.ceil((Math.abs(to - x) * 16 * 5) / (9 * 0.8 * 0.2)) + 1;
          const path = walk([x, 0.6], [to, 0.6], [0, steps]);
          const part = Array.from({ length: steps }, (_none, step) => ({
            atMs: atMs + step * 200,
            detections: detectionsAt([{ path }], step),
          }));
          [x, atMs] = [to, atMs + steps * 200];
          return part;
        });
        const directions = runScene([crossing], frames).map(({ direction }) => direction);
        expect(directions).toEqual(directions.map((_direction, at) => (at % 2 === 0 ? 'out' : 'in')));
      }),
    );
  });

  it('nothing is told without movement', () => {
    const standing = fc.array(fc.tuple(share, share, fc.constantFrom(...OBJECT_CLASSES)), { maxLength: 10 });
    const silent = everyTask.filter(({ algorithm }) => algorithm !== 'crowdDensity');
    fc.assert(
      fc.property(standing, rate, (places, each) => {
        const objects = places.map(([x, y, objectClass]) => ({
          path: stand([x, y]),
          objectClass,
          height: 0.05,
          width: 0.02,
        }));
        expect(runScene(silent, framesOf(objects, 40, each))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

const anyNumber = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: -0.2, max: 1.2 }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) },
);
const anyDetection = fc.record({
  objectClass: fc.constantFrom(...OBJECT_CLASSES),
  score: fc.oneof(fc.constant(0.9), anyNumber),
  box: fc.record({ x: anyNumber, y: anyNumber, width: anyNumber, height: anyNumber }),
});
/** Objects that go their ways, with frames that show nothing, nonsense beside them, and a clock that may jump. */
const anyScene = fc.record({
  ways: fc.array(
    fc.record({
      from: fc.tuple(share, share),
      to: fc.tuple(share, share),
      begin: fc.integer({ min: 0, max: 20 }),
      lasts: fc.integer({ min: 2, max: 20 }),
      objectClass: fc.constantFrom(...OBJECT_CLASSES),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  frames: fc.array(
    fc.record({
      passed: fc.oneof(
        { weight: 30, arbitrary: fc.integer({ min: 100, max: 2500 }) },
        { weight: 1, arbitrary: fc.constantFrom(-4e6, -500, 0, 20_000, 4e6) },
      ),
      isBlind: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
      nonsense: fc.array(anyDetection, { maxLength: 3 }),
    }),
    { maxLength: 60 },
  ),
});

type AnyScene = typeof anyScene extends fc.Arbitrary<infer T> ? T : never;

function framesOfAny({ ways, frames }: AnyScene) {
  let [atMs, seconds] = [50_000_000, 0];
  return frames.map(({ passed, isBlind, nonsense }) => {
    atMs += passed;
    seconds += Math.min(2.5, Math.max(0, passed / 1000));
    const objects = ways.map(({ from, to, begin, lasts, objectClass }) => {
      return { path: walk(from, to, [begin, begin + lasts]), objectClass, height: 0.1, width: 0.05 };
    });
    return { atMs, detections: [...(isBlind ? [] : detectionsAt(objects, seconds)), ...nonsense] };
  });
}

function runAndEnd(orders: typeof everyTask, frames: ReturnType<typeof framesOfAny>): SceneEvent[] {
  const scene = new Scene(orders);
  const events = frames.flatMap((frame) => scene.step(frame));
  return [...events, ...scene.end((frames.at(-1)?.atMs ?? 0) + 1000)];
}

describe('any scene', () => {
  it('has starts and ends of one key in turn, an end for each start, and finite numbers', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyScene, (given) => {
        const open = new Map<string, SceneEvent>();
        for (const event of runAndEnd(everyTask, framesOfAny(given))) {
          seen.add(`${event.phase} ${event.type}`);
          const start = open.get(event.key);
          if (event.phase === 'start') {
            expect(start).toBeUndefined();
            open.set(event.key, event);
          } else if (event.phase === 'end') {
            expect(start).toMatchObject({ type: event.type, taskId: event.taskId, regionId: event.regionId });
            expect(event.atMs).toBeGreaterThanOrEqual(start?.atMs ?? Number.NaN);
            open.delete(event.key);
          }
          const numbers = event.track === null ? [] : [event.track.score, ...Object.values(event.track.box)];
          expect(numbers.every((value) => value >= 0 && value <= 1)).toBe(true);
        }
        expect([...open.keys()]).toEqual([]);
      }),
      { numRuns: 300, seed: 7 },
    );
    // The scenes are rich enough to prove something.
    expect([...seen].toSorted()).toEqual(
      expect.arrayContaining([
        'end IntrusionAlarm',
        'end LoiteringAlarm',
        'pulse LineDetectorCrossed',
        'pulse RegionEntrance',
        'pulse RegionExiting',
        'start CrowdDensityLow',
      ]),
    );
  });

  it('is the same whatever the order of detections and tasks', () => {
    fc.assert(
      fc.property(anyScene, (given) => {
        const frames = framesOfAny(given);
        const turned = frames.map((frame) => ({ ...frame, detections: frame.detections.toReversed() }));
        expect(runAndEnd(everyTask.toReversed(), turned)).toEqual(runAndEnd(everyTask, frames));
      }),
    );
  });

  it('is quiet after half a minute without objects: nothing is open, nothing is waited for', () => {
    fc.assert(
      fc.property(anyScene, (given) => {
        const frames = framesOfAny(given);
        const scene = new Scene(everyTask);
        for (const frame of frames) scene.step(frame);
        const fromMs = frames.at(-1)?.atMs ?? 0;
        for (let at = 1; at <= 40; at += 1) scene.step({ atMs: fromMs + at * 1000, detections: [] });
        expect([scene.isBusy, scene.tracks, scene.end(fromMs + 50_000)]).toEqual([false, [], []]);
      }),
    );
  });

  it('of one task is not changed by another task', () => {
    const [one, ...others] = everyTask;
    fc.assert(
      fc.property(anyScene, (given) => {
        const frames = framesOfAny(given);
        const alone = runAndEnd(one === undefined ? [] : [one], frames);
        const together = runAndEnd([...(one === undefined ? [] : [one]), ...others], frames);
        expect(together.filter(({ taskId }) => taskId === one?.taskId)).toEqual(alone);
      }),
    );
  });
});

it('200 objects in 1,000 frames: bounded tracks, and each crosses as often as it walks over the line', () => {
  const scene = new Scene(everyTask.filter(({ algorithm }) => algorithm !== 'objectLeft'));
  let crossings = 0;
  for (let at = 0; at < 1000; at += 1) {
    // 200 walkers in 20 rows go round: from left to right and, by the way of the border, back to the left.
    const detections = Array.from({ length: 200 }, (_none, index): Detection => {
      const x = (((index % 10) / 10 + at * 0.004) % 1) - 0.015;
      return {
        objectClass: 'person',
        score: 0.8,
        box: { x, y: Math.floor(index / 10) / 20, width: 0.03, height: 0.045 },
      };
    });
    const events = scene.step({ atMs: at * 200, detections });
    crossings += events.filter(({ type }) => type === 'LineDetectorCrossed').length;
    expect(scene.tracks.length).toBeLessThanOrEqual(200);
  }
  // The line spans rows 2 to 18 of feet; in 1,000 frames everybody goes round four times.
  expect(crossings).toBeGreaterThan(17 * 10 * 3);
  expect(crossings).toBeLessThanOrEqual(18 * 10 * 4);
}, 120_000);
