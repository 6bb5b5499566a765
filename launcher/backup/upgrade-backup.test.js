// Which upgrade a backup belongs to: one that was cut off keeps the backup from before its first step.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderStore } from '../backup-store/folder-store.js';
import { writeManifest } from './manifest.js';
import { isUnfinished } from './upgrade-backup.js';

const key = randomBytes(32);
let folder = '';
/** @type {FolderStore} */
let store;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-upgrade-'));
  store = new FolderStore(folder);
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** @param {string[]} pending */
async function addBackup(pending) {
  const facts = { version: '1.0.0', migration: '1.sql', startedAt: 0, endedAt: 1, files: [] };
  await writeManifest({ store, name: 'vedette-2026-11-26T12-00-00Z' }, { ...facts, pending }, key);
}

it('goes on where some of its steps ran and some did not, also with a version that has more of them', async () => {
  await addBackup(['2.sql', '3.sql']);
  expect(await isUnfinished(store, key, ['3.sql'])).toBe(true);
  expect(await isUnfinished(store, key, ['3.sql', '4.sql'])).toBe(true);
});

it('is another one where all of its steps ran, or none: the database may have been used since', async () => {
  await addBackup(['2.sql', '3.sql']);
  expect(await isUnfinished(store, key, ['4.sql'])).toBe(false);
  expect(await isUnfinished(store, key, ['2.sql', '3.sql'])).toBe(false);
});

it('is unknown without a backup, and with one of another key', async () => {
  expect(await isUnfinished(new FolderStore(path.join(folder, 'absent')), key, ['3.sql'])).toBe(false);
  await addBackup(['2.sql', '3.sql']);
  expect(await isUnfinished(store, randomBytes(32), ['3.sql'])).toBe(false);
});
