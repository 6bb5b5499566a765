// What may be removed early: only what was looked at without a pause, and showed none of the classes, some minutes around included.
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { expect, test } from 'vitest';
import { SeenMinutes } from './seen-minutes.ts';

const at = (minute: number): number => minute * MINUTE_MS + 20_000;
/** From noon of some day. */
const NOON = 20_000 * 1440 + 720;

function lookedAt(minutes: number): SeenMinutes {
  const seen = new SeenMinutes();
  for (let minute = 0; minute < minutes; minute += 1) seen.mark(at(NOON + minute), []);
  return seen;
}

test('a recording is empty where it was looked at and nobody came, a minute around it included', () => {
  const seen = lookedAt(30);
  const isEmpty = (from: number, to: number) => seen.isEmpty(['person'], at(NOON + from), at(NOON + to));
  expect(isEmpty(1, 28)).toBe(true);
  expect(isEmpty(0, 10), 'nobody looked before').toBe(false);
  expect(isEmpty(20, 29), 'nobody looked after').toBe(false);
  seen.mark(at(NOON + 10), ['person', 'bag']);
  expect(isEmpty(1, 8)).toBe(true);
  expect(isEmpty(1, 9)).toBe(false);
  expect(isEmpty(11, 20)).toBe(false);
  expect(isEmpty(12, 20)).toBe(true);
  expect(seen.isEmpty(['vehicle'], at(NOON + 1), at(NOON + 28)), 'other classes do not count').toBe(true);
});

test('a mark is new once, over midnight too, and days are kept and forgotten one by one', () => {
  const seen = new SeenMinutes();
  const midnight = NOON + 720;
  expect(seen.mark(at(midnight - 1), ['animal'])).toBe(true);
  expect(seen.mark(at(midnight - 1), ['animal'])).toBe(false);
  expect(seen.mark(at(midnight), [])).toBe(true);
  const again = new SeenMinutes();
  for (const day of [20_000, 20_001]) again.load(day, seen.day(day) ?? {});
  again.mark(at(midnight + 1), []);
  again.mark(at(midnight - 2), []);
  expect(again.isEmpty(['person'], at(midnight - 1), at(midnight))).toBe(true);
  expect(again.isEmpty(['animal'], at(midnight - 1), at(midnight))).toBe(false);
  again.forgetBefore(20_001);
  expect(again.day(20_000)).toBeNull();
  expect(again.isEmpty(['person'], at(midnight), at(midnight))).toBe(false);
});
