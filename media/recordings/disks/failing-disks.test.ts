// Disks with errors: the only one of a site is looked at and used again, one of several is left out only once it clearly failed.
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordClip } from '../../recorder/file-recorder.fixture.ts';
import { createDisk, type Disk } from '../disk.ts';
import type { TrackKey } from '../recording-path.ts';
import { RecordingDisks } from './recording-disks.ts';

const KEY: TrackKey = { channelId: 'camera1', quality: 0 };
const NOW_MS = Date.UTC(2026, 10, 27, 12);
const EIO = Object.assign(new Error('planted'), { code: 'EIO' });

const real = createDisk();
let root: string;
let one: string;
let two: string;
let clock: FakeClock;
let recordings: RecordingDisks;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'failing-'));
  [one, two] = [join(root, 'one'), join(root, 'two')];
  clock = new FakeClock(NOW_MS);
});
afterEach(async () => {
  await recordings.close();
  await rm(root, { recursive: true, force: true });
});

async function site(folders: readonly string[], disk: Disk = real): Promise<void> {
  const known = new Map<string, string>();
  recordings = new RecordingDisks({
    disk,
    clock,
    disks: folders.map((folder) => ({ folder, budgetBytes: 1e12, isEmptying: false })),
    reserveBytes: 0,
    rules: { retentionDays: () => null, quotaBytes: () => null, isLocked: () => false },
    knownId: (folder) => known.get(folder) ?? null,
    isKnownId: () => false,
    newId: () => `id${Math.random()}`,
    writer: { self: 'test', isGone: async () => true },
    wallMs: () => clock.wallMs(),
    monotonicMs: () => clock.monotonicMs(),
    log: { info: () => undefined, warn: () => undefined },
  });
  await recordings.check();
}

/** A file failed, and the look at the disk that follows is over. */
async function fail(folder: string): Promise<void> {
  recordings.failed(EIO, folder);
  await recordings.check();
}

const writable = (): readonly boolean[] => recordings.disks.map(({ isWritable }) => isWritable);
const gapsOf = (): readonly string[] =>
  recordings.store.gaps(KEY, { from: 0, to: clock.wallMs() }, clock.wallMs()).map(({ reason }) => reason);
const recordOn = async (folder: string): Promise<void> => {
  const { store } = recordings;
  await recordClip({ disk: real, folder, store, key: KEY }, { startMs: NOW_MS - 60_000, seconds: 8, audio: null });
};

describe('the only disk of a site', () => {
  it('takes nothing from an error until it was looked at, and goes on however often files fail', async () => {
    await site([one]);
    for (let errors = 0; errors < 5; errors += 1) {
      recordings.failed(EIO, one);
      expect(recordings.isWritable).toBe(false);
      expect(() => recordings.folderForWriting(KEY, NOW_MS)).toThrow('failing');
      await recordings.check();
      expect(recordings.folderForWriting(KEY, NOW_MS)).toBe(one);
    }
  });

  it('is looked at again where an error came while a look ended', async () => {
    await site([one]);
    const [only] = recordings.disks;
    const look = recordings.check().then(() => recordings.failed(EIO, one));
    await look;
    await expect.poll(() => only?.isWritable).toBe(true);
  });

  it('is told as missing, and what it holds not as away', async () => {
    await site([one]);
    await recordOn(one);
    await rename(one, `${one}-out`);
    await recordings.check();
    expect(recordings.state).toBe('missing');
    expect(gapsOf()).not.toContain('diskAway');
    expect(recordings.store.spans(KEY, 0, clock.wallMs())).toHaveLength(1);
    await rename(`${one}-out`, one);
    await recordings.check();
    expect(recordings.store.spans(KEY, 0, clock.wallMs())).toHaveLength(1);
  });

  it('is away as soon as there is another, and no more when that is gone', async () => {
    await site([one]);
    await recordOn(one);
    await rename(one, `${one}-out`);
    await recordings.check();
    const [first, second] = [one, two].map((folder) => ({ folder, budgetBytes: 1e12, isEmptying: false }));
    if (!first || !second) throw new Error('two disks');
    await recordings.set([first, second], 0);
    expect(gapsOf()).toContain('diskAway');
    expect(recordings.store.spans(KEY, 0, clock.wallMs())).toEqual([]);
    await recordings.set([first], 0);
    expect(gapsOf()).not.toContain('diskAway');
    await rename(`${one}-out`, one);
  });
});

describe('one disk of several', () => {
  it('stays in use after one error, is left out after three in a minute, and tried again after one more', async () => {
    await site([one, two]);
    recordings.failed(EIO, one);
    expect([recordings.takesMore(one), ...writable()]).toEqual([true, true, true]);
    await recordings.check();
    expect(writable()).toEqual([true, true]);
    await fail(one);
    await fail(one);
    expect(writable()).toEqual([false, true]);
    expect(recordings.takesMore(one)).toBe(false);
    expect(recordings.health().disks?.map(({ reason }) => reason)).toEqual(['refused', null]);
    clock.advance(30_000);
    await recordings.check();
    expect(writable()).toEqual([false, true]);
    clock.advance(30_000);
    await recordings.check();
    expect(writable()).toEqual([true, true]);
  });

  it('is left out at once where its test fails too, and is back when that succeeds', async () => {
    let isBroken = false;
    const createFile: Disk['createFile'] = async (path) => {
      if (isBroken && path.startsWith(`${one}/`)) throw EIO;
      return await real.createFile(path);
    };
    await site([one, two], { ...real, createFile });
    isBroken = true;
    await fail(one);
    expect(writable()).toEqual([false, true]);
    isBroken = false;
    await recordings.check();
    expect(writable()).toEqual([true, true]);
  });

  it('is used however doubtful while no other takes recordings', async () => {
    await site([one, two]);
    await rename(two, `${two}-out`);
    await recordings.check();
    for (let errors = 0; errors < 4; errors += 1) await fail(one);
    expect(writable()).toEqual([true, false]);
    await rename(`${two}-out`, two);
  });
});
