// Tiles open in order, never more than the places at once, and nobody blocks the rest by leaving.
import { expect, test } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { OpeningQueue } from './opening-queue.ts';

test('places are handed on in order', async () => {
  const queue = new OpeningQueue({ places: 1 });
  const { signal } = new AbortController();
  const order: number[] = [];
  const first = await queue.enter(signal);
  const second = queue.enter(signal).then((slot) => {
    order.push(2);
    return slot;
  });
  const third = queue.enter(signal).then(() => order.push(3));
  first.done();
  first.done();
  await settlePromises();
  expect(order).toEqual([2]);
  (await second).done();
  await third;
  expect(order).toEqual([2, 3]);
});

test('a tile that leaves while waiting takes no place', async () => {
  const queue = new OpeningQueue({ places: 1 });
  const abort = new AbortController();
  const first = await queue.enter(new AbortController().signal);
  const leaving = queue.enter(abort.signal);
  const staying = queue.enter(new AbortController().signal);
  abort.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  first.done();
  (await staying).done();
});
