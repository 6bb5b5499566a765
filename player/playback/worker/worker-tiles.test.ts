// Tiles on one clock inside the worker: steps without the page, one instant for all, nothing to do at rest.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { type ClockState, positionAt } from './clock-state.ts';
import { FakeDecoder, FRAME_MS, stubDecoders } from './fake-decoder.fake.ts';
import { AT, SEGMENT_MS, shown, openHarness, until } from './worker-harness.fake.ts';

beforeEach(stubDecoders);
afterEach(() => void vi.unstubAllGlobals());

test('a step draws the next frame in all tiles at once, whatever the page does meanwhile', async () => {
  const set = openHarness(['a', 'b']);
  set.clock({ wallMs: AT + 330, jump: 1 });
  await until(set, () => shown(set, 'a') === AT + 300 && shown(set, 'b') === AT + 320);
  for (let rest = 0; rest < 4; rest++) await until(set, () => true);
  const requests = set.server.asked.length;
  const fed = FakeDecoder.all.flatMap(({ fed: samples }) => samples).length;
  for (const expected of [AT + 350, AT + 400]) {
    set.take({ kind: 'step', tile: 'a', direction: 1 });
    await settlePromises();
    set.frame();
    expect(shown(set, 'a')).toBe(expected);
    expect(shown(set, 'b')).toBe(expected - 30);
  }
  const stepped = set.posted.flatMap((one) => (one.kind === 'stepped' && one.at !== null ? [Math.round(one.at)] : []));
  expect(stepped).toEqual([AT + 350, AT + 400]);
  expect(set.server.asked).toHaveLength(requests);
  expect(FakeDecoder.all.flatMap(({ fed: samples }) => samples)).toHaveLength(fed);
});

test('what changes on screen comes in one message for all tiles', async () => {
  const set = openHarness(['a', 'b']);
  set.clock({ wallMs: AT + 330, jump: 1 });
  await until(set, () => shown(set, 'a') === AT + 300 && shown(set, 'b') === AT + 320);
  for (let rest = 0; rest < 4; rest++) await until(set, () => true);
  for (let step = 0; step < 2; step++) {
    set.posted.length = 0;
    set.take({ kind: 'step', tile: 'a', direction: 1 });
    await settlePromises();
    set.frame();
  }
  const pictures = set.posted.flatMap((one) => (one.kind === 'pictures' ? [one.pictures] : []));
  expect(pictures.map((all) => all.map(({ tile, at, jump }) => [tile, Math.round(at - AT), jump]))).toEqual([
    [
      ['a', 400, 1],
      ['b', 370, 1],
    ],
  ]);
});

test('playing tiles stay within one frame of each other while one decodes late', async () => {
  const set = openHarness(['a', 'b']);
  set.clock({ wallMs: AT + 110, isPlaying: true, isRunning: true, jump: 1 });
  await until(set, () => shown(set, 'a') >= AT + 100 && shown(set, 'b') >= AT + 70);
  const [first, late] = FakeDecoder.all as [FakeDecoder, FakeDecoder];
  // Its pictures ahead last for 300 ms; then it is up to 200 ms behind.
  for (let frame = 0; frame < 32; frame++) {
    set.frame(20);
    await first.work();
    if (frame > 24) await late.work();
    expect(Math.abs(shown(set, 'a') - shown(set, 'b'))).toBeLessThanOrEqual(FRAME_MS);
  }
  expect(shown(set, 'a')).toBeGreaterThanOrEqual(AT + 600);
});

test('fast playback over a slow connection shows keyframes throughout, and the last one before it reports the end', async () => {
  const set = openHarness(['a'], { answerMs: 700 });
  set.clock({ wallMs: AT + 330, jump: 1 });
  for (let frame = 0; shown(set, 'a') !== AT + 300; frame++) {
    expect(frame).toBeLessThan(200);
    set.frame(50);
    await settlePromises();
    for (const decoder of FakeDecoder.all) await decoder.work();
  }
  let state: ClockState = { wallMs: AT + 330, atMs: set.now(), rate: 16, isRunning: true, isPlaying: true, jump: 1 };
  set.clock(state);
  const { status } = set;
  for (let frame = 0; status() !== 'gap'; frame++) {
    expect(frame).toBeLessThan(400);
    set.frame(50);
    await settlePromises();
    for (const decoder of FakeDecoder.all) await decoder.work();
    // As the page does it: the clock stands while the tile waits.
    const isRunning = status() !== 'waiting';
    if (isRunning === state.isRunning) continue;
    state = { ...state, wallMs: positionAt(state, set.now()), atMs: set.now(), isRunning };
    set.clock(state);
  }
  expect(shown(set, 'a')).toBe(AT + 9 * SEGMENT_MS);
  const times = (set.drawn.get('a') ?? []).map((time) => Math.round(time) - AT);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // Ten seconds with keyframes a second apart.
  expect(times.length).toBeGreaterThanOrEqual(3);
});

test('a paused wall asks for no frame and sends no message', async () => {
  const set = openHarness(['a', 'b']);
  set.clock({ wallMs: AT + 330, jump: 1 });
  await until(set, () => shown(set, 'a') > 0 && shown(set, 'b') > 0);
  await until(set, () => !set.frame());
  const messages = set.posted.length;
  for (let later = 0; later < 5; later++) expect(set.frame(1000)).toBe(false);
  expect(set.posted).toHaveLength(messages);
});
