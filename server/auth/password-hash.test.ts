// Password hashing: stored form, verification, and equal time for unknown names.
import { expect, test } from 'vitest';
import { PasswordHasher } from './password-hash.ts';

const LEAST_ROUNDS = 24;
const MOST_ROUNDS = 240;

test('[SE-07] stores argon2id with OWASP parameters, accepts the password alone', async () => {
  const hasher = new PasswordHasher();
  const stored = await hasher.hash('Watch-2026');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.verify(stored, 'Watch-2026')).toBe(true);
  expect(await hasher.verify(stored, 'watch-2026')).toBe(false);
  expect(await hasher.verify(stored, stored)).toBe(false);
  expect(await hasher.verify(null, 'Watch-2026')).toBe(false);
  expect(await hasher.verify(null, 'no account has this password')).toBe(false);
});

test('treats Unicode-equivalent passwords as the same', async () => {
  const hasher = new PasswordHasher();
  expect(await hasher.verify(await hasher.hash('caf\u00e9-1'), 'cafe\u0301-1')).toBe(true);
});

test('[SE-03] takes as long without an account as with one', async () => {
  const hasher = new PasswordHasher();
  const stored = await hasher.hash('Watch-2026');
  await hasher.prepare();
  const quickest: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const isAlike = (): boolean => Math.abs(quickest[0] - quickest[1]) < 0.3 * quickest[0];
  // Each round brings both nearer to what they take on a machine that does nothing else.
  for (let round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && !isAlike()); round += 1) {
    for (const [index, against] of [stored, null].entries()) {
      const startedAt = performance.now();
      await hasher.verify(against, 'Guess-2026');
      quickest[index] = Math.min(quickest[index] ?? 0, performance.now() - startedAt);
    }
  }
  expect(quickest).toSatisfy(isAlike);
});

test('[SE-100] runs a few hashes at a time, queues some and refuses the rest', async () => {
  const hasher = new PasswordHasher();
  const all = await Promise.allSettled(Array.from({ length: 80 }, () => hasher.hash('Watch-2026')));
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(80 - 4 - 64);
  expect(refused.every((one) => (one.reason as { code: number }).code === 1012)).toBe(true);
  expect(await hasher.hash('Watch-2026')).toContain('$argon2id$');
});
