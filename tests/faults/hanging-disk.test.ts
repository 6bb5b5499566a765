// One of two recording disks stops answering, with calls that hold threads of this process for good: recording goes on within the other, and on both when it answers.
import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { createDisk, type Disk, type DiskFile } from '@vedette/media/recordings/disk.ts';
import { DiskGuard } from '@vedette/media/recordings/disks/disk-guard.ts';
import { RecordingDisks } from '@vedette/media/recordings/disks/recording-disks.ts';
import { Recorder } from '@vedette/media/recorder/recorder.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clip, syntheticUnits } from '../../media/recorder/synthetic-stream.fixture.ts';
import { brokenClaims } from '../harness/broken-claims.ts';
import { waitFor } from '../harness/wait-for.ts';

const FRAME_MS = 50;
/** Streams enough that both disks have some. */
const STREAMS = 8;
/** As many as libuv has without a setting. */
const THREADS = 4;
/** Bounds of the guard pass so much faster. */
const FASTER = 4;
const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / FASTER, run) };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hanging-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** From `hang` to `answer` each call below the folder opens a pipe that nobody writes to: the kernel keeps its thread. */
function hangableDisk(folder: string) {
  const real = createDisk({ syncsAtOnce: THREADS });
  const pipe = join(root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  let isHanging = false;
  const held = new Set<Promise<void>>();
  const hang = async (): Promise<void> => {
    const reader = await open(pipe, 'r');
    await reader.close();
  };
  const pass = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    if (isHanging && path.startsWith(folder)) {
      const call = hang().finally(() => held.delete(call));
      held.add(call);
      await call;
    }
    return await work();
  };
  const fileOf = (path: string, file: DiskFile): DiskFile => ({
    read: (buffer, at) => pass(path, () => file.read(buffer, at)),
    truncate: (length) => pass(path, () => file.truncate(length)),
    size: () => pass(path, () => file.size()),
    writeAll: (buffers, at) => pass(path, () => file.writeAll(buffers, at)),
    sync: () => pass(path, () => file.sync()),
    close: () => pass(path, () => file.close()),
  });
  const disk: Disk = {
    createFile: (path) => pass(path, async () => fileOf(path, await real.createFile(path))),
    openFile: (path, access) => pass(path, async () => fileOf(path, await real.openFile(path, access))),
    readWhole: (path) => pass(path, () => real.readWhole(path)),
    replaceFile: (path, bytes) => pass(path, () => real.replaceFile(path, bytes)),
    renameFile: (from, to) => pass(to, () => real.renameFile(from, to)),
    appendLine: (path, bytes) => pass(path, () => real.appendLine(path, bytes)),
    makeFolder: (path) => pass(path, () => real.makeFolder(path)),
    syncFolder: (path) => pass(path, () => real.syncFolder(path)),
    list: (path) => pass(path, () => real.list(path)),
    sizeOf: (path) => pass(path, () => real.sizeOf(path)),
    identify: (path) => pass(path, () => real.identify(path)),
    removeFile: (path) => pass(path, () => real.removeFile(path)),
    removeEmptyFolder: (path) => pass(path, () => real.removeEmptyFolder(path)),
    removeTree: (path) => pass(path, () => real.removeTree(path)),
    space: (path) => pass(path, () => real.space(path)),
  };
  return {
    disk,
    held,
    hang: () => {
      isHanging = true;
    },
    /** A writer opens the pipe for as long as somebody waits in it. */
    answer: async () => {
      isHanging = false;
      while (held.size > 0) await (await open(pipe, 'r+')).close();
    },
  };
}

function site(disk: Disk, folders: readonly [string, string]) {
  const known = new Map<string, string>();
  const recordings = new RecordingDisks({
    disk,
    clock,
    disks: folders.map((folder) => ({ folder, budgetBytes: 1e12, isEmptying: false })),
    reserveBytes: 0,
    rules: { retentionDays: () => null, quotaBytes: () => null, isLocked: () => false },
    knownId: (folder) => known.get(folder) ?? null,
    isKnownId: () => false,
    newId: () => `id${Math.random()}`,
    writer: { self: `site ${Math.random()}`, isGone: () => Promise.resolve(true) },
    wallMs: () => clock.wallMs(),
    monotonicMs: () => clock.monotonicMs(),
    log: { info: () => undefined, warn: () => undefined },
  });
  const streams = Array.from({ length: STREAMS }, (_, at) => {
    const key = { channelId: `camera${at}`, quality: 0 } as const;
    const recorder = new Recorder({
      disk,
      key,
      sink: recordings,
      monotonicMs: () => clock.monotonicMs(),
      wait: (ms, signal) => wait(clock, ms, signal),
      newRunId: () => at + 1,
      onFault: () => undefined,
      onMissing: (range) => recordings.note(key, { kind: 'disk', ...range }),
    });
    recorder.format(clip.format);
    return { key, recorder };
  });
  return { recordings, streams };
}

/** As cameras do, until the answer is called. */
function feed(streams: ReturnType<typeof site>['streams']): () => void {
  const units = syntheticUnits({ startMs: Date.now(), seconds: 1e6 });
  let next = units.next();
  const timer = setInterval(() => {
    for (; next.done !== true && next.value.wallMs <= Date.now(); next = units.next()) {
      for (const { recorder } of streams) recorder.accessUnit(next.value);
    }
    for (const { recorder } of streams) recorder.tick?.();
  }, FRAME_MS / 2);
  return () => clearInterval(timer);
}

it('a disk that hangs with its threads is left out: every stream goes on, and nothing is missing', async () => {
  const [one, two] = [join(root, 'one'), join(root, 'two')] as const;
  const hangable = hangableDisk(one);
  const guard = new DiskGuard({ disk: hangable.disk, clock, threads: THREADS });
  guard.watch([one, two]);
  const { recordings, streams } = site(guard.disk, [one, two]);
  await recordings.open();
  const looks = setInterval(() => void recordings.check(), 250);
  const end = feed(streams);
  const recordedUntil = (channelId: string): number =>
    recordings.store.files({ channelId, quality: 0 }, 0, 1e15).at(-1)?.endMs ?? 0;
  const areAllAt = (ms: number): boolean => streams.every(({ key }) => recordedUntil(key.channelId) >= ms);
  try {
    await waitFor('recordings on both', () => recordings.store.hasOpen(one) && recordings.store.hasOpen(two), 30_000);
    const hungMs = Date.now();
    hangable.hang();
    await waitFor('the disk to be left out', () => recordings.disks[0]?.condition.reason === 'hangs', 30_000);
    expect(recordings.disks[1]?.isWritable).toBe(true);
    // Leases end after ten seconds without a renewal.
    await waitFor('all streams to go on', () => areAllAt(hungMs + 15_000), 60_000);
    expect(hangable.held.size).toBeLessThanOrEqual(THREADS - 2);
    await hangable.answer();
    await waitFor('the disk to be back', () => recordings.disks[0]?.isWritable === true, 30_000);
    await waitFor('recordings after that', () => areAllAt(Date.now() - 3000), 30_000);
  } finally {
    end();
    await hangable.answer();
    await Promise.all(streams.map(({ recorder }) => recorder.close()));
    clearInterval(looks);
  }
  for (const { key, recorder } of streams) {
    const { picturesDroppedQueueFull, picturesDroppedUntilKey } = recorder.report().counters;
    expect([picturesDroppedQueueFull, picturesDroppedUntilKey], key.channelId).toEqual([0, 0]);
    expect(recordings.store.gaps(key, { from: 0, to: Date.now() }, Date.now()), key.channelId).toEqual([]);
  }
  const claims = streams.flatMap(({ key }) =>
    recordings.store.files(key, 0, 1e15).map((file) => ({ key, file, folder: file.folder ?? '' })),
  );
  await recordings.close();
  for (const folder of [one, two]) {
    for (const { key } of streams) {
      const ofKey = claims.filter((claim) => claim.folder === folder && claim.key === key).map(({ file }) => file);
      expect(await brokenClaims(folder, key, ofKey)).toEqual([]);
    }
  }
}, 240_000);
