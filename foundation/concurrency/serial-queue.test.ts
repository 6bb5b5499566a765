// Tests of the serial queue: order, overlap, failures.
import { expect, it } from 'vitest';
import { settlePromises } from '../time/fake-clock.fake.ts';
import { SerialQueue } from './serial-queue.ts';

it('runs one piece of work at a time in the order given, also after a failure', async () => {
  const queue = new SerialQueue();
  const log: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`);
      await settlePromises();
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const first = queue.run(work('a', true));
  const second = queue.run(work('b'));
  await expect(first).rejects.toThrow('a');
  await expect(second).resolves.toBe('b');
  await queue.drained();
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});
