// Every single disk operation fails once: what it touched is given up and told, and nothing that is claimed as stored fails to verify.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFolder, type Finding } from '@vedette/media/recordings/check-folder.ts';
import { createDisk, type Disk, type DiskFile } from '@vedette/media/recordings/disk.ts';
import { readIndex } from '@vedette/media/recordings/index-record.ts';
import { indexPath } from '@vedette/media/recordings/recording-path.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FedRecorder, PICTURE_MS } from '../harness/fed-recorder.ts';
import { waitFor } from '../harness/wait-for.ts';

const START_MS = Date.UTC(2026, 4, 1);
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

/** Two files, the first of which is removed again by the budget, and a note. */
async function scenario(folder: string, failing: Operation | null, nth: number) {
  const { disk, counts } = faultyDisk(failing, nth);
  const fed = await FedRecorder.open({ folder, disk, budgetBytes: 30_000, fillerBytes: 500 });
  // A folder that could not be opened is tried again, as the site does.
  await waitFor('the storage', async () => {
    await fed.recordings.check();
    return fed.recordings.isWritable;
  });
  const { recorder, key } = fed.first;
  fed.feed(START_MS, 2);
  fed.feed(START_MS + 100_000, 2);
  fed.recordings.note(key, { kind: 'alarm', startMs: START_MS, endMs: START_MS + 1000 });
  // Without this the newest half second is written at the close, which tries once.
  recorder.rest();
  await waitFor('the disk to have it', () => recorder.queuedBytes === 0);
  await fed.recordings.check();
  await fed.recordings.check();
  await recorder.close();
  const claimed = fed.recordings.store.files(key, 0, 1e15);
  const { picturesStored } = recorder.report().counters;
  await fed.recordings.close();
  return { key, claimed, picturesStored, counts, faults: fed.faults.length };
}

it('[FT-14] EIO at the n-th write, sync, creation, append, rename and unlink, for every n: 0 rows that do not verify', async () => {
  const whole = (await scenario(join(root, 'whole'), null, 0)).counts;
  const planned = OPERATIONS.flatMap((operation) =>
    Array.from({ length: whole.get(operation) ?? 0 }, (_, n) => ({ operation, nth: n + 1 })),
  );
  expect(whole.get('unlink')).toBeGreaterThan(4);
  const waiting = planned.values();
  let told = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { operation, nth } of waiting) told += await oneFault(operation, nth);
    }),
  );
  const runs = planned.length;
  process.stdout.write(`disk-errors: ${JSON.stringify({ operations: Object.fromEntries(whole), runs, told })}\n`);
}, 300_000);

/** Answers how many faults were told. */
async function oneFault(operation: Operation, nth: number): Promise<number> {
  const where = `${operation} ${nth}`;
  const folder = join(root, `${operation}-${nth}`);
  const { key, claimed, picturesStored, faults } = await scenario(folder, operation, nth);
  expect(picturesStored, where).toBe(4000 / PICTURE_MS);
  for (const { startMs, endMs } of claimed) {
    const index = readIndex(await readFile(indexPath(folder, key, startMs)));
    const last = index?.records.at(-1);
    const lastEndMs = last ? last.wallMs + last.durationTicks / 90 : startMs;
    expect(lastEndMs, where).toBeGreaterThanOrEqual(endMs - 1);
  }
  const found: Finding[] = [];
  await check(folder, false, (finding) => found.push(finding));
  // A file that was given up has no line in the catalog, and may have bytes behind its last row; each row verifies.
  const bad = found.filter(({ kinds }) => !kinds.includes('notInCatalog') && !isLeftover(kinds));
  expect(bad, where).toEqual([]);
  await check(folder, true);
  expect((await check(folder, false)).found, where).toBe(0);
  return faults;
}

function check(folder: string, isRepairing: boolean, onFinding: (finding: Finding) => void = () => undefined) {
  return checkFolder({ disk: createDisk(), folder, isRepairing, isInUse: false, onFinding });
}

/** What a removal that was broken off leaves: told, mended by the checker, never shown as footage. */
function isLeftover(kinds: Finding['kinds']): boolean {
  return kinds.length === 1 && (kinds[0] === 'orphanIndex' || kinds[0] === 'orphanRow');
}
