// Health rules with hysteresis: a flapping stream raises nothing, and a lasting problem is reported once.
import { expect, it } from 'vitest';
import { ClockDrift, Hysteresis, StreamHealthRules } from './health-rules.ts';

const STEP = 5000;

interface Step {
  readonly isGone?: boolean;
  readonly bytes?: number;
  readonly videoUnits?: number;
  readonly keyUnits?: number;
  readonly repeatedUnits?: number;
}

/** Looks at a stream every five seconds and answers what changed, with the second of it. */
function watch(looks: number, lookAt: (step: number) => Step) {
  const judge = new StreamHealthRules();
  const counters = { bytes: 0, videoUnits: 0, keyUnits: 0, repeatedUnits: 0 };
  const changes: [number, string, boolean][] = [];
  for (let step = 0; step < looks; step += 1) {
    const { isGone = false, ...grown } = lookAt(step);
    const usual = { bytes: 625_000, videoUnits: 125, keyUnits: 3, repeatedUnits: 0 };
    for (const name of Object.keys(counters) as (keyof typeof counters)[]) {
      counters[name] += isGone ? 0 : (grown[name] ?? usual[name]);
    }
    const now = step * STEP;
    const look = { state: isGone ? 'failed' : 'playing', lastFrameAt: isGone ? null : now, counters: { ...counters } };
    for (const { type, isBad } of judge.update(look, now)) changes.push([now / 1000, type, isBad]);
  }
  return changes;
}

it('raises nothing for a normal stream', () => {
  expect(watch(100, () => ({}))).toEqual([]);
});

it('[FT-36] reports a covered view once after it persists, and its end once', () => {
  const judge = new StreamHealthRules();
  const changes: [number, string, boolean][] = [];
  for (let step = 0; step < 60; step += 1) {
    const now = step * 3000;
    const isCovered = (step >= 10 && step < 12) || (step >= 20 && step < 40);
    const counters = { bytes: step * 100, videoUnits: step * 75, keyUnits: step, pictureCovered: isCovered ? 1 : 0 };
    for (const { type, isBad } of judge.update({ state: 'playing', lastFrameAt: now, counters }, now)) {
      changes.push([now / 1000, type, isBad]);
    }
  }
  expect(changes).toEqual([
    [72, 'TamperAlarm', true],
    [132, 'TamperAlarm', false],
  ]);
});

it('[FT-36] raises nothing for a flapping stream; reports a persistent loss once, and its recovery once', () => {
  expect(watch(40, (step) => ({ isGone: step % 2 === 0 }))).toEqual([]);
  expect(watch(40, (step) => ({ isGone: step >= 10 && step < 20 }))).toEqual([
    [60, 'VideoLossAlarm', true],
    [105, 'VideoLossAlarm', false],
  ]);
});

it('reports a bit rate far above normal, missing keyframes and repeated frames', () => {
  const during = (part: object) => (step: number) => (step >= 20 && step < 40 ? part : {});
  expect(watch(60, during({ bytes: 6_250_000 })).map(([, ...rest]) => rest)).toEqual([
    ['BandwidthExceeded', true],
    ['BandwidthExceeded', false],
  ]);
  expect(watch(60, during({ keyUnits: 0 })).map(([, ...rest]) => rest)).toEqual([
    ['PictureAbnormal', true],
    ['PictureAbnormal', false],
  ]);
  expect(watch(60, during({ repeatedUnits: 125 })).map(([, ...rest]) => rest)).toEqual([
    ['PictureFrozen', true],
    ['PictureFrozen', false],
  ]);
});

it('reports a wrong clock after three events, and clears it well below the limit', () => {
  const judge = new ClockDrift();
  const drifts = [0, -90_000, -90_000, 0, 90_000, 91_000, 92_000, 50_000, 30_000, 10_000];
  expect(drifts.map((drift) => judge.update(1_000_000 + drift, 1_000_000)?.isBad ?? null)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
    true,
    null,
    null,
    false,
  ]);
});

it('ignores a state that reverts in time', () => {
  const state = new Hysteresis({ raiseAfter: 10, clearAfter: 5 });
  const seen = [true, true, false, true, true, true].map((isBad, at) => state.update(isBad, at * 5));
  expect(seen).toEqual([false, false, false, false, false, true]);
});

it('video that awaits a keyframe is not lost: the missing keyframes are reported', () => {
  const judge = new StreamHealthRules();
  const changes: string[] = [];
  for (let now = 0; now < 60_000; now += STEP) {
    const look = { state: 'playing', reason: 'no-key-picture', lastFrameAt: 0, counters: { bytes: now * 100 } };
    for (const { type } of judge.update(look, now)) changes.push(type);
  }
  expect(changes).toEqual(['PictureAbnormal']);
});

it('keyframes a minute apart are as usual once they were seen to be', () => {
  const rare = (step: number): Step => ({ keyUnits: step % 12 === 0 ? 1 : 0 });
  expect(watch(200, rare).filter(([seconds]) => seconds > 125)).toEqual([]);
  const ending = watch(200, (step) => (step > 100 ? { keyUnits: 0 } : rare(step)));
  expect(ending.at(-1)?.slice(1)).toEqual(['PictureAbnormal', true]);
});
