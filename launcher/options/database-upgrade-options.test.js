// Options of `npm run database:upgrade`.
import { expect, it } from 'vitest';
import { readDatabaseUpgradeOptions } from './database-upgrade-options.js';

const to = 'postgres://vedette@new.example/vedette';
/**
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
const read = (args, env = {}) => readDatabaseUpgradeOptions(args, env, '/root');

it('takes the new database from an argument or the environment, the old one from DATABASE_URL or the data folder', () => {
  expect(read(['--to', to])).toEqual({ kind: 'upgrade', from: null, to, countsOnly: false, data: '/root/data' });
  const env = { VEDETTE_DATABASE_TO: to, DATABASE_URL: 'postgres://old' };
  expect(read(['--dry-run', '--counts-only'], env)).toMatchObject({
    kind: 'dry-run',
    from: 'postgres://old',
    countsOnly: true,
  });
  expect(read(['--prepare'])).toMatchObject({ kind: 'prepare', to: '' });
});

it.each([
  ['no new database', []],
  ['a password where others read it', ['--to', 'postgres://a:word@new.example/vedette']],
  ['two ways at once', ['--to', to, '--back', '--dry-run']],
  ['an option that is not known', ['--to', to, '--force']],
])('refuses %s', (_, args) => {
  expect(() => read(args)).toThrow(expect.objectContaining({ code: 'usage' }));
});
