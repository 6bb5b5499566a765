// Tests of the command line of the GTK shell.
import { expect, it } from 'vitest';
import { OptionError } from '../desktop/shell-options.ts';
import { readGtkOptions } from './gtk-options.ts';

it('has a profile of its own beside that of the desktop shell, and monitors by name', () => {
  const plain = readGtkOptions(['--server', 'https://one.example'], '/data');
  expect(plain).toMatchObject({ address: 'https://one.example/client.html', monitor: null, walls: [] });
  expect(plain.isNoticeRead).toBe(false);
  expect(plain.profile).toMatch(/^\/data\/vedette-gtk-shell\/[0-9a-f]{16}$/);
  const walls = ['--monitor', 'DP-1', '--wall', 'DP-2', '--wall', 'HDMI-A-1', '--notice-read'];
  expect(readGtkOptions(['--server', 'https://one.example', ...walls], '/data')).toMatchObject({
    monitor: 'DP-1',
    walls: ['DP-2', 'HDMI-A-1'],
    isNoticeRead: true,
  });
});

it.each([
  [['--server', 'file:///x']],
  [['--server', 'https://one.example', '--browser', 'x']],
  [['--monitor']],
])('refuses %j', (args: string[]) => {
  expect(() => readGtkOptions(args, '/data')).toThrow(OptionError);
});
