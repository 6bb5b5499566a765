// Lock of the data folder: one holder, taken over from a dead process, never from a living one.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataFolder } from './data-folder.js';
import { identify, pidNamespace } from '../process/identity.js';

let folder = '';
const lock = () => path.join(folder, 'vedette.lock');
const hold = (/** @type {object} */ holder) => fs.writeFileSync(lock(), JSON.stringify(holder));
const inUse = expect.objectContaining({ code: 'dataFolderInUse' });

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-data-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

it('creates the folder, locks it, and removes the lock on release', () => {
  const deep = path.join(folder, 'a', 'b');
  const held = lockDataFolder(deep);
  expect(fs.readdirSync(deep)).toEqual(['vedette.lock']);
  expect(fs.statSync(deep).mode & 0o077).toBe(0);
  held.release();
  expect(fs.readdirSync(deep)).toEqual([]);
});

it('is refused while another process is alive', () => {
  hold({ ...identify(process.ppid), namespace: pidNamespace() });
  expect(() => lockDataFolder(folder)).toThrow(inUse);
});

it('takes over the lock of a dead process, even when its PID was reused', () => {
  hold({ ...identify(process.ppid), startTime: '1', namespace: pidNamespace() });
  lockDataFolder(folder).release();
});

it.each(['', '{"pid":', '[]', 'null'])('takes over a truncated lock: %j', (text) => {
  fs.writeFileSync(lock(), text);
  lockDataFolder(folder).release();
});

it('treats a lock of another machine or container as held only while it is refreshed', () => {
  hold({ pid: 1, startTime: '1', namespace: 'elsewhere' });
  expect(() => lockDataFolder(folder)).toThrow(inUse);
  const old = new Date(Date.now() - 60_000);
  fs.utimesSync(lock(), old, old);
  lockDataFolder(folder).release();
});

it('releases only its own lock', () => {
  const held = lockDataFolder(folder);
  hold({ ...identify(process.ppid), namespace: pidNamespace() });
  held.release();
  expect(fs.existsSync(lock())).toBe(true);
});
