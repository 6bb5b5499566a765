// The guard of several disks: one whose calls never return fails in time, holds its own threads alone, and is used again when it answers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDisk, type Disk, type DiskFile } from '../disk.ts';
import { ANSWERS_WITHIN_MS } from './disk-gate.ts';
import { DiskGuard } from './disk-guard.ts';

const LATE_MS = ANSWERS_WITHIN_MS + 1000;
const THREADS = 6;

const real = createDisk();
let root: string;
let one: string;
let two: string;
let clock: FakeClock;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'guard-'));
  [one, two] = [join(root, 'one'), join(root, 'two')];
  for (const folder of [one, two]) await real.makeFolder(folder);
  clock = new FakeClock();
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Calls below `one` return once `answer` is called. */
function hangingDisk() {
  let release = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    release = resolve;
  });
  const calls = { begun: 0, closed: 0 };
  const hang = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    if (!path.startsWith(`${one}/`)) return await work();
    calls.begun += 1;
    await answered;
    return await work();
  };
  const fileOf = (path: string, file: DiskFile): DiskFile => ({
    read: (buffer, at) => file.read(buffer, at),
    truncate: (length) => file.truncate(length),
    size: () => file.size(),
    writeAll: (buffers, at) => hang(path, () => file.writeAll(buffers, at)),
    sync: () => hang(path, () => file.sync()),
    close: async () => {
      calls.closed += 1;
      await file.close();
    },
  });
  const disk: Disk = {
    ...real,
    createFile: async (path) => fileOf(path, await real.createFile(path)),
    openFile: (path, access) => hang(path, async () => fileOf(path, await real.openFile(path, access))),
    identify: (path) => hang(path, async () => 'a place'),
    sizeOf: (path) => hang(path, () => real.sizeOf(path)),
  };
  return { disk, calls, answer: () => release() };
}

function guardOf(disk: Disk, folders: readonly string[] = [one, two]): DiskGuard {
  const guard = new DiskGuard({ disk, clock, threads: THREADS });
  guard.watch(folders);
  return guard;
}

const outcomeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'answered',
    (error: unknown) => (error as { code?: string }).code ?? 'another error',
  );

describe('a disk whose calls do not return', () => {
  it('fails in time with the code of a network disk that does, and every later call at once', async () => {
    const { disk, calls, answer } = hangingDisk();
    const { disk: guarded } = guardOf(disk);
    const first = outcomeOf(guarded.identify(join(one, 'any')));
    await clock.advanceAsync(LATE_MS);
    expect(await first).toBe('ETIMEDOUT');
    expect(await outcomeOf(guarded.sizeOf(join(one, 'any')))).toBe('ETIMEDOUT');
    expect(await outcomeOf(guarded.removeTree(join(one, 'any')))).toBe('ETIMEDOUT');
    expect(calls.begun).toBe(1);
    answer();
    await expect.poll(() => outcomeOf(guarded.identify(join(one, 'any')))).toBe('answered');
  });

  it('holds its share of the threads and no more, and who waits for one is turned away', async () => {
    const { disk, calls, answer } = hangingDisk();
    const { disk: guarded } = guardOf(disk);
    const waiting = Array.from({ length: 10 }, () => outcomeOf(guarded.identify(join(one, 'any'))));
    await clock.advanceAsync(0);
    expect(calls.begun).toBe((THREADS - 2) / 2);
    const file = await guarded.createFile(join(two, 'file'));
    await file.writeAll([Buffer.from('recorded')], 0);
    await file.sync();
    await file.close();
    await clock.advanceAsync(LATE_MS);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['ETIMEDOUT']));
    expect(calls.begun).toBe((THREADS - 2) / 2);
    answer();
  });

  it('has all files closed once it answers: those that were open and those that opened too late', async () => {
    const { disk, calls, answer } = hangingDisk();
    const { disk: guarded } = guardOf(disk);
    await real.replaceFile(join(one, 'there'), Buffer.from('there'));
    const file = await guarded.createFile(join(one, 'file'));
    const opened = outcomeOf(guarded.openFile(join(one, 'there'), 'read'));
    const written = outcomeOf(file.writeAll([Buffer.from('late')], 0));
    await clock.advanceAsync(LATE_MS);
    expect([await opened, await written]).toEqual(['ETIMEDOUT', 'ETIMEDOUT']);
    expect(await outcomeOf(file.close())).toBe('ETIMEDOUT');
    expect(calls.closed).toBe(0);
    answer();
    await expect.poll(() => calls.closed).toBe(2);
  });

  it('is tried in the settings without a thread more for each try', async () => {
    const { disk, calls, answer } = hangingDisk();
    const guard = guardOf(disk, [two]);
    for (let tries = 0; tries < 3; tries += 1) {
      guard.watch([two, one]);
      const outcome = outcomeOf(guard.disk.identify(join(one, 'any')));
      await clock.advanceAsync(LATE_MS);
      expect(await outcome).toBe('ETIMEDOUT');
      guard.watch([two]);
    }
    expect(calls.begun).toBe(1);
    answer();
  });
});

it('of one disk nothing is late: there is no other to go on with', async () => {
  const { disk, answer } = hangingDisk();
  const { disk: guarded } = guardOf(disk, [one]);
  const outcome = outcomeOf(guarded.identify(join(one, 'any')));
  await clock.advanceAsync(10 * LATE_MS);
  expect(clock.next()).toBeNull();
  answer();
  expect(await outcome).toBe('answered');
});

it('a process that was stopped itself takes the answers that came meanwhile', async () => {
  const { disk, answer } = hangingDisk();
  const { disk: guarded } = guardOf(disk);
  const outcome = outcomeOf(guarded.identify(join(one, 'any')));
  // The timers of the time in which it was stopped come first.
  await clock.advanceAsync(ANSWERS_WITHIN_MS);
  answer();
  await clock.advanceAsync(LATE_MS);
  expect(await outcome).toBe('answered');
});
