// One writer per storage folder: a process that was frozen or replaced writes nothing more, and nobody waits for a dead one.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDisk, type Disk } from './disk.ts';
import { WriterLease } from './writer-lease.ts';

const disk = createDisk();
let folder: string;
let now = 0;
let gone: Set<string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lease-'));
  now = 0;
  gone = new Set();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function leaseOf(self: string, more: Partial<Disk> = {}) {
  const facts = { self, isGone: (other: string) => Promise.resolve(gone.has(other)) };
  return new WriterLease({ disk: { ...disk, ...more }, folder, facts, monotonicMs: () => now });
}

describe('[FT-21] the lease of a storage folder', () => {
  it('is refused to a second process while the first renews, and free at once when it ended', async () => {
    const [one, two] = [leaseOf('one'), leaseOf('two')];
    expect(await one.renew()).toBe('taken');
    for (let n = 0; n < 20; n += 1) {
      now += 3000;
      expect(await one.renew()).toBe('renewed');
      expect(await two.renew()).toBe('refused');
    }
    expect([one.isHeld, two.isHeld]).toEqual([true, false]);
    await one.release();
    expect(await two.renew()).toBe('regained');
    gone.add('two');
    expect(await leaseOf('three').renew()).toBe('taken');
    expect(await readdir(folder)).toEqual(['vedette-writer-2']);
  });

  it('passes from a frozen process, which notices before its next write', async () => {
    const [one, two] = [leaseOf('one'), leaseOf('two')];
    await one.renew();
    await two.renew();
    for (; now < 14_000; now += 1000) expect(await two.renew()).toBe('refused');
    now = 15_000;
    // Nobody may hold it twice, whenever they look.
    expect(one.isHeld).toBe(false);
    expect(await two.renew()).toBe('regained');
    expect(await one.renew()).toBe('refused');
    expect([one.isHeld, two.isHeld]).toEqual([false, true]);
    await two.release();
    // What it still holds in memory is of a time that the other one recorded.
    expect(await one.renew()).toBe('regained');
  });

  it('is acquired by exactly one of many concurrent processes', async () => {
    const many = Array.from({ length: 20 }, (_, n) => leaseOf(`p${n}`));
    const outcomes = await Promise.all(many.map((lease) => lease.renew()));
    expect(outcomes.filter((one) => one === 'taken')).toHaveLength(1);
  });

  it('is held on a full disk too, by its file name alone', async () => {
    const openFile = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const full = leaseOf('one', { openFile });
    expect(await full.renew()).toBe('taken');
    now += 3000;
    expect(await full.renew()).toBe('renewed');
    expect(await leaseOf('two').renew()).toBe('refused');
  });
});
