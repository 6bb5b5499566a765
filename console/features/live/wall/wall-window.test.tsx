// Windows of walls: each press opens one of its own, however slowly the last one comes.
import { afterEach, expect, test, vi } from 'vitest';
import { restoreWall } from './wall-model.ts';
import { openWallWindow } from './wall-window.ts';

afterEach(() => void vi.unstubAllGlobals());

test('pressed twice at once, two windows open; one that was closed is opened again', () => {
  const went: string[] = [];
  const windows = new Map<string, { closed: boolean }>();
  // None of them has loaded its page yet: all say that they are empty.
  const open = (_url: string, name: string) => {
    const known = windows.get(name);
    if (known && !known.closed) return known;
    const location = { href: 'about:blank', replace: (address: string) => went.push(address) };
    const opened = { closed: false, location, focus: vi.fn<() => void>() };
    windows.set(name, opened);
    return opened;
  };
  vi.stubGlobal('open', open);
  const press = (): boolean => openWallWindow(restoreWall(4, []), (no) => `/liveWindow/${no}`);
  expect([press(), press()]).toEqual([true, true]);
  expect(went).toEqual(['/liveWindow/2', '/liveWindow/3']);
  const [first] = windows.values();
  if (first) first.closed = true;
  press();
  expect(went.at(-1)).toBe('/liveWindow/2');
});
