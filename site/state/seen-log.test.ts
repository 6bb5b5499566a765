// What was seen survives a restart; what is damaged or was never looked at is not taken for empty.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { DAY_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SeenLog } from './seen-log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seen-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function open(clock: FakeClock) {
  const faults: unknown[] = [];
  const log = new SeenLog({ disk: createDisk(), clock, folder, onFault: (error) => faults.push(error) });
  await log.load();
  return { log, faults };
}

const WATCHED = new Set(['person'] as const);

/** Looks for people from now on, second by second; one is there in the fifth minute. */
function look(log: SeenLog, clock: FakeClock, minutes: number): number {
  const start = clock.wallMs();
  for (let second = 0; second < minutes * 60; second += 1) {
    log.look('gate', { watched: WATCHED, inView: Math.floor(second / 60) === 5 ? WATCHED : [] });
    clock.advance(1000);
  }
  return start;
}

test('is known after a restart, a file for each day', async () => {
  const clock = new FakeClock();
  const { log } = await open(clock);
  const start = look(log, clock, 20);
  await log.close();
  const { log: again, faults } = await open(clock);
  const isEmpty = (from: number, to: number, channel = 'gate') =>
    again.isEmpty(channel, ['person'], start + from * MINUTE_MS, start + to * MINUTE_MS);
  expect(isEmpty(8, 17)).toBe(true);
  expect(isEmpty(1, 6)).toBe(false);
  expect(isEmpty(10, 40), 'nobody looked later').toBe(false);
  expect(isEmpty(8, 17, 'yard'), 'nobody looked there').toBe(false);
  expect(faults).toEqual([]);
  // A year later its file goes.
  const [file = ''] = await readdir(folder);
  clock.advance(400 * DAY_MS);
  again.look('gate', { watched: WATCHED, inView: WATCHED });
  await again.close();
  expect(await readdir(folder)).not.toContain(file);
});

test('a damaged day counts as not looked at, and is told', async () => {
  const clock = new FakeClock();
  const { log } = await open(clock);
  const start = look(log, clock, 20);
  await log.close();
  const [file = ''] = await readdir(folder);
  for (const text of ['{', '{"gate":{"looked:person":7}}', '{"gate":{"looked:person":"AAAA"}}']) {
    await writeFile(join(folder, file), text);
    const { log: again, faults } = await open(clock);
    expect(again.isEmpty('gate', ['person'], start + 7 * MINUTE_MS, start + 10 * MINUTE_MS)).toBe(false);
    expect(faults).toHaveLength(text === '{' ? 1 : 0);
  }
});

test('is written by itself within three minutes', async () => {
  const clock = new FakeClock();
  const { log } = await open(clock);
  look(log, clock, 3);
  await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1));
  await log.close();
});
