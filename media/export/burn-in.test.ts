// Proves burnt-in exports with the real ffmpeg: every codec, exact frames, the second that each frame shows, audio as recorded, and refusals.
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { burntTimes, difference, greyStrips } from '../../tests/harness/burnt-times.ts';
import { run, verifyMedia } from '../../tests/harness/ffprobe.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import { findFfmpeg, type FfmpegProcess, ffmpegStarter } from '../codec/ffmpeg-process.ts';
import { aacFormat, g711Format } from '../recorder/synthetic-stream.fixture.ts';
import { encodeStream, feedEncoded } from '../codec/encoded-stream.fixture.ts';
import { ExportBench } from './export.fixture.ts';

const START_MS = Date.UTC(2026, 2, 29, 0, 59, 57);
const ZONE = 'Europe/Berlin';
const SIZE = { width: 640, height: 360 } as const;
const PATH = process.env['PATH'] ?? '';
const start = ffmpegStarter(findFfmpeg('ffmpeg', PATH) ?? 'ffmpeg', PATH);

let bench: ExportBench;
let tools: FfmpegProcess[];

beforeEach(async () => {
  bench = await ExportBench.create();
  tools = [];
  bench.ffmpeg = (args, folder) => {
    const tool = start(args, folder);
    tools.push(tool);
    return tool;
  };
  bench.open();
});
afterEach(async () => {
  await bench.remove();
  await Promise.all(tools.map(({ ended }) => ended));
});

function burntOrder(taskId: string, name: string, ...ranges: readonly (readonly [number, number])[]) {
  const order = bench.order(taskId, ...ranges);
  return { ...order, items: order.items.map((item) => ({ ...item, channelName: name, burnInZone: ZONE })) };
}

async function recordEncoded(codec: 'h264' | 'h265' | 'mjpeg', encoder: readonly string[]): Promise<void> {
  const stream = await encodeStream({ codec, size: '640x360', seconds: 6, fps: 10, encoder });
  await bench.recordWith((consumer) => feedEncoded(consumer, stream, START_MS));
}

describe('the frames', () => {
  test.each([
    ['H.264 with frames out of order', 'h264', ['-c:v', 'libx264', '-preset', 'fast', '-bf', '2', '-g', '20']],
    [
      'H.265',
      'h265',
      ['-c:v', 'libx265', '-preset', 'ultrafast', '-g', '20', '-x265-params', 'log-level=none:open-gop=0'],
    ],
    ['MJPEG', 'mjpeg', ['-c:v', 'mjpeg', '-q:v', '3']],
  ] as const)('show the second in which each was captured, over the hour that spring leaves out: %s', async (_title, codec, encoder) => {
    await recordEncoded(codec, encoder);
    const [from, to] = [START_MS + 1500, START_MS + 5500];
    await bench.exports.add(burntOrder('task1', 'Tor 大门', [from, to]));
    const report = await bench.settled('task1');
    expect(report).toMatchObject({ state: 'finished', percent: 100, code: null });
    const path = bench.dataPath('task1');
    await bench.exports.add(bench.order('plain', [from, to]));
    expect(await verifyMedia(path)).toMatchObject({ codecs: ['h264'], frames: 40, errors: '' });
    expect(report.files[0]).toMatchObject({ pictures: 40, startTime: from, endTime: to });
    const seconds = [0, 1, 2, 3, 4, 5, 6].map((second) => START_MS + second * 1000);
    const shown = await burntTimes(path, { name: 'Tor 大门', timeZone: ZONE, ...SIZE }, seconds);
    const captured = Array.from({ length: 40 }, (_, at) => Math.floor((from + at * 100) / 1000) * 1000);
    expect(shown).toEqual(captured);
  });

  test('keep their picture outside of the text', async () => {
    await recordEncoded('h264', ['-c:v', 'libx264', '-preset', 'fast', '-g', '20']);
    await bench.exports.add(burntOrder('task1', 'Gate', [START_MS, START_MS + 2000]));
    await bench.settled('task1');
    const [strip = Buffer.alloc(0)] = await greyStrips(bench.dataPath('task1'), SIZE, 'above');
    expect(strip.length).toBe(640 * 30);
    expect(difference(strip, Buffer.alloc(strip.length, strip[0]))).toBeLessThan(1);
  });
});

describe('the sound', () => {
  test.each([
    ['AAC', aacFormat, 'aac'],
    ['G.711', g711Format, 'pcm_alaw'],
  ])('is the recorded one, and as long as the frames: %s', async (_title, audio, codec) => {
    await bench.record(START_MS, 12, audio);
    const range = [START_MS + 1330, START_MS + 9080] as const;
    await bench.exports.add(bench.order('plain', range));
    await bench.exports.add(burntOrder('burnt', 'Gate', range));
    const [plain, burnt] = [await bench.settled('plain'), await bench.settled('burnt')];
    expect(burnt.files[0]?.pictures).toBe(plain.files[0]?.pictures);
    const path = bench.dataPath('burnt');
    expect(await verifyMedia(path)).toMatchObject({
      codecs: ['h264', codec],
      errors: '',
      frames: burnt.files[0]?.pictures,
    });
    const sound = async (taskId: string) =>
      (await run('ffmpeg', ['-v', 'error', '-i', bench.dataPath(taskId), '-map', '0:a', '-f', 'md5', '-'])).stdout;
    expect(await sound('burnt')).toBe(await sound('plain'));
  });
});

describe('what happens otherwise', () => {
  test('several ranges become an archive whose manifest says that frames were encoded anew; no working file stays', async () => {
    await bench.record(START_MS, 10, aacFormat);
    const ranges = [
      [START_MS, START_MS + 2000],
      [START_MS + 4000, START_MS + 6000],
    ] as const;
    await bench.exports.add(burntOrder('task1', 'Gate', ...ranges));
    const report = await bench.settled('task1');
    expect(report).toMatchObject({ state: 'finished', files: [{ pictures: 40 }, { pictures: 40 }] });
    const folder = dirname(bench.dataPath('task1'));
    expect((await readdir(folder)).sort()).toEqual(['export.data', 'manifest.json', 'task.json']);
    expect(tools.length).toBe(3);
    const { bytes } = await run('unzip', ['-p', bench.dataPath('task1'), 'manifest.json']);
    const { manifest } = JSON.parse(bytes.toString()) as { manifest: { items: { burnIn?: unknown }[] } };
    expect(manifest.items.map(({ burnIn }) => burnIn)).toEqual([{ timeZone: ZONE }, { timeZone: ZONE }]);
  });

  test('a cancel ends ffmpeg and removes all files', async () => {
    await bench.record(START_MS, 120);
    await bench.exports.add(burntOrder('task1', 'Gate', [START_MS, START_MS + 120_000]));
    await waitFor('frames to be encoded', async () => ((await bench.exports.reports(['task1']))[0]?.percent ?? 0) > 1);
    await bench.exports.end(['task1'], ERROR_CODES.notFound);
    await Promise.all(tools.map(({ ended }) => ended));
    await waitFor('the folder to be empty', async () => (await readdir(join(bench.folder, '.exports'))).length === 0);
    expect(bench.faults).toEqual([]);
  });

  test('without ffmpeg, without its text filter, or without a font for the name it is refused at once', async () => {
    await bench.record(START_MS, 4);
    const range = [START_MS, START_MS + 2000] as const;
    const refused = async (name: string) =>
      await expect(bench.exports.add(burntOrder('task1', name, range))).rejects.toMatchObject({ code: 1006 });
    await refused('No font has \u{13000}');
    bench.ffmpeg = (args, folder) => start([...args.slice(0, 2), '-no-such-option', ...args.slice(2)], folder);
    bench.open();
    await refused('Gate');
    bench.ffmpeg = null;
    bench.open();
    await refused('Gate');
    expect(await readdir(join(bench.folder, '.exports'))).toEqual([]);
    await bench.exports.add(bench.order('task2', range));
    expect(await bench.settled('task2')).toMatchObject({ state: 'finished' });
  });

  test('frames that ffmpeg gives up on fail the export, and leave no file', async () => {
    await bench.record(START_MS, 60);
    bench.ffmpeg = (args, folder) => {
      const tool = start(args, folder);
      if (tools.push(tool) > 1) tool.output.once('data', () => tool.kill());
      return tool;
    };
    bench.open();
    await bench.exports.add(burntOrder('task1', 'Gate', [START_MS, START_MS + 60_000]));
    expect(await bench.settled('task1')).toMatchObject({ state: 'failed', code: ERROR_CODES.serverInternalError });
    // The end is written down aside and renamed: its file has two names for a moment.
    const files = () => readdir(join(bench.folder, '.exports', 'task1'));
    await waitFor('nothing to be left but the task', async () => (await files()).join() === 'task.json');
    expect(String(bench.faults[0])).toContain('the burn-in ended');
  });
});
