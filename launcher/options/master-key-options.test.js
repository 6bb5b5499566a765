// Options of `npm run master-key`: what is refused before anything is touched.
import { expect, it } from 'vitest';
import { readMasterKeyOptions } from './master-key-options.js';

const KEY = 'ab'.repeat(32);

it('needs its verb, and both keys where the old one is given', () => {
  /** @type {(args: string[], env?: Record<string, string>) => () => unknown} */
  /** @type {(args: string[], env?: Record<string, string>) => () => unknown} */
  const read =
    (args, env = {}) =>
    () =>
      readMasterKeyOptions(args, env, '/root');
  expect(read([])).toThrow('say what to do');
  expect(read(['show'])).toThrow('say what to do');
  expect(read(['change', '--key', KEY])).toThrow(/--key/);
  expect(read(['change'], { VEDETTE_KEY: KEY })).toThrow('VEDETTE_NEW_KEY');
});

it('takes the folder from its argument, and the keys from the environment alone', () => {
  const env = { VEDETTE_KEY: KEY, VEDETTE_NEW_KEY: `${KEY}0`, DATABASE_URL: 'postgres://x', VEDETTE_DATA: '/other' };
  expect(readMasterKeyOptions(['change', '--data', 'mine', '--leave-unreadable'], env, '/root')).toEqual({
    data: '/root/mine',
    databaseUrl: 'postgres://x',
    leavesUnreadable: true,
    oldKey: KEY,
    newKey: `${KEY}0`,
  });
  expect(readMasterKeyOptions(['change'], {}, '/root')).toMatchObject({
    data: '/root/data',
    oldKey: null,
    newKey: null,
  });
});
