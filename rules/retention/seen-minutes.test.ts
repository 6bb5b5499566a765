// What may be removed early: only what was looked at for each class without a pause, and showed none of them, some minutes around included.
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { expect, test } from 'vitest';
import { SeenMinutes } from './seen-minutes.ts';

const at = (minute: number): number => minute * MINUTE_MS + 20_000;
/** From noon of some day. */
const NOON = 20_000 * 1440 + 720;

function lookedFor(classes: readonly ('person' | 'vehicle')[], minutes: number): SeenMinutes {
  const seen = new SeenMinutes();
  for (let minute = 0; minute < minutes; minute += 1) for (const one of classes) seen.look(NOON + minute, one);
  return seen;
}

test('a recording is empty where it was looked at and nobody came, a minute around it included', () => {
  const seen = lookedFor(['person', 'vehicle'], 30);
  const isEmpty = (from: number, to: number) => seen.isEmpty(['person'], at(NOON + from), at(NOON + to));
  expect(isEmpty(1, 28)).toBe(true);
  expect(isEmpty(0, 10), 'nobody looked before').toBe(false);
  expect(isEmpty(20, 29), 'nobody looked after').toBe(false);
  seen.see(NOON + 10, 'person');
  seen.see(NOON + 10, 'bag');
  expect(isEmpty(1, 8)).toBe(true);
  expect(isEmpty(1, 9)).toBe(false);
  expect(isEmpty(11, 20)).toBe(false);
  expect(isEmpty(12, 20)).toBe(true);
  expect(seen.isEmpty(['vehicle'], at(NOON + 1), at(NOON + 28)), 'other classes do not count').toBe(true);
});

test('a class that nobody looked for counts as seen', () => {
  const seen = lookedFor(['vehicle'], 30);
  expect(seen.isEmpty(['vehicle'], at(NOON + 5), at(NOON + 10))).toBe(true);
  expect(seen.isEmpty(['person'], at(NOON + 5), at(NOON + 10))).toBe(false);
  expect(seen.isEmpty(['vehicle', 'person'], at(NOON + 5), at(NOON + 10))).toBe(false);
});

test('a bit is new once, over midnight too, and days are kept and forgotten one by one', () => {
  const seen = new SeenMinutes();
  const midnight = NOON + 720;
  expect(seen.see(midnight - 1, 'animal')).toBe(true);
  expect(seen.see(midnight - 1, 'animal')).toBe(false);
  expect(seen.look(midnight, 'animal')).toBe(true);
  for (const minute of [midnight - 2, midnight - 1, midnight, midnight + 1]) {
    for (const one of ['animal', 'person'] as const) seen.look(minute, one);
  }
  const again = new SeenMinutes();
  for (const day of [20_000, 20_001]) again.load(day, seen.day(day) ?? {});
  expect(again.isEmpty(['person'], at(midnight - 1), at(midnight))).toBe(true);
  expect(again.isEmpty(['animal'], at(midnight - 1), at(midnight))).toBe(false);
  again.forgetBefore(20_001);
  expect(again.day(20_000)).toBeNull();
  expect(again.isEmpty(['person'], at(midnight), at(midnight))).toBe(false);
});
