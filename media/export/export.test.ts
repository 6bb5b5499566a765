// Proves exports with ffprobe, ffmpeg and an independent unzip as judges: exact ranges, gaps, sound, parts, hashes and the signed manifest.
import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyMedia, run } from '../../tests/harness/ffprobe.ts';
import { encodeStream, feedEncoded } from '../codec/encoded-stream.fixture.ts';
import { aacFormat, g711Format } from '../recorder/synthetic-stream.fixture.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import { ExportBench, KEY } from './export.fixture.ts';
import { DiskPower, fullDisk } from './faulty-disk.fixture.ts';
import { isManifestIntact } from './export-manifest.ts';

const START_MS = Date.UTC(2026, 2, 29, 0, 59, 0);
const FRAME_MS = 50;

let bench: ExportBench;

beforeEach(async () => {
  bench = await ExportBench.create();
});
afterEach(async () => {
  await bench.remove();
});

/** Pictures stand at every 50 ms from the start of the recording. */
function picturesIn(startMs: number, endMs: number): number {
  const first = Math.ceil((startMs - START_MS) / FRAME_MS);
  const after = Math.ceil((endMs - START_MS) / FRAME_MS);
  return after - first;
}

describe('one range', () => {
  test.each([
    ['at a keyframe', 2000, 50],
    ['at frames that follow a keyframe and are shown before it', 1600, 54],
    ['in the middle of a GOP', 2500, 45],
  ])('of an open GOP holds every frame and decodes from the first one on, beginning %s', async (_where, from, frames) => {
    const x265 = 'log-level=none:open-gop=1:scenecut=0:b-adapt=0';
    const encoder = ['-c:v', 'libx265', '-preset', 'fast', '-bf', '3', '-g', '20', '-x265-params', x265];
    const stream = await encodeStream({ codec: 'h265', size: '320x180', seconds: 8, fps: 10, encoder });
    const randomAccess = stream.samples.filter(({ isKey }) => isKey).map(({ data }) => ((data[4] ?? 0) >> 1) & 63);
    expect(randomAccess, 'CRA pictures behind the first IDR').toEqual([20, 21, 21, 21]);
    await bench.recordWith((consumer) => feedEncoded(consumer, stream, START_MS));
    await bench.exports.add(bench.order('task1', [START_MS + from, START_MS + 7000]));
    expect((await bench.settled('task1')).files[0]).toMatchObject({ pictures: frames, startTime: START_MS + from });
    const decoded = await run('ffmpeg', ['-v', 'warning', '-i', bench.dataPath('task1'), '-f', 'framemd5', '-']);
    expect(decoded.stderr).toBe('');
    expect(decoded.stdout.match(/^0,/gm)).toHaveLength(frames);
  });

  test.each([
    ['AAC', aacFormat, ['h264', 'aac']],
    ['G.711 as it was stored', g711Format, ['h264', 'pcm_alaw']],
    ['no sound', null, ['h264']],
  ])('is one MP4 that holds exactly its frames: %s', async (_title, audio, codecs) => {
    await bench.record(START_MS, 130, audio);
    const [from, to] = [START_MS + 10_330, START_MS + 95_080];
    await bench.exports.add(bench.order('task1', [from, to]));
    const report = await bench.settled('task1');
    expect(report).toMatchObject({ state: 'finished', percent: 100, code: null, gaps: [] });
    expect(report.name).toBe('Gate north 1 20260329T005910Z.mp4');
    const path = bench.dataPath('task1');
    const judgement = await verifyMedia(path);
    expect(judgement).toMatchObject({ codecs, frames: picturesIn(from, to), errors: '' });
    expect(judgement.durationS).toBeCloseTo((to - from) / 1000, 1);
    expect(report.files[0]).toMatchObject({ pictures: judgement.frames, startTime: START_MS + 10_350, item: 0 });
    const bytes = await readFile(path);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(report.sha256);
    expect(bytes.length).toBe(report.bytesTotal);
    if (audio) expect(await soundSeconds(path)).toBeCloseTo((to - from) / 1000, 0);
  });

  test('is seekable: moov is ahead of mdat and holds the time of day', async () => {
    await bench.record(START_MS, 60, aacFormat);
    await bench.exports.add(bench.order('task1', [START_MS + 5000, START_MS + 55_000]));
    await bench.settled('task1');
    const path = bench.dataPath('task1');
    const seek = ['-v', 'error', '-ss', '40', '-i', path, '-frames:v', '1', '-f', 'null', '-'];
    expect(await run('ffmpeg', seek)).toMatchObject({ code: 0, stderr: '' });
    const tags = await run('ffprobe', ['-v', 'error', '-show_entries', 'format_tags=creation_time', path]);
    expect(tags.stdout).toContain('2026-03-29T00:59:05');
    const start = (await readFile(path)).subarray(0, 200_000).toString('latin1');
    expect(start.indexOf('moov')).toBeLessThan(start.indexOf('mdat'));
  });

  test('gaps are closed up and named; a range that begins in one begins with what follows', async () => {
    await bench.record(START_MS, 20, aacFormat);
    await bench.record(START_MS + 320_000, 20, aacFormat);
    const [from, to] = [START_MS - 30_000, START_MS + 400_000];
    await bench.exports.add(bench.order('task1', [from, to]));
    const report = await bench.settled('task1');
    const judgement = await verifyMedia(bench.dataPath('task1'));
    expect(judgement).toMatchObject({ frames: 800, errors: '' });
    expect(judgement.durationS).toBeCloseTo(40, 0);
    expect(report.gaps).toEqual([
      { item: 0, startTime: from, endTime: START_MS },
      { item: 0, startTime: START_MS + 20_000, endTime: START_MS + 320_000 },
      { item: 0, startTime: START_MS + 340_000, endTime: to },
    ]);
  });

  test('a backfilled gap is exported once', async () => {
    await bench.record(START_MS, 11);
    await bench.record(START_MS + 9000, 11.5);
    await bench.record(START_MS + 20_000, 10);
    bench.store.note(KEY, { kind: 'filled', startMs: START_MS + 11_000, endMs: START_MS + 20_000 });
    await bench.exports.add(bench.order('task1', [START_MS, START_MS + 30_000]));
    const report = await bench.settled('task1');
    expect(report.gaps).toEqual([]);
    const judgement = await verifyMedia(bench.dataPath('task1'));
    expect(judgement).toMatchObject({ frames: 600, errors: '' });
  });

  test('a range without recordings fails with 1007', async () => {
    const nothing = bench.order('task1', [START_MS, START_MS + 1000]);
    await expect(bench.exports.add(nothing)).rejects.toMatchObject({ code: 1007 });
  });
});

describe('several files', () => {
  test('a change of format makes parts, several ranges make files; the zip holds them and their manifest', async () => {
    await bench.record(START_MS, 20, aacFormat);
    await bench.record(START_MS + 20_000, 20, null);
    await bench.exports.add(
      bench.order('task1', [START_MS + 2000, START_MS + 38_000], [START_MS + 4000, START_MS + 9000]),
    );
    const report = await bench.settled('task1');
    expect(report).toMatchObject({ state: 'finished', name: 'Export 20260329T005902Z.zip' });
    expect(report.files.map(({ item, pictures: frames }) => [item, frames])).toEqual([
      [0, 360],
      [0, 360],
      [1, 100],
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'unzip-'));
    try {
      expect(await run('python3', ['-m', 'zipfile', '-e', bench.dataPath('task1'), folder])).toMatchObject({ code: 0 });
      expect((await readdir(folder)).sort()).toEqual([...report.files.map(({ name }) => name), 'manifest.json'].sort());
      for (const { name, pictures: frames, sha256 } of report.files) {
        expect(await verifyMedia(join(folder, name))).toMatchObject({ frames, errors: '' });
        const bytes = await readFile(join(folder, name));
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
      }
      const manifest = await readFile(join(folder, 'manifest.json'), 'utf8');
      expect(isManifestIntact(manifest)).toBe(true);
      expect(isManifestIntact(manifest.replace('operator', 'somebody'))).toBe(false);
      expect(JSON.parse(manifest).manifest).toMatchObject({
        product: 'Vedette',
        version: '1.2.3',
        requestedBy: 'operator',
        items: [{ deviceSerial: 'SN1', startTime: '2026-03-29T00:59:02.000Z', gaps: [] }, { channelNo: 1 }],
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

async function soundSeconds(path: string): Promise<number> {
  const decoded = await run('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:a', '-ar', '8000', '-f', 's16le', '-']);
  expect(decoded.stderr).toBe('');
  return decoded.bytes.length / 2 / 8000 / (await channelsOf(path));
}

async function channelsOf(path: string): Promise<number> {
  const args = ['-v', 'error', '-select_streams', 'a:0', '-show_entries', 'stream=channels', '-of', 'csv=p=0', path];
  return Number((await run('ffprobe', args)).stdout);
}

describe('[FT-42] faults', () => {
  const range = [START_MS + 2000, START_MS + 58_000] as const;

  test('a kill at every tenth: no file is served before its end, and after a restart the same file verifies', async () => {
    await bench.record(START_MS, 60, aacFormat);
    await bench.exports.add(bench.order('whole', range));
    const wanted = await bench.settled('whole');
    const work = 2 * wanted.bytesTotal;
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const taskId = `kill${tenth}`;
      const power = new DiskPower((work * tenth) / 10);
      bench.open(power.disk);
      await bench.exports.add(bench.order(taskId, range));
      await waitFor('the kill', () => power.isOff);
      expect(bench.exports.open(taskId)).toBeNull();
      bench.open();
      await bench.exports.start();
      const report = await bench.settled(taskId);
      expect(report).toMatchObject({ state: 'finished', sha256: wanted.sha256 });
      expect(
        createHash('sha256')
          .update(await readFile(bench.dataPath(taskId)))
          .digest('hex'),
      ).toBe(wanted.sha256);
      await bench.exports.end([taskId], 1007);
    }
  });

  test('a full disk fails the export with 1011 and leaves only its report', async () => {
    await bench.record(START_MS, 60, null);
    bench.open(fullDisk(50_000));
    await bench.exports.add(bench.order('task1', range));
    expect(await bench.settled('task1')).toMatchObject({ state: 'failed', code: 1011 });
    expect(bench.exports.open('task1')).toBeNull();
    // Its last report may be on its way to the disk.
    await expect.poll(() => readdir(join(bench.folder, '.exports', 'task1'))).toEqual(['task.json']);
    bench.open();
    expect(await bench.exports.reports(['task1'])).toMatchObject([{ state: 'failed', code: 1011 }]);
  });

  test('refuses with 1011 an export that would break reserve or quota', async () => {
    await bench.record(START_MS, 20, null);
    bench.limits.reserveBytes = Number.MAX_SAFE_INTEGER;
    await expect(bench.exports.add(bench.order('task1', [START_MS, START_MS + 9000]))).rejects.toMatchObject({
      code: 1011,
    });
    Object.assign(bench.limits, { reserveBytes: 0, budgetBytes: 1000 });
    await expect(bench.exports.add(bench.order('task2', [START_MS, START_MS + 9000]))).rejects.toMatchObject({
      code: 1011,
    });
  });

  test('lists exports on a full disk, and fails rather than lists none when the disk is gone', async () => {
    await bench.record(START_MS, 20, null);
    await bench.exports.add(bench.order('task1', [START_MS, START_MS + 9000]));
    await bench.settled('task1');
    bench.state = 'full';
    expect(await bench.open().reports(null)).toMatchObject([{ taskId: 'task1', state: 'finished' }]);
    await expect(bench.exports.add(bench.order('task2', [START_MS, START_MS + 9000]))).rejects.toMatchObject({
      code: 1011,
    });
    bench.state = 'missing';
    await expect(bench.open().reports(null)).rejects.toMatchObject({ code: 1012 });
    bench.state = 'normal';
  });

  test('a cancelled export leaves no file; recordings are protected only while they are read', async () => {
    await bench.record(START_MS, 60, aacFormat);
    const adding = bench.exports.add(bench.order('task1', range));
    await adding;
    expect(bench.exports.needs('cam1', START_MS, START_MS + 1000)).toBe(true);
    expect(bench.exports.needs('cam2', START_MS, START_MS + 1000)).toBe(false);
    await bench.exports.end(['task1'], 1017);
    expect(bench.exports.needs('cam1', START_MS, START_MS + 1000)).toBe(false);
    await waitFor('its folder to be gone', async () => {
      return !(await readdir(join(bench.folder, '.exports'))).includes('task1');
    });
    expect(await bench.exports.reports(['task1'])).toEqual([]);
  });

  test('deletes the file after a day', async () => {
    await bench.record(START_MS, 20, null);
    await bench.exports.add(bench.order('task1', [START_MS, START_MS + 9000]));
    await bench.settled('task1');
    bench.nowMs += 23 * 3_600_000;
    await bench.exports.start();
    expect(bench.exports.open('task1')).not.toBeNull();
    bench.nowMs += 2 * 3_600_000;
    await bench.exports.start();
    expect(bench.exports.open('task1')).toBeNull();
    expect(await readdir(join(bench.folder, '.exports'))).toEqual([]);
  });

  test('exports the rest around a damaged fragment', async () => {
    await bench.record(START_MS, 20, null);
    const [file] = bench.store.files(KEY, START_MS, START_MS + 20_000);
    const index = await bench.store.readIndex(KEY, file?.startMs ?? 0);
    // The second keyframe's fragment: its moof becomes something else.
    const second = index?.records.filter(({ flags }) => flags & 1)[1];
    const damaged = await open(bench.store.mediaPath(KEY, file?.startMs ?? 0), 'r+');
    await damaged.write(Buffer.from('junk'), 0, 4, (second?.offset ?? 0) + 32 + 4);
    await damaged.close();
    await bench.exports.add(bench.order('task1', [START_MS, START_MS + 20_000]));
    const report = await bench.settled('task1');
    expect(await verifyMedia(bench.dataPath('task1'))).toMatchObject({ frames: 360, errors: '' });
    expect(report.gaps[0]).toMatchObject({ startTime: START_MS + 2000 });
  });
});
