// A minute counts as looked at where every tick from its beginning to its end said so, for the same classes.
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { expect, test } from 'vitest';
import { UnbrokenLook } from './unbroken-look.ts';

const CLASSES = new Set(['person'] as const);
const NOON = 20_000 * 1440 + 720;

/** Ticks of a second from one time to another, s after noon; minutes after noon that were told. */
function ticked(look: UnbrokenLook, from: number, to: number, classes: ReadonlySet<'person' | 'vehicle'> | null) {
  const told: number[] = [];
  for (let second = from; second < to; second += 1) {
    told.push(...look.tick(NOON * MINUTE_MS + second * 1000, classes).map((minute) => minute - NOON));
  }
  return told;
}

test('tells whole minutes, each once, when they have ended', () => {
  const look = new UnbrokenLook();
  expect(ticked(look, 30, 239, CLASSES)).toEqual([1, 2]);
  expect(ticked(look, 239, 241, CLASSES)).toEqual([3]);
  expect(ticked(new UnbrokenLook(), 0, 61, CLASSES), 'from its very beginning').toEqual([0]);
});

test('leaves out a minute in which nobody looked, said nothing, or looked for something else', () => {
  const away = new UnbrokenLook();
  expect([...ticked(away, 0, 90, CLASSES), ...ticked(away, 90, 91, null), ...ticked(away, 91, 241, CLASSES)]).toEqual([
    0, 2, 3,
  ]);
  const silent = new UnbrokenLook();
  expect([...ticked(silent, 0, 90, CLASSES), ...ticked(silent, 100, 241, CLASSES)]).toEqual([0, 2, 3]);
  const other = new UnbrokenLook();
  expect([...ticked(other, 0, 90, CLASSES), ...ticked(other, 90, 241, new Set(['vehicle']))]).toEqual([0, 2, 3]);
});

test('begins anew where the clock was set', () => {
  const look = new UnbrokenLook();
  expect(ticked(look, 3600, 3700, CLASSES)).toEqual([60]);
  expect(ticked(look, 30, 150, CLASSES), 'back').toEqual([1]);
  expect(ticked(look, 7200 + 30, 7200 + 60, CLASSES), 'on').toEqual([]);
});
