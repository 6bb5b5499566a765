// Every single disk operation fails once: the affected data is dropped and reported, and nothing reported as stored fails to verify.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk, type Disk, type DiskFile } from '@vedette/media/recordings/disk.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { brokenClaims } from '../harness/broken-claims.ts';
import { FRAMES_FED, recordToFail } from '../harness/recording-to-fail.ts';

const OPERATIONS = ['write', 'sync', 'create', 'append', 'rename', 'unlink', 'syncFolder', 'makeFolder'] as const;
/** Each waits for its disk most of the time. */
const AT_ONCE = 8;
type Operation = (typeof OPERATIONS)[number];

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'eio-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** The n-th operation of a kind fails with EIO; `counts` tells how many there were. */
function faultyDisk(failing: Operation | null, nth: number) {
  const real = createDisk();
  const counts = new Map<Operation, number>();
  const pass = async <T>(operation: Operation, work: () => Promise<T>): Promise<T> => {
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    if (operation === failing && count === nth) throw Object.assign(new Error('planted'), { code: 'EIO' });
    return await work();
  };
  const wrap = (file: DiskFile): DiskFile => ({
    read: (buffer, at) => file.read(buffer, at),
    truncate: (length) => file.truncate(length),
    size: () => file.size(),
    close: () => file.close(),
    sync: () => pass('sync', () => file.sync()),
    writeAll: (buffers, at) => pass('write', () => file.writeAll(buffers, at)),
  });
  const disk: Disk = {
    ...real,
    createFile: (path) => pass('create', async () => wrap(await real.createFile(path))),
    openFile: async (path, access) => wrap(await real.openFile(path, access)),
    appendLine: (path, bytes) => pass('append', () => real.appendLine(path, bytes)),
    replaceFile: (path, bytes) => pass('rename', () => real.replaceFile(path, bytes)),
    removeFile: (path) => pass('unlink', () => real.removeFile(path)),
    syncFolder: (path) => pass('syncFolder', () => real.syncFolder(path)),
    makeFolder: (path) => pass('makeFolder', () => real.makeFolder(path)),
  };
  return { disk, counts };
}

it('[FT-14] EIO at the n-th write, sync, creation, append, rename and unlink, for every n: 0 index rows fail verification', async () => {
  const whole = await countsOf(join(root, 'whole'));
  const planned = OPERATIONS.flatMap((operation) =>
    Array.from({ length: whole.get(operation) ?? 0 }, (_, n) => ({ operation, nth: n + 1 })),
  );
  expect(whole.get('unlink')).toBeGreaterThan(4);
  const waiting = planned.values();
  let reported = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { operation, nth } of waiting) reported += await oneFault(operation, nth);
    }),
  );
  const runs = planned.length;
  process.stdout.write(
    `disk-errors: ${JSON.stringify({ operations: Object.fromEntries(whole), runs, told: reported })}\n`,
  );
}, 300_000);

/** Of each operation, where none fails. */
async function countsOf(folder: string): Promise<ReadonlyMap<Operation, number>> {
  const { disk, counts } = faultyDisk(null, 0);
  await recordToFail(folder, disk);
  return counts;
}

/** Answers how many faults were told. */
async function oneFault(operation: Operation, nth: number): Promise<number> {
  const where = `${operation} ${nth}`;
  const folder = join(root, `${operation}-${nth}`);
  const { key, claimed, framesStored, faults } = await recordToFail(folder, faultyDisk(operation, nth).disk);
  expect(framesStored, where).toBe(FRAMES_FED);
  expect(await brokenClaims(folder, key, claimed), where).toEqual([]);
  return faults;
}
