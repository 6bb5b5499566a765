// Proves the codec worker with the real ffmpeg: JPEG from keyframes, damaged ones refused, killed programs replaced, none left behind.
import { spawnSync } from 'node:child_process';
import { readBoxes, readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import { afterEach, expect, test } from 'vitest';
import { verifyMedia, run } from '../../tests/harness/ffprobe.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { clip } from '../recorder/synthetic-stream.fixture.ts';
import { CodecMissing, CodecWorker, type CodedKeyframe } from './codec-worker.ts';
import { DecodeError } from './keyframe-decoder.ts';
import { findFfmpeg, type FfmpegProcess, ffmpegStarter } from './ffmpeg-process.ts';

const PATH = process.env['PATH'] ?? '';
const started: { args: readonly string[]; tool: FfmpegProcess }[] = [];
const never = new AbortController().signal;
let worker = newWorker();

function newWorker(decoders = 2): CodecWorker {
  const path = findFfmpeg('ffmpeg', PATH);
  if (path === null) throw new Error('these tests need ffmpeg');
  const start = ffmpegStarter(path, PATH);
  return new CodecWorker({
    clock: systemClock,
    decoders,
    start: (args) => {
      const tool = start(args);
      started.push({ args, tool });
      return tool;
    },
  });
}

afterEach(async () => {
  worker.close();
  await Promise.all(started.map(({ tool }) => tool.ended));
  const left = started.splice(0).filter(({ tool }) => isRunning(tool.pid));
  if (left.length > 0) throw new Error(`${left.length} programs outlived their worker`);
  worker = newWorker();
});

function onlyStarted(): (typeof started)[number] {
  const [one, ...others] = started;
  if (!one || others.length > 0) throw new Error(`${started.length} programs were started`);
  return one;
}

function isRunning(pid: number | undefined): boolean {
  return pid !== undefined && spawnSync('kill', ['-0', String(pid)]).status === 0;
}

/** The only picture of a fragmented MP4 with one fragment. */
function keyOfMp4(bytes: Buffer, codec: 'h264' | 'h265'): CodedKeyframe {
  const [track] = readInitSegment(bytes);
  const moof = readBoxes(bytes).find(({ type }) => type === 'moof');
  const [sample] = moof ? (readFragment(bytes, moof.start)[0]?.samples ?? []) : [];
  if (!track || !moof || !sample) throw new Error('not the MP4 that was ordered');
  const start = moof.start + sample.offset;
  const { width, height, config } = track;
  return {
    format: { codec, width, height, config: Buffer.from(config) },
    data: bytes.subarray(start, start + sample.size),
  };
}

function keyPicture(at = 0): CodedKeyframe {
  const { video } = clip.format;
  const key = clip.pictures.filter(({ isKey }) => isKey)[at];
  if (!video || !key) throw new Error('the clip has no such key picture');
  return { format: { ...video, codec: 'h264' }, data: key.data };
}

test('decodes keyframes to JPEG of the requested width in one process', async () => {
  const pictures = await Promise.all([0, 1, 0].map((at) => worker.snapshot(keyPicture(at), 80, never)));
  const judged = await run(
    'ffprobe',
    ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-'],
    pictures[0],
  );
  expect(judged.stdout).toMatch(/codec_name=mjpeg\s+width=80\s+height=4[46]/);
  expect(pictures[0]).toEqual(pictures[2]);
  expect(pictures[0]).not.toEqual(pictures[1]);
  expect(started.length).toBeLessThanOrEqual(2);
});

test('H.265 too, at its full size', async () => {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=1', '-frames:v', '1', '-c:v', 'libx265'];
  const params = ['-x265-params', 'keyint=1:log-level=none:repeat-headers=0', '-tag:v', 'hvc1'];
  const to = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4', '-'];
  const { bytes } = await run('ffmpeg', ['-v', 'error', ...source, ...params, ...to]);
  const jpeg = await worker.snapshot(keyOfMp4(bytes, 'h265'), 4096, never);
  expect(await verifyMedia('-', jpeg)).toMatchObject({ codecs: ['mjpeg'], frames: 1, errors: '' });
});

test('refuses a damaged frame at once and decodes the next one in the same process', async () => {
  const { format } = keyPicture();
  await worker.snapshot(keyPicture(), 160, never);
  const garbage = Buffer.alloc(400, 0x5a);
  garbage.writeUInt32BE(396, 0);
  await expect(worker.snapshot({ format, data: garbage }, 160, never)).rejects.toThrow(DecodeError);
  await expect(worker.snapshot(keyPicture(1), 160, never)).resolves.toBeInstanceOf(Buffer);
  expect(started).toHaveLength(1);
});

test('[FT-19] restarts a killed process within two seconds and delivers the frame', async () => {
  await worker.snapshot(keyPicture(), 160, never);
  const { tool } = onlyStarted();
  const killedMs = performance.now();
  tool.kill();
  const picture = await worker.snapshot(keyPicture(1), 160, never);
  expect(performance.now() - killedMs).toBeLessThan(2000);
  expect(picture.length).toBeGreaterThan(100);
  await tool.ended;
  expect(worker.counters.programs).toBe(1);
});

test('never runs more processes than allowed, whatever sizes are requested', async () => {
  const widths = [160, 80, 64, 80, 160];
  const pictures = await Promise.all(widths.map((width) => worker.snapshot(keyPicture(), width, never)));
  expect(pictures[0]).toEqual(pictures[4]);
  expect(worker.counters.programs).toBeLessThanOrEqual(2);
});

test('every use fails with CodecMissing without ffmpeg', async () => {
  const without = new CodecWorker({ start: null, clock: systemClock, decoders: 1 });
  expect(without.isAvailable).toBe(false);
  await expect(without.snapshot(keyPicture(), 160, never)).rejects.toThrow(CodecMissing);
  expect(findFfmpeg('ffmpeg', '')).toBeNull();
});

test('[SE-69] ffmpeg gets fixed arguments and no environment of ours', async () => {
  await worker.snapshot(keyPicture(), 160, never);
  const { args, tool } = onlyStarted();
  expect(args.join(' ')).toMatch(/^-v error -nostdin -protocol_whitelist pipe /);
  const environment = await run('cat', [`/proc/${tool.pid}/environ`]);
  expect(
    environment.stdout
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => line.split('=')[0])
      // Where branches are measured, Node hands this one on by itself, whatever the environment.
      .filter((name) => name !== 'NODE_V8_COVERAGE'),
  ).toEqual(['PATH']);
});
