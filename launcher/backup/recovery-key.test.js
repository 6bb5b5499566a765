// The recovery key: what is written down comes back as it is typed, and a slip is found.
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { backupKey, readRecoveryKey, writeRecoveryKey } from './recovery-key.js';

it('is eight groups of seven characters that give the master key back, however they are typed', () => {
  for (let times = 0; times < 50; times += 1) {
    const master = randomBytes(32).toString('hex');
    const text = writeRecoveryKey(master);
    expect(text).toMatch(/^[0-9A-HJKMNP-TV-Z]{7}(-[0-9A-HJKMNP-TV-Z]{7}){7}$/);
    for (const typed of [
      text,
      text.toLowerCase(),
      text.replaceAll('-', ' '),
      text.replaceAll('0', 'o').replaceAll('1', 'l'),
    ])
      expect(readRecoveryKey(` ${typed}\n`)).toBe(master);
  }
});

it('with a wrong, missing or exchanged character is refused', () => {
  const text = writeRecoveryKey(randomBytes(32).toString('hex'));
  const other = text[3] === 'A' ? 'B' : 'A';
  for (const typed of [text.slice(0, 3) + other + text.slice(4), text.slice(1), `${text}0`, '', 'u'.repeat(56), 'é'])
    expect(() => readRecoveryKey(typed)).toThrow(/no recovery key/);
});

it('leads to the key of the backups, which is not the master key', () => {
  const master = randomBytes(32).toString('hex');
  expect(backupKey(master)).toEqual(backupKey(master));
  expect(backupKey(master).toString('hex')).not.toBe(master);
  expect(backupKey(randomBytes(32).toString('hex'))).not.toEqual(backupKey(master));
});
