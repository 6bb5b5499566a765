// Tests of shared reads: never older than the question, as few as possible, failures told and forgotten.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settlePromises } from '../time/fake-clock.fake.ts';
import { SharedReads } from './shared-reads.ts';

it('gives all who ask during a read the one that begins after it', async () => {
  const reads = new SharedReads<number>();
  const ends: (() => void)[] = [];
  let begun = 0;
  const load = async (): Promise<number> => {
    begun += 1;
    const number = begun;
    await new Promise<void>((resolve) => ends.push(resolve));
    return number;
  };
  const first = reads.read('a', load);
  const others = [reads.read('a', load), reads.read('a', load)];
  const elsewhere = reads.read('b', load);
  expect(begun).toBe(2);
  ends[0]?.();
  await expect(first).resolves.toBe(1);
  await settlePromises();
  expect(begun).toBe(3);
  for (const end of ends) end();
  await expect(Promise.all(others)).resolves.toEqual([3, 3]);
  await expect(elsewhere).resolves.toBe(2);
});

it('tells a failure to those who waited for it, and reads again for the next', async () => {
  const reads = new SharedReads<string>();
  const failing = reads.read('a', () => Promise.reject(new Error('away')));
  const after = reads.read('a', () => Promise.resolve('there'));
  await expect(failing).rejects.toThrow('away');
  await expect(after).resolves.toBe('there');
  await expect(reads.read('a', () => Promise.resolve('again'))).resolves.toBe('again');
});

it('never gives what was read before the question', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('a', 'b'), { maxLength: 20 }),
      async (scheduler, keys) => {
        const reads = new SharedReads<number>();
        let now = 0;
        const asked = keys.map((key) =>
          scheduler.schedule(Promise.resolve()).then(async () => {
            now += 1;
            const at = now;
            const begunAt = await reads.read(key, async () => {
              now += 1;
              const begun = now;
              await scheduler.schedule(Promise.resolve());
              return begun;
            });
            expect(begunAt).toBeGreaterThan(at);
          }),
        );
        await scheduler.waitFor(Promise.all(asked));
      },
    ),
  );
});
