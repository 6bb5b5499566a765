// Tests of the semaphore: the limit, the order, priorities and aborted waits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settlePromises } from '../time/fake-clock.fake.ts';
import { Semaphore } from './semaphore.ts';

describe('Semaphore', () => {
  it('never runs more pieces of work than it has places, and runs every one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (places, work) => {
          const semaphore = new Semaphore({ places });
          let running = 0;
          let most = 0;
          const outcomes = await Promise.allSettled(
            work.map((fails) =>
              semaphore.run(async () => {
                running += 1;
                most = Math.max(most, running);
                await settlePromises();
                running -= 1;
                if (fails) throw new Error('failed');
              }),
            ),
          );
          expect(most).toBeLessThanOrEqual(places);
          expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(work);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('lets waiting work in by the order of arrival', async () => {
    const semaphore = new Semaphore({ places: 1 });
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((n) => semaphore.run(async () => void order.push(n))));
    expect(order).toEqual([1, 2, 3]);
  });

  it('lets the least priority value in first', async () => {
    const semaphore = new Semaphore<number>({ places: 1, compare: (a, b) => a - b });
    const leave = await semaphore.enter({ priority: 0 });
    const order: number[] = [];
    const waiting = [5, 2, 9].map((priority) => semaphore.run(async () => void order.push(priority), { priority }));
    leave();
    await Promise.all(waiting);
    expect(order).toEqual([2, 5, 9]);
  });

  it('rejects an aborted wait with the reason and keeps the place for others', async () => {
    const semaphore = new Semaphore({ places: 1 });
    const leave = await semaphore.enter();
    const controller = new AbortController();
    const aborted = semaphore.enter({ signal: controller.signal });
    const next = semaphore.enter();
    controller.abort(new Error('no longer wanted'));
    await expect(aborted).rejects.toThrow('no longer wanted');
    leave();
    (await next)();
    await semaphore.enter();
  });

  it('passes on a place that was handed over to an aborted wait', async () => {
    const semaphore = new Semaphore({ places: 1 });
    const leave = await semaphore.enter();
    const controller = new AbortController();
    const handedOver = semaphore.enter({ signal: controller.signal });
    leave();
    controller.abort(new Error('too late'));
    await expect(handedOver).rejects.toThrow('too late');
    await semaphore.enter();
  });

  it('frees a place once, however often it is left', async () => {
    const semaphore = new Semaphore({ places: 1 });
    const leave = await semaphore.enter();
    leave();
    leave();
    await semaphore.enter();
    let isInside = false;
    void semaphore.enter().then(() => {
      isInside = true;
    });
    await settlePromises();
    expect(isInside).toBe(false);
  });
});
