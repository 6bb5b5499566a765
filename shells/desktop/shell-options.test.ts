// Tests of the command line of the desktop shell.
import { expect, it } from 'vitest';
import { OptionError, readOptions } from './shell-options.ts';

it('begins at the client entry, with a profile for each server', () => {
  const one = readOptions(['--server', 'https://one.example'], '/data');
  expect(one).toMatchObject({ origin: 'https://one.example', address: 'https://one.example/client.html', trust: null });
  expect(one.profile).toMatch(/^\/data\/vedette-shell\/[0-9a-f]{16}$/);
  expect(readOptions(['--server', 'https://two.example/wall#x'], '/data')).toMatchObject({
    address: 'https://two.example/wall#x',
  });
  expect(readOptions(['--server', 'https://two.example'], '/data').profile).not.toBe(one.profile);
});

it.each([
  [[]],
  [['--server', 'file:///x']],
  [['--server', 'one.example']],
  [['--server', 'https://one.example', '--trust', 'AAAA']],
  [['--fly']],
])('refuses %j', (args: string[]) => {
  expect(() => readOptions(args, '/data')).toThrow(OptionError);
});
