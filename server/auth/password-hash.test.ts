// Passwords: what is stored, who is let in, and that an unknown name takes as long as a known one.
import { expect, test } from 'vitest';
import { PasswordHasher } from './password-hash.ts';

test('[SE-07] stores argon2id with OWASP figures, takes the password alone', async () => {
  const hasher = new PasswordHasher();
  const stored = await hasher.hash('Watch-2026');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.verify(stored, 'Watch-2026')).toBe(true);
  expect(await hasher.verify(stored, 'watch-2026')).toBe(false);
  expect(await hasher.verify(stored, stored)).toBe(false);
  expect(await hasher.verify(null, 'Watch-2026')).toBe(false);
  expect(await hasher.verify(null, 'no account has this password')).toBe(false);
});

test('letters that look alike on another keyboard are the same password', async () => {
  const hasher = new PasswordHasher();
  expect(await hasher.verify(await hasher.hash('caf\u00e9-1'), 'cafe\u0301-1')).toBe(true);
});

test('[SE-03] works as long without an account as with one', async () => {
  const hasher = new PasswordHasher();
  const stored = await hasher.hash('Watch-2026');
  await hasher.prepare();
  const spans: [number[], number[]] = [[], []];
  for (let round = 0; round < 24; round += 1) {
    for (const [index, against] of [stored, null].entries()) {
      const startedAt = performance.now();
      await hasher.verify(against, 'Guess-2026');
      spans[index]?.push(performance.now() - startedAt);
    }
  }
  const [known, unknown] = spans.map((list) => Math.min(...list)) as [number, number];
  expect(Math.abs(known - unknown)).toBeLessThan(Math.max(5, 0.3 * known));
});

test('[SE-100] runs a few at a time, lets some wait and turns the rest away', async () => {
  const hasher = new PasswordHasher();
  const all = await Promise.allSettled(Array.from({ length: 80 }, () => hasher.hash('Watch-2026')));
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(80 - 4 - 64);
  expect(refused.every((one) => (one.reason as { code: number }).code === 1012)).toBe(true);
  expect(await hasher.hash('Watch-2026')).toContain('$argon2id$');
});
