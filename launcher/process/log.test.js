// The log on disk: every line has a time, and files are rotated.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLog } from './log.js';

/** @type {string} */
let folder;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-test-log-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const open = () => openLog({ folder, stream: new PassThrough(), everyLine: false });
const written = (/** @type {string} */ name) => fs.readFileSync(path.join(folder, name), 'utf8');

it('lines that name a time stay as they are, others get that of their writing', () => {
  const write = open().child('server');
  const named = ['{"level":30,"time":1700000000000,"msg":"x"}', '2026-11-26 11:00:00.123 UTC [7] LOG:  ready'];
  for (const line of [...named, '    at run (file.ts:1:1)']) write(line);
  const lines = written('server.log').trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual(named);
  expect(lines[2]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {5}at run/);
});

it('five megabytes begin a new file, and two older ones are kept', () => {
  const write = open().child('site');
  const line = 'x'.repeat(64 * 1024);
  for (let count = 0; count < 330; count += 1) write(line);
  const files = fs.readdirSync(folder).toSorted();
  expect(files).toEqual(['site.log', 'site.log.1', 'site.log.2']);
  for (const name of files) expect(fs.statSync(path.join(folder, name)).size).toBeLessThan(5.2 * 1024 * 1024);
});

it('what is for people alone reaches no file', () => {
  const log = open();
  log.tell('the one-time link');
  log.say('ready');
  expect(written('launcher.log')).toMatch(/^\S+Z ready\n$/);
});
