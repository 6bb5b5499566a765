// When a backup is due, and which ones are kept.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FolderStore } from '../backup-store/folder-store.js';
import { isCheckDue, isDue } from './backup-schedule.js';
import { manifestName } from './manifest.js';
import { removeOldBackups } from './retention.js';

const hour = 3_600_000;
const now = 1_800_000_000_000;
/** @param {number} at */
const good = (at) => ({ at, tookMs: 1, bytes: 1, folder: '/b' });
/** @param {number} at */
const failed = (at) => ({ at, reason: 'no room' });

it.each([
  ['never taken', null, null, true],
  ['taken an hour ago', good(now - hour), null, false],
  ['a day old', good(now - 24 * hour), null, true],
  ['from the future, as the clock was put back', good(now + 1), null, true],
  ['failed minutes ago', good(now - 30 * hour), failed(now - 600_000), false],
  ['failed an hour ago', good(now - 30 * hour), failed(now - hour), true],
])('a backup that was %s', (_, lastGood, lastFailed, due) => {
  expect(isDue({ everyMs: null, good: lastGood, failed: lastFailed, check: null, to: null }, 24 * hour, now)).toBe(due);
});

const checked = (/** @type {number} */ at) => ({ at, tookMs: 1, folder: '/b', failure: null });

it.each([
  ['without a backup', null, null, false],
  ['of the first backup', good(now), null, true],
  ['made a week ago', good(now), checked(now - 7 * 24 * hour), false],
  ['made a month ago', good(now), checked(now - 30 * 24 * hour), true],
  ['made in the future, as the clock was put back', good(now), checked(now + 1), true],
  ['that failed, before the newest backup', good(now), { ...checked(now - hour), failure: 'no room' }, true],
  ['that failed, of the newest backup', good(now - 2 * hour), { ...checked(now - hour), failure: 'no room' }, false],
])('a check %s', (_, lastGood, check, due) => {
  expect(isCheckDue({ everyMs: null, good: lastGood, failed: null, check, to: null }, now)).toBe(due);
});

it('keeps the newest backups, removes what was cut off, and leaves alone what is foreign or younger', async () => {
  const to = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-retention-'));
  try {
    const names = [1, 2, 3, 4].map((day) => `vedette-2026-11-0${day}T10-00-00Z`);
    for (const name of names) {
      fs.mkdirSync(path.join(to, name));
      fs.writeFileSync(path.join(to, name, manifestName), '{}');
    }
    const cut = ['vedette-2026-11-02T11-00-00Z.part', 'vedette-2026-11-03T11-00-00Z'];
    for (const name of [...cut, 'vedette-2026-11-06T10-00-00Z', 'holiday']) fs.mkdirSync(path.join(to, name));
    expect(await removeOldBackups(new FolderStore(to), 2)).toEqual(names.slice(0, 2));
    expect(fs.readdirSync(to).toSorted()).toEqual(['holiday', ...names.slice(2), 'vedette-2026-11-06T10-00-00Z']);
  } finally {
    fs.rmSync(to, { recursive: true });
  }
});
