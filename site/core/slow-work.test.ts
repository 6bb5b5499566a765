// Proves that work is joined by whoever asks again, that a slow result is kept for a minute, and a quick or failed one not at all.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { beforeEach, expect, test } from 'vitest';
import { SlowWork } from './slow-work.ts';

let clock: FakeClock;
let work: SlowWork<number>;
let started: PromiseWithResolvers<number>[];
const start = (): Promise<number> => {
  const one = Promise.withResolvers<number>();
  started.push(one);
  return one.promise;
};

beforeEach(() => {
  clock = new FakeClock();
  work = new SlowWork(clock);
  started = [];
});

test('is done once for all who ask while it runs, apart for other things', async () => {
  const both = [work.join('one', start), work.join('one', start)];
  void work.join('other', start);
  expect(started.length).toBe(2);
  started[0]?.resolve(7);
  expect(await Promise.all(both)).toEqual([7, 7]);
});

test('keeps a slow result for a minute', async () => {
  const first = work.join('one', start);
  clock.advance(18_000);
  started[0]?.resolve(7);
  await first;
  clock.advance(59_000);
  expect(await work.join('one', start)).toBe(7);
  clock.advance(1000);
  void work.join('one', start);
  expect(started.length).toBe(2);
});

test('does not keep a quick result, nor a failure however late', async () => {
  const quick = work.join('one', start);
  started[0]?.resolve(7);
  await quick;
  const failed = work.join('one', start);
  clock.advance(18_000);
  started[1]?.reject(new Error('no answer'));
  await expect(failed).rejects.toThrow('no answer');
  void work.join('one', start);
  expect(started.length).toBe(3);
});
