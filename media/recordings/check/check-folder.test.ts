// Plants every kind of disagreement between files, indexes and catalog: all are found, repairs leave a clean folder and lose nothing that is whole.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyMedia } from '../../../tests/harness/ffprobe.ts';
import { Recorder } from '../../recorder/recorder.ts';
import { aacFormat, feed } from '../../recorder/synthetic-stream.fixture.ts';
import { checkFolder, type CheckSummary, type Finding } from './check-folder.ts';
import { writeCatalogEntry } from '../day-catalog.ts';
import { createDisk } from '../disk.ts';
import { type IndexRecord, readIndex } from '../index-record.ts';
import { dayFolder, indexPath, mediaPath } from '../recording-path.ts';
import { Recordings } from '../recordings.ts';
import { scanFolder } from '../scan-folder.ts';
import type { FindingKind } from './verify-file.ts';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? '2');
const START_MS = Date.UTC(2026, 4, 1, 12);
const KEY = { channelId: 'cam1', quality: 0 } as const;
const disk = createDisk();

let root: string;
let template: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'check-'));
  template = join(root, 'template');
  const recordings = new Recordings({
    disk,
    folder: template,
    limits: { budgetBytes: 1e12, reserveBytes: 0 },
    rules: { retentionDays: () => null, quotaBytes: () => null, isLocked: () => false },
    knownId: null,
    newId: () => 'disk1',
    writer: { self: 'this', isGone: () => Promise.resolve(true) },
    wallMs: () => START_MS,
    monotonicMs: () => performance.now(),
    log: { info: () => undefined, warn: () => undefined },
  });
  await recordings.check();
  for (let n = 0; n < 3; n += 1) {
    const recorder = new Recorder({
      disk,
      key: KEY,
      sink: recordings,
      monotonicMs: () => performance.now(),
      wait: () => Promise.resolve(),
      newRunId: () => n + 1,
      onFault: (error) => {
        throw error;
      },
    });
    feed(recorder, { startMs: START_MS + n * 60_000, seconds: 8, audio: n === 1 ? aacFormat : null });
    await recorder.close();
  }
  await recordings.close();
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function check(folder: string, isRepairing = false): Promise<CheckSummary & { list: Finding[] }> {
  const list: Finding[] = [];
  const onFinding = (finding: Finding) => list.push(finding);
  return { ...(await checkFolder({ disk, folder, isRepairing, isInUse: false, onFinding })), list };
}

interface Planted {
  readonly folder: string;
  readonly media: string;
  readonly index: string;
  readonly catalog: string;
  readonly startMs: number;
  readonly size: number;
  /** Below one. */
  readonly share: number;
}

const flip = async (path: string, at: number): Promise<void> => {
  const file = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, at);
  byte.writeUInt8(byte.readUInt8(0) ^ 0xff, 0);
  await file.write(byte, 0, 1, at);
  await file.close();
};

type Loss = 'none' | 'one' | 'tail' | 'all';

/** What is planted, what it is told as, and how many fragments of the file may be lost by it. */
const CASES: readonly [string, FindingKind, (one: Planted) => Promise<void>, Loss][] = [
  ['a file is gone', 'orphanRow', ({ media, index }) => rm(media).then(() => rm(index)), 'all'],
  ['a file is gone and its index stayed', 'orphanIndex', ({ media }) => rm(media), 'all'],
  ['an index is gone', 'noIndex', ({ index }) => rm(index), 'none'],
  ['a file that no catalog names', 'notInCatalog', ({ catalog }) => writeFile(catalog, ''), 'none'],
  ['a file is cut', 'shortFile', ({ media, size, share }) => truncate(media, Math.floor(size * share)), 'tail'],
  ['a file is empty', 'badBoxes', ({ media }) => truncate(media, 0), 'all'],
  ['garbage behind the last fragment', 'wrongSize', ({ media }) => appendFile(media, Buffer.alloc(999, 0xa5)), 'none'],
  [
    'a row of the index is damaged',
    'badIndex',
    ({ index, share }) => flip(index, 32 + Math.floor(share * 500)),
    'none',
  ],
  ['the last rows of the index are gone', 'badIndex', ({ index }) => truncate(index, 32 * 4 + 9), 'none'],
  ['the header of the index is damaged', 'badIndex', ({ index }) => flip(index, 24), 'none'],
  ['the index of another file', 'badIndex', ({ folder, index, startMs }) => cp(other(folder, startMs), index), 'none'],
  [
    'the boxes of a fragment are damaged',
    'badBoxes',
    async ({ media, index, share }) => {
      const records = await indexedRecords(index);
      const at = records[Math.floor(share * records.length)]?.offset ?? 0;
      await flip(media, at + 32 + 5);
    },
    'one',
  ],
  [
    'a picture is damaged at its lengths',
    'badBoxes',
    async ({ media, index, share }) => {
      const records = await indexedRecords(index);
      const at = records[Math.floor(share * records.length)]?.offset ?? 0;
      const bytes = await readFile(media);
      await flip(media, bytes.indexOf('mdat', at, 'latin1') + 4);
    },
    'one',
  ],
  ['ftyp and moov are damaged', 'wrongInit', ({ media }) => flip(media, 200), 'none'],
  [
    'the catalog names a wrong size',
    'shortFile',
    async ({ catalog, startMs, size }) => {
      const entry = { startMs, endMs: startMs + 8000, mediaBytes: size + 5, records: 16 };
      await appendFile(catalog, writeCatalogEntry(entry));
    },
    'none',
  ],
];

function other(folder: string, startMs: number): string {
  return indexPath(folder, KEY, startMs === START_MS ? START_MS + 60_000 : START_MS);
}

it('finds no fault in what the recorder wrote', async () => {
  expect(await check(template)).toMatchObject({ files: 3, fragments: 48, found: 0, repaired: 0 });
});

it(`[FT-40] [GO-24] all of ${CASES.length * ROUNDS} planted disagreements are found, told, and mended without loss`, async () => {
  let planted = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [title, kind, plant, loss] of CASES) {
      const folder = join(root, `case-${planted}`);
      await cp(template, folder, { recursive: true });
      const startMs = START_MS + Math.floor(Math.random() * 3) * 60_000;
      const media = mediaPath(folder, KEY, startMs);
      const size = (await stat(media)).size;
      const share = 0.1 + 0.85 * Math.random();
      const index = indexPath(folder, KEY, startMs);
      const catalog = `${dayFolder(folder, KEY, startMs)}/catalog`;
      const before = await indexedRecords(index);
      await plant({ folder, media, index, catalog, startMs, size, share });
      planted += 1;
      const where = `${title} at ${share} of ${startMs - START_MS}`;
      const found = await check(folder);
      expect(found.findings[kind], where).toBeGreaterThan(0);
      expect(found.repaired).toBe(0);
      const mended = await check(folder, true);
      expect(mended.repaired, where).toBe(mended.found);
      const after = await check(folder);
      // Damage inside ftyp and moov stays: there is nothing to mend it with, and the pictures are whole.
      if (kind !== 'wrongInit') expect(after.list, where).toEqual([]);
      const kept = loss === 'all' ? [] : await indexedRecords(index);
      const cutAt = size * share;
      expectLoss(loss, { before, kept, cutAt, where });
      if (loss === 'none' && kind !== 'wrongInit') expect((await verifyMedia(media)).errors, where).toBe('');
      await rm(folder, { recursive: true });
    }
  }
  process.stdout.write(`check: ${JSON.stringify({ planted })}\n`);
}, 120_000);

async function indexedRecords(index: string): Promise<readonly IndexRecord[]> {
  return readIndex(await readFile(index))?.records ?? [];
}

interface RecordsOfRepair {
  readonly before: readonly IndexRecord[];
  readonly kept: readonly IndexRecord[];
  /** Where a cut file ends. */
  readonly cutAt: number;
  readonly where: string;
}

function expectLoss(loss: Loss, { before, kept, cutAt, where }: RecordsOfRepair): void {
  const lost = before.filter(({ offset }) => !kept.some((one) => one.offset === offset));
  if (loss === 'none') expect(lost, where).toEqual([]);
  if (loss === 'one') expect(lost, where).toHaveLength(1);
  if (loss === 'tail') {
    const whole = before.filter((one) => one.offset + one.videoBytes <= cutAt);
    expect(kept.length, where).toBe(whole.length);
  }
}

it('[FT-40] short and missing files are found in the background after a start', async () => {
  const folder = join(root, 'start');
  await cp(template, folder, { recursive: true });
  const size = (await stat(mediaPath(folder, KEY, START_MS))).size;
  await truncate(mediaPath(folder, KEY, START_MS), Math.floor(size / 2));
  await rm(mediaPath(folder, KEY, START_MS + 60_000));
  const warnings: object[] = [];
  const recordings = new Recordings({
    disk,
    folder,
    limits: { budgetBytes: 1e12, reserveBytes: 0 },
    rules: { retentionDays: () => null, quotaBytes: () => null, isLocked: () => false },
    knownId: 'disk1',
    newId: () => 'disk2',
    writer: { self: 'this', isGone: () => Promise.resolve(true) },
    wallMs: () => START_MS + 180_000,
    monotonicMs: () => performance.now(),
    log: { info: () => undefined, warn: (fields) => warnings.push(fields) },
  });
  await recordings.check();
  await expect.poll(() => warnings, { timeout: 10_000 }).toMatchObject([{ repaired: 1 }]);
  const files = recordings.store.files(KEY, 0, 2e12);
  expect(files.map((file) => file.startMs)).toEqual([START_MS, START_MS + 120_000]);
  expect((files[0]?.endMs ?? 0) - START_MS).toBeLessThan(8000);
  await recordings.close();
  expect((await check(folder)).findings).toMatchObject({ shortFile: 0, badBoxes: 0 });
});

it('[FT-40] the command reports its findings in one JSON line and repairs on request', async () => {
  const folder = join(root, 'command');
  await cp(template, folder, { recursive: true });
  await truncate(mediaPath(folder, KEY, START_MS), 5000);
  await mkdir(join(folder, 'cam1', '0', '20260502'));
  await writeFile(indexPath(folder, KEY, START_MS + 86_400_000), 'an index');
  const run = async (...args: string[]) => {
    const script = new URL('../../../site/main-check.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [script, '--recordings', folder, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return { code: code as number, summary: JSON.parse(output.trim().split('\n').at(-1) ?? '') as CheckSummary };
  };
  expect(await run()).toMatchObject({ code: 1, summary: { found: 2, repaired: 0, findings: { orphanIndex: 1 } } });
  expect(await run('--repair')).toMatchObject({ code: 0, summary: { found: 2, repaired: 2 } });
  expect(await run()).toMatchObject({ code: 0, summary: { found: 0, files: 3 } });
  expect((await scanFolder({ disk, folder, onFault: () => undefined })).tracks[0]?.entries).toHaveLength(3);
  expect(await run('--nonsense').catch(() => 'no summary')).toBe('no summary');
});
