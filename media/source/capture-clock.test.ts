// Proves the wall clock: reports are believed when plausible, corrections are gentle, times never go back.
import { expect, test } from 'vitest';
import { CaptureClock } from './capture-clock.ts';

const START = 1_800_000_000_000;

/** A unit every 40 ms, arriving `delay` ms after it was taken. */
function run(clock: CaptureClock, from: number, to: number, delay: (index: number) => number): number[] {
  return Array.from({ length: to - from }, (_, i) => {
    const index = from + i;
    return clock.wallMs(index * 40, START + index * 40 + delay(index));
  });
}

test('without reports the least delayed arrivals count', () => {
  const walls = run(new CaptureClock(), 0, 500, (index) => 100 + (index % 7) * 20);
  const last = walls.at(-1) ?? 0;
  expect(Math.abs(last - (START + 499 * 40 + 100))).toBeLessThan(10);
  for (const [i, wall] of walls.slice(1).entries()) expect(wall).toBeGreaterThan(walls[i] as number);
});

test('a plausible report is followed gently, an impossible one is not', () => {
  const clock = new CaptureClock();
  run(clock, 0, 100, () => 100);
  clock.report(4000, START + 4000 - 300, START + 4100);
  const walls = run(clock, 100, 600, () => 100);
  expect(walls.at(-1)).toBeCloseTo(START + 599 * 40 - 300, 0);
  for (const [i, wall] of walls.slice(1).entries()) expect(wall).toBeGreaterThan(walls[i] as number);
  clock.report(24_000, 0, START + 24_100);
  expect(clock.followsDevice).toBe(false);
  const later = run(clock, 600, 1200, () => 100);
  expect(Math.abs((later.at(-1) ?? 0) - (START + 1199 * 40 + 100))).toBeLessThan(10);
});

test('a reported clock offset applies to the next connection from its first frame on', () => {
  const device = { offsetMs: null };
  const first = new CaptureClock(device);
  run(first, 0, 10, () => 100);
  first.report(400, START + 400 - 1400, START + 500);
  run(first, 10, 200, () => 100);
  const [wall] = run(new CaptureClock(device), 200, 201, () => 110);
  expect(wall).toBeCloseTo(START + 200 * 40 - 1400 + 10, 0);
  // A clock that is set is believed no longer.
  first.report(8000, START + 3_600_000, START + 8000);
  expect(run(new CaptureClock(device), 300, 301, () => 100)[0]).toBeCloseTo(START + 300 * 40 + 100, 0);
});

test('a step of our own clock is followed at once when it is large', () => {
  const clock = new CaptureClock();
  run(clock, 0, 100, () => 0);
  const walls = run(clock, 100, 110, () => 3_600_000);
  expect(Math.abs((walls[0] ?? 0) - (START + 4000 + 3_600_000))).toBeLessThan(10);
});

test('after a timestamp jump an outdated arrival estimate is dropped within seconds, and capture times stay monotonic', () => {
  const clock = new CaptureClock();
  run(clock, 0, 100, () => 300);
  // The line was laid too far ahead by 300 ms, and put right again.
  clock.forgetReport();
  const ahead = run(clock, 100, 125, () => 0);
  const after = run(clock, 125, 225, () => 300);
  const wallOf = (index: number): number => START + index * 40 + 300;
  expect(Math.abs((after.at(-1) ?? 0) - wallOf(224))).toBeLessThan(20);
  for (const [i, wall] of [...ahead, ...after].slice(1).entries())
    expect(wall).toBeGreaterThan([...ahead, ...after][i] ?? 0);
});
