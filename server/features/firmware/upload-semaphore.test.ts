// Uploads of one account at a time: one batch runs, the rest waits in order, and others are not concerned.
import { expect, it } from 'vitest';
import { UploadSemaphore } from './upload-semaphore.ts';

it('[LM-09] six uploads of an account run at once, the seventh when one of them has ended', async () => {
  const semaphore = new UploadSemaphore();
  const begun: string[] = [];
  const start = (ownerId: string, name: string) => {
    const held = Promise.withResolvers<void>();
    const ended = semaphore.run(ownerId, async () => {
      begun.push(name);
      await held.promise;
      if (name === 'a2') throw new Error('broken off');
    });
    return { end: held.resolve, ended };
  };
  const uploads = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8'].map((name) => start('a', name));
  start('b', 'b1');
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1']);
  // One that fails gives its place on like any other.
  uploads[1]?.end();
  await expect(uploads[1]?.ended).rejects.toThrow('broken off');
  expect(begun.at(-1)).toBe('a7');
  uploads[0]?.end();
  await uploads[0]?.ended;
  expect(begun.at(-1)).toBe('a8');
});

it('refuses those of which too many wait already', async () => {
  const semaphore = new UploadSemaphore();
  const never = new Promise<void>(() => undefined);
  for (let n = 0; n < 56; n += 1) void semaphore.run('a', () => never);
  await expect(semaphore.run('a', () => never)).rejects.toMatchObject({ message: 'serviceBusy' });
});
