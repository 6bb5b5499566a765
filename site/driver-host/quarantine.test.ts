// How long a device that cost too much is left alone: doubled each time, an hour at most, forgotten after six hours of peace.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Quarantine } from './quarantine.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('[SE-82] the first penalty lasts a minute, to the millisecond', () => {
  const clock = new FakeClock();
  const penalties = new Quarantine(clock);
  expect(penalties.isBarred('CAM1')).toBe(false);
  expect(penalties.add('CAM1')).toBe(MINUTE);
  clock.advance(MINUTE - 1);
  expect(penalties.isBarred('CAM1')).toBe(true);
  expect(penalties.count).toBe(1);
  clock.advance(1);
  expect(penalties.isBarred('CAM1')).toBe(false);
  expect(penalties.count).toBe(0);
});

test('[SE-82] each further penalty lasts twice as long as the one before, an hour at most', () => {
  const clock = new FakeClock();
  const penalties = new Quarantine(clock);
  const minutes = Array.from({ length: 9 }, () => {
    const lastsMs = penalties.add('CAM1');
    clock.advance(lastsMs);
    return lastsMs / MINUTE;
  });
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test('six hours after the end of a penalty the next one counts as the first; a moment before it does not', () => {
  const clock = new FakeClock();
  const penalties = new Quarantine(clock);
  clock.advance(penalties.add('CAM1'));
  clock.advance(6 * HOUR - 1);
  expect(penalties.add('CAM1')).toBe(2 * MINUTE);
  clock.advance(2 * MINUTE + 6 * HOUR);
  expect(penalties.add('CAM1')).toBe(MINUTE);
});

test('a penalty during a penalty counts as a further one and begins anew', () => {
  const clock = new FakeClock();
  const penalties = new Quarantine(clock);
  penalties.add('CAM1');
  clock.advance(MINUTE / 2);
  expect(penalties.add('CAM1')).toBe(2 * MINUTE);
  clock.advance(2 * MINUTE - 1);
  expect(penalties.isBarred('CAM1')).toBe(true);
  clock.advance(1);
  expect(penalties.isBarred('CAM1')).toBe(false);
});

test('a thousand names are kept: the one whose last penalty is oldest is forgotten first', () => {
  const clock = new FakeClock();
  const penalties = new Quarantine(clock);
  for (let index = 0; index < 1000; index += 1) penalties.add(`candidate ${index}`);
  penalties.add('candidate 0');
  penalties.add('one more');
  expect(penalties.isBarred('candidate 0')).toBe(true);
  expect(penalties.isBarred('candidate 1')).toBe(false);
  expect(penalties.count).toBe(1000);
});

test('property: whatever the order of penalties and pauses, a name is barred exactly until the end of its last penalty', () => {
  const step = fc.record({
    name: fc.constantFrom('A', 'B', 'C'),
    isAdded: fc.boolean(),
    pauseMs: fc.integer({ min: 0, max: 8 * HOUR }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = new FakeClock();
      const penalties = new Quarantine(clock);
      const model = new Map<string, { count: number; untilMs: number }>();
      for (const { name, isAdded, pauseMs } of steps) {
        const now = clock.monotonicMs();
        if (isAdded) {
          const before = model.get(name);
          const isForgotten = before === undefined || now - before.untilMs >= 6 * HOUR;
          const count = isForgotten ? 1 : before.count + 1;
          const lastsMs = Math.min(HOUR, MINUTE * 2 ** (count - 1));
          expect(penalties.add(name)).toBe(lastsMs);
          model.set(name, { count, untilMs: now + lastsMs });
        }
        clock.advance(pauseMs);
        const barred = [...model].filter(([, { untilMs }]) => untilMs > clock.monotonicMs()).map(([one]) => one);
        for (const one of ['A', 'B', 'C']) expect(penalties.isBarred(one)).toBe(barred.includes(one));
        expect(penalties.count).toBe(barred.length);
      }
    }),
  );
});
