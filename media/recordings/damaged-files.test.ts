// Changes recorded files, their indexes and catalogs on the disk in every way a disk or a person may: none of it is served as good.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mp4Error } from '@vedette/protocols/mp4/box-reader.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultRounds } from '../../tests/harness/fault-rounds.ts';
import { planExport } from '../export/export-plan.ts';
import { SourceReader } from '../export/source-reader.ts';
import { planWindow } from '../playback/playback-plan.ts';
import { readKeyframe, readStoredSegment } from '../playback/stored-fragments.ts';
import { readInit, readSegment } from '../playback/stored-media.ts';
import { recordClip } from '../recorder/file-recorder.fixture.ts';
import { aacFormat } from '../recorder/synthetic-stream.fixture.ts';
import { checkFolder } from './check/check-folder.ts';
import { createDisk } from './disk.ts';
import { recordEndMs } from './index-record.ts';
import { dayFolder, indexPath, mediaPath, type TrackKey } from './recording-path.ts';
import { RecordingsStore } from './recordings-store.ts';
import { repairFile } from './repair-file.ts';
import { scanFolder } from './scan-folder.ts';

const ROUNDS = faultRounds(60, 1000);
const START_MS = Date.UTC(2026, 4, 1, 12);
const KEY = { channelId: 'cam1', quality: 0 } as const;
const OTHER = { channelId: 'cam2', quality: 0 } as const;
const RANGE = { startMs: START_MS, endMs: START_MS + 60_000 };
const VERSION_1 = new URL('fixtures/version-1', import.meta.url).pathname;
const disk = createDisk();

let root: string;
let template: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'damaged-'));
  template = join(root, 'template');
  mkdirSync(template);
  const store = new RecordingsStore({ disk, folder: template });
  await recordClip({ disk, folder: template, store, key: KEY }, { startMs: START_MS, seconds: 8, audio: aacFormat });
  await recordClip({ disk, folder: template, store, key: OTHER }, { startMs: START_MS, seconds: 8, audio: null });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Everything that a viewer or an export can be given of the window, by its name. */
type Given = ReadonlyMap<string, Buffer>;

async function openFolder(folder: string): Promise<RecordingsStore> {
  const store = new RecordingsStore({ disk, folder });
  store.load((await scanFolder({ disk, folder, onFault: () => undefined })).tracks);
  return store;
}

async function giveAll(store: RecordingsStore, key: TrackKey): Promise<Given> {
  const given = new Map<string, Buffer>();
  const media = { disk, store, key };
  const tryTo = async (name: string, read: () => Promise<Buffer>): Promise<void> => {
    try {
      given.set(name, await read());
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  };
  const { segments } = await planWindow({ store, key, ...RANGE });
  for (const segment of segments) {
    const index = await store.readIndex(key, segment.fileStartMs);
    if (!index) continue;
    const { fileStartMs, firstRecord } = segment;
    await tryTo(`init ${fileStartMs}`, () => readInit(media, { fileStartMs, hasAudio: true }));
    await tryTo(`key ${firstRecord}`, () => readKeyframe(media, index, segment));
    await tryTo(`segment ${firstRecord}`, () => readStoredSegment(media, index, segment));
    const ref = { ...segment, positionTicks: 0, hasAudio: false };
    await tryTo(`hls ${firstRecord}`, async () => Buffer.concat(await readSegment(media, index, ref)));
  }
  await exportAll(store, key, given);
  return given;
}

async function exportAll(store: RecordingsStore, key: TrackKey, given: Map<string, Buffer>): Promise<void> {
  const reader = new SourceReader(disk, store, key);
  try {
    for (const { pieces } of (await planExport({ store, key, ...RANGE })).parts) {
      for (const piece of pieces) {
        const { video } = await reader.head(piece);
        const length = video.samples.reduce((sum, { size }) => sum + size, 0);
        given.set(`export ${piece.record.wallMs}`, await reader.read(piece.fileStartMs, video.dataAt, length));
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof Mp4Error)) throw error;
  } finally {
    await reader.close();
  }
}

/** What is given is what was recorded, or its beginning; answers whether anything is missing. */
function lacks(given: Given, whole: Given): boolean {
  for (const [name, bytes] of given) {
    const good = whole.get(name);
    expect(good, name).toBeDefined();
    expect(good?.subarray(0, bytes.length).equals(bytes), `${name} is as it was recorded`).toBe(true);
  }
  return [...whole].some(([name, bytes]) => given.get(name)?.length !== bytes.length);
}

async function findings(folder: string): Promise<string[]> {
  const kinds: string[] = [];
  const onFinding = (one: { readonly kinds: readonly string[] }) => kinds.push(...one.kinds);
  await checkFolder({ disk, folder, isRepairing: false, isInUse: false, onFinding });
  return kinds;
}

const damage = (store: RecordingsStore) => store.notes(KEY).filter(({ kind }) => kind === 'damaged');

it(`[FT-52] each of ${ROUNDS} flipped bits in a recorded file or its index is found when it is read, and nothing damaged is served`, async () => {
  const whole = await giveAll(await openFolder(template), KEY);
  expect(whole.size).toBeGreaterThan(10);
  const paths = [mediaPath, indexPath].map((of) => of('', KEY, START_MS));
  const counts = { flips: 0, found: 0, reported: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = join(root, 'flipped');
    rmSync(folder, { recursive: true, force: true });
    cpSync(template, folder, { recursive: true });
    const path = join(folder, paths[round % 4 === 3 ? 1 : 0] ?? '');
    const bytes = readFileSync(path);
    const bit = Math.floor(Math.random() * bytes.length * 8);
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    // As a running site meets it: the list was read while all was well.
    const store = await openFolder(folder);
    writeFileSync(path, bytes);
    const where = `bit ${bit} of ${path}`;
    expect(lacks(await giveAll(store, KEY), whole), where).toBe(true);
    counts.flips += 1;
    if (damage(store).length > 0) counts.reported += 1;
    if ((await findings(folder)).length > 0) counts.found += 1;
  }
  expect(counts).toEqual({ flips: ROUNDS, found: ROUNDS, reported: ROUNDS });
  process.stdout.write(`bit flips: ${JSON.stringify(counts)}\n`);
}, 600_000);

it('[FT-52] damaged recordings are a gap with its reason, what follows the next keyframe is played, and so after a restart', async () => {
  const folder = join(root, 'gap');
  cpSync(template, folder, { recursive: true });
  const store = await openFolder(folder);
  const records = (await store.readIndex(KEY, START_MS))?.records ?? [];
  const [, , , , struck] = records;
  if (!struck) throw new Error('too few fragments');
  const bytes = readFileSync(mediaPath(folder, KEY, START_MS));
  bytes.writeUInt8(bytes.readUInt8(struck.offset + struck.videoBytes - 9) ^ 1, struck.offset + struck.videoBytes - 9);
  writeFileSync(mediaPath(folder, KEY, START_MS), bytes);
  expect(lacks(await giveAll(store, KEY), await giveAll(await openFolder(template), KEY))).toBe(true);
  const next = records.find(({ wallMs, flags }) => wallMs > struck.wallMs && (flags & 1) !== 0);
  const hole = { startTime: struck.wallMs, endTime: next?.wallMs };
  const range = { from: START_MS, to: START_MS + 8000 };
  expect(store.gaps(KEY, range, START_MS + 8000)).toEqual([{ ...hole, reason: 'damaged' }]);
  expect(store.spans(KEY, range.from, range.to).map(({ startTime, endTime }) => [startTime, endTime])).toEqual([
    [START_MS, hole.startTime],
    [hole.endTime, START_MS + 8000],
  ]);
  const planned = await planWindow({ store, key: KEY, ...RANGE });
  expect(planned.segments.map(({ wallMs, endMs }) => [wallMs, Math.round(endMs)])).not.toContainEqual([
    struck.wallMs,
    expect.any(Number),
  ]);
  expect(planned.segments.at(-1)?.endMs).toBeCloseTo(recordEndMs(records.at(-1) ?? struck), 3);
  await store.writeNotes();
  const again = await openFolder(folder);
  expect(again.gaps(KEY, range, START_MS + 8000)).toEqual([{ ...hole, reason: 'damaged' }]);
});

it('[SE-76] a file of another channel under a name of ours shows nothing of it: media alone, index alone, both, and where the site lists it anew', async () => {
  const whole = await giveAll(await openFolder(template), KEY);
  for (const swapped of [['mp4'], ['idx'], ['mp4', 'idx'], ['mp4', 'idx', 'catalog']]) {
    for (const isListedBefore of [true, false]) {
      const folder = join(root, 'swapped');
      rmSync(folder, { recursive: true, force: true });
      cpSync(template, folder, { recursive: true });
      const before = isListedBefore ? await openFolder(folder) : null;
      for (const kind of swapped) {
        const name = kind === 'catalog' ? kind : `${START_MS}.${kind}`;
        cpSync(join(dayFolder(folder, OTHER, START_MS), name), join(dayFolder(folder, KEY, START_MS), name));
      }
      if (swapped.includes('catalog')) rmSync(indexPath(folder, KEY, START_MS));
      const store = before ?? (await openFolder(folder));
      expect(lacks(await giveAll(store, KEY), whole), swapped.join()).toBe(true);
      expect(await findings(folder), swapped.join()).not.toEqual([]);
      // An index that is gone is what retention leaves for a moment.
      if (isListedBefore && swapped.includes('catalog')) continue;
      expect(store.spans(KEY, 0, 2e12).length === 0 || damage(store).length > 0, 'it is told').toBe(true);
    }
  }
});

it('[SE-76] a file that was moved to another hour of its own channel is not played there, and stays on the disk', async () => {
  const folder = join(root, 'moved');
  cpSync(template, folder, { recursive: true });
  const movedMs = START_MS + 3_600_000;
  cpSync(mediaPath(folder, KEY, START_MS), mediaPath(folder, KEY, movedMs));
  cpSync(indexPath(folder, KEY, START_MS), indexPath(folder, KEY, movedMs));
  const faults: unknown[] = [];
  const { tracks } = await scanFolder({ disk, folder, onFault: (_, error) => faults.push(error) });
  expect(tracks.find(({ key }) => key.channelId === 'cam1')?.entries.map(({ startMs }) => startMs)).toEqual([START_MS]);
  expect(faults).toHaveLength(1);
  expect(readFileSync(mediaPath(folder, KEY, movedMs)).length).toBeGreaterThan(0);
  expect(await findings(folder)).toContain('foreign');
});

it('recordings of version 1, without checksums, are read, checked and repaired as before, and another file under the name is refused', async () => {
  const folder = join(root, 'version-1');
  cpSync(VERSION_1, folder, { recursive: true });
  const key = { channelId: 'old1', quality: 0 } as const;
  expect(await findings(folder)).toEqual([]);
  const whole = await giveAll(await openFolder(folder), key);
  expect([...whole.keys()].filter((name) => name.startsWith('segment'))).toHaveLength(2);
  rmSync(indexPath(folder, key, START_MS));
  const { entry } = await repairFile({ disk, folder, key, startMs: START_MS });
  expect(entry?.records).toBe(8);
  expect(readFileSync(indexPath(folder, key, START_MS))).toHaveLength(
    readFileSync(indexPath(VERSION_1, key, START_MS)).length,
  );
  expect(lacks(await giveAll(await openFolder(folder), key), whole)).toBe(false);
  cpSync(mediaPath(folder, { ...key, channelId: 'old2' }, START_MS), mediaPath(folder, key, START_MS));
  const store = await openFolder(folder);
  expect([...(await giveAll(store, key)).keys()]).toEqual([]);
});
