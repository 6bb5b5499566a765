// Batches of a feed's events: in order, spaced in time, flushed when the feed ends; bursts are limited before and counted.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { expect, it } from 'vitest';
import { EventRateLimiter } from './event-rate-limiter.ts';
import { BatchQueue } from './batch-queue.ts';

function fill(queue: BatchQueue<number>, count: number): number[] {
  const all = Array.from({ length: count }, (_none, index) => index);
  for (const one of all) queue.add(one);
  return all;
}

it('a burst of a thousand crosses in batches, in order', () => {
  const clock = new FakeClock();
  const portions: (readonly number[])[] = [];
  const queue = new BatchQueue<number>(clock, (told) => portions.push(told));
  const all = fill(queue, 1000);
  expect(portions.flat()).toEqual([0]);
  clock.advance(25);
  expect(portions).toHaveLength(2);
  expect(portions[1]).toHaveLength(32);
  while (clock.next() !== null) clock.advance(25);
  expect(portions.flat()).toEqual(all);
  expect(clock.monotonicMs()).toBeLessThan(1000);
});

it('a single event crosses at once, also long after the previous one', () => {
  const clock = new FakeClock();
  const told: number[] = [];
  const queue = new BatchQueue<number>(clock, (portion) => told.push(...portion));
  queue.add(1);
  expect(told).toEqual([1]);
  clock.advance(25);
  queue.add(2);
  expect(told).toEqual([1, 2]);
});

it('flushes the queue once when the feed ends', () => {
  const clock = new FakeClock();
  const told: number[] = [];
  const queue = new BatchQueue<number>(clock, (portion) => told.push(...portion));
  const all = fill(queue, 100);
  queue.flush();
  while (clock.next() !== null) clock.advance(25);
  expect(told).toEqual(all);
});

it('[SE-82] the rate limiter passes a burst of two thousand and fifty a second afterwards, and counts the rest', () => {
  const clock = new FakeClock();
  const valve = new EventRateLimiter(() => clock.monotonicMs());
  const pass = (count: number): number => {
    let passed = 0;
    for (let index = 0; index < count; index += 1) {
      if (valve.pass()) passed += 1;
      else valve.holdBack();
    }
    return passed;
  };
  expect(pass(10_000)).toBe(2000);
  expect(valve.takeHeldBack()).toBe(8000);
  expect(valve.takeHeldBack()).toBe(0);
  clock.advance(1000);
  expect(pass(100)).toBe(50);
  expect(valve.takeHeldBack()).toBe(50);
  clock.advance(3_600_000);
  expect(pass(10_000)).toBe(2000);
});
