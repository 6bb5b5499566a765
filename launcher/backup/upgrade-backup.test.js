// Which upgrade a backup belongs to: one that was cut off keeps the backup from before its first step.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeManifest } from './manifest.js';
import { isUnfinished } from './upgrade-backup.js';

const key = randomBytes(32);
let folder = '';

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-upgrade-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** @param {string[]} pending */
function addBackup(pending) {
  const backup = path.join(folder, 'vedette-2026-11-26T12-00-00Z');
  fs.mkdirSync(backup);
  const facts = { version: '1.0.0', migration: '1.sql', startedAt: 0, endedAt: 1, files: [] };
  writeManifest(backup, { ...facts, pending }, key);
}

it('goes on where some of its steps ran and some did not, also with a version that has more of them', () => {
  addBackup(['2.sql', '3.sql']);
  expect(isUnfinished(folder, key, ['3.sql'])).toBe(true);
  expect(isUnfinished(folder, key, ['3.sql', '4.sql'])).toBe(true);
});

it('is another one where all of its steps ran, or none: the database may have been used since', () => {
  addBackup(['2.sql', '3.sql']);
  expect(isUnfinished(folder, key, ['4.sql'])).toBe(false);
  expect(isUnfinished(folder, key, ['2.sql', '3.sql'])).toBe(false);
});

it('is unknown without a backup, and with one of another key', () => {
  expect(isUnfinished(path.join(folder, 'absent'), key, ['3.sql'])).toBe(false);
  addBackup(['2.sql', '3.sql']);
  expect(isUnfinished(folder, randomBytes(32), ['3.sql'])).toBe(false);
});
