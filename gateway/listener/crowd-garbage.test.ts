// Tests of collecting the garbage of connections: once for a crowd, never for a few.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { expect, it } from 'vitest';
import { CrowdGarbage } from './crowd-garbage.ts';

function watched() {
  const clock = new FakeClock();
  let collected = 0;
  const garbage = new CrowdGarbage({
    clock,
    collect: () => {
      collected += 1;
    },
  });
  const leave = (count: number): void => {
    for (let nth = 0; nth < count; nth += 1) garbage.left();
  };
  return { clock, leave, collected: () => collected };
}

it('collects once after a crowd has left, and again after the next', () => {
  const { clock, leave, collected } = watched();
  leave(9000);
  expect(collected()).toBe(0);
  clock.advance(10_000);
  expect(collected()).toBe(1);
  clock.advance(3_600_000);
  expect(collected()).toBe(1);
  leave(1000);
  clock.advance(10_000);
  expect(collected()).toBe(2);
});

it('leaves a few connections to V8', () => {
  const { clock, leave, collected } = watched();
  leave(999);
  clock.advance(3_600_000);
  expect(collected()).toBe(0);
});

it('takes the visitors of an hour for no crowd', () => {
  const { clock, leave, collected } = watched();
  for (let minute = 0; minute < 60; minute += 1) {
    leave(100);
    clock.advance(60_001);
  }
  expect(collected()).toBe(0);
});
