// The options of `npm run site`.
import { expect, it } from 'vitest';
import { readRemoteSiteOptions } from './remote-site-options.js';
import { LaunchError } from '../core/launch-error.js';

const print = 'AB:'.repeat(31).concat('AB');

it('accepts the command shown by the console, and needs no arguments once enrolled', () => {
  const args = [
    '--server',
    'https://cameras.example:8800/',
    '--serial',
    'abcd2345',
    '--code',
    'A-B',
    '--authority',
    print,
  ];
  expect(readRemoteSiteOptions(args, {}, '/root')).toEqual({
    server: 'https://cameras.example:8800',
    serial: 'ABCD2345',
    code: 'A-B',
    authority: 'ab'.repeat(32),
    data: '/root/data-site',
    logLevel: 'info',
  });
  expect(readRemoteSiteOptions([], {}, '/root')).toMatchObject({ server: null, serial: '', code: '' });
});

it.each([
  [['--server', 'http://cameras.example', '--serial', 'ABCD']],
  [['--server', 'https://user@cameras.example', '--serial', 'ABCD']],
  [['--server', 'https://cameras.example']],
  [['--server', 'https://cameras.example', '--serial', 'AB CD']],
  [['--authority', '12']],
  [['--port', '8800']],
])('refuses %j', (args) => expect(() => readRemoteSiteOptions(args, {}, '/root')).toThrow(LaunchError));
