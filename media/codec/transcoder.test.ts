// Proves the transcode with the real ffmpeg: H.265 becomes H.264 that ffprobe accepts, sound goes through, one program for all viewers, none left.
import { H265_NAL, h265NalType } from '@vedette/protocols/h265/nal.ts';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyMedia, run } from '../../tests/harness/ffprobe.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { OpenSource } from '../stream/source.ts';
import { StreamHub } from '../stream/hub.ts';
import type { AccessUnit, MediaFormat, StreamConsumer } from '../stream/stream.ts';
import { FragmentReader } from './fragment-reader.ts';
import { CodecWorker } from './codec-worker.ts';
import { findFfmpeg, type StartFfmpeg, type FfmpegProcess, ffmpegStarter } from './ffmpeg-process.ts';
import { Transcoder } from './transcoder.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';

const PATH = process.env['PATH'] ?? '';
const FPS = 20;
const started: FfmpegProcess[] = [];
const hub = new StreamHub({ clock: systemClock, onConsumerFailure: () => undefined, lingerMs: 0 });
const speakers = new Set<() => void>();

let codec: CodecWorker;
let format: MediaFormat;
let pictures: { readonly data: Buffer; readonly isKey: boolean }[] = [];

beforeAll(async () => {
  const source = ['-f', 'lavfi', '-i', `testsrc2=s=640x360:r=${FPS}`, '-frames:v', '40'];
  const coder = ['-c:v', 'libx265', '-x265-params', 'keyint=20:bframes=0:log-level=none', '-tag:v', 'hvc1'];
  const to = ['-movflags', 'empty_moov+default_base_moof+frag_every_frame', '-f', 'mp4', '-'];
  const { bytes } = await run('ffmpeg', ['-v', 'error', ...source, ...coder, ...to]);
  new FragmentReader({
    init: (init) => {
      const [track] = readInitSegment(init);
      if (!track) throw new Error('no track');
      const { width, height, config } = track;
      const video = { codec: 'h265', codecString: 'hvc1', width, height, config: Buffer.from(config) } as const;
      const audio = {
        codec: 'pcma',
        codecString: 'alaw',
        sampleRate: 8000,
        channels: 1,
        config: Buffer.alloc(0),
      } as const;
      format = { video, audio };
    },
    sample: ({ data, isKey }) => pictures.push({ data, isKey }),
  }).push(bytes);
  pictures = pictures.filter(({ data }) => h265NalType(data[4] ?? 0) !== H265_NAL.filler);
}, 30_000);

beforeEach(() => {
  codec = new CodecWorker({ start: startCounted, clock: systemClock, decoders: 1 });
});

afterEach(async () => {
  codec.close();
  for (const stop of speakers) stop();
  await hub.close();
  await Promise.all(started.splice(0).map((tool) => tool.ended));
});

/** Plays the clip for ever, in real time. */
const open: OpenSource = (consumer) => {
  let n = 0;
  const next = (): void => {
    const picture = pictures[n % pictures.length];
    if (!picture) throw new Error('the clip is empty');
    const wallMs = Date.now();
    consumer.accessUnit({ track: 'video', ...picture, dts: (n * 90_000) / FPS, ctsOffset: 0, wallMs });
    const sound = Buffer.alloc(400, 0xd5);
    consumer.accessUnit({ track: 'audio', data: sound, isKey: true, dts: n * 400, ctsOffset: 0, wallMs });
    n += 1;
  };
  queueMicrotask(() => {
    consumer.format(format);
    consumer.state({ state: 'playing', since: Date.now() });
  });
  const timer = setInterval(next, 1000 / FPS);
  const stop = (): void => clearInterval(timer);
  speakers.add(stop);
  return {
    counters: createSourceCounters(),
    server: null,
    retryNow: () => undefined,
    close: () => Promise.resolve(stop()),
  };
};

const ffmpeg = ffmpegStarter(findFfmpeg('ffmpeg', PATH) ?? 'ffmpeg', PATH);
const startCounted: StartFfmpeg = (args) => {
  const tool = ffmpeg(args);
  started.push(tool);
  return tool;
};

function newTranscoder(atOnce = 2): Transcoder {
  return new Transcoder({
    hub,
    clock: systemClock,
    atOnce,
    codec,
    start: startCounted,
  });
}

class Viewer implements StreamConsumer {
  formats: MediaFormat[] = [];
  units: AccessUnit[] = [];
  readonly states: string[] = [];

  format(told: MediaFormat): void {
    this.formats.push(told);
  }

  accessUnit(unit: AccessUnit): void {
    this.units.push(unit);
  }

  discontinuity(): void {
    // Time lines are judged by the units.
  }

  state({ state }: { readonly state: string }): void {
    this.states.push(state);
  }

  get video(): AccessUnit[] {
    return this.units.filter(({ track }) => track === 'video');
  }
}

function watch(transcoder: Transcoder, streamKey = 'cam1/1/0') {
  const stream = transcoder.stream({ streamKey, open }, 180);
  if (typeof stream === 'string') throw new Error(stream);
  const lease = hub.acquire(stream.streamKey, stream.open, 0);
  const viewer = new Viewer();
  lease.stream.addConsumer(viewer);
  return { viewer, lease };
}

test('transcodes H.265 to smaller H.264 with its audio, with little delay, in one process for two viewers', async () => {
  const transcoder = newTranscoder();
  const first = watch(transcoder);
  const second = watch(transcoder);
  await waitFor('three seconds of pictures', () => first.viewer.video.length > 40 && second.viewer.video.length > 35);
  expect(started).toHaveLength(1);
  expect(transcoder.running).toBe(1);
  const { viewer } = first;
  expect(viewer.formats[0]).toMatchObject({
    video: { codec: 'h264', width: 320, height: 180 },
    audio: { codec: 'pcma' },
  });
  expect(viewer.units.some(({ track }) => track === 'audio')).toBe(true);
  const dts = viewer.video.map((unit) => unit.dts);
  expect(dts.every((at, n) => n === 0 || at > (dts[n - 1] ?? 0))).toBe(true);
  const newest = viewer.video.at(-1);
  expect(Math.abs(Date.now() - (newest?.wallMs ?? 0))).toBeLessThan(1500);
  const [init, ...fragments] = [first.lease.stream.gop()[0], ...first.lease.stream.gop()];
  expect(init?.isKey).toBe(true);
  expect(fragments.length).toBeGreaterThan(0);
  first.lease.release();
  expect(transcoder.running).toBe(1);
  second.lease.release();
  await waitFor('the program to end', () => transcoder.running === 0);
});

test('viewers get intact frames: ffprobe decodes them', async () => {
  const { lease } = watch(newTranscoder());
  const parts: Buffer[] = [];
  let pictureCount = 0;
  lease.stream.addViewer({
    init: (init) => parts.push(init.video ?? Buffer.alloc(0)),
    fragment: ({ kind, bytes }) => {
      if (kind !== 'video') return;
      parts.push(bytes);
      pictureCount += 1;
    },
    state: () => undefined,
  });
  await waitFor('thirty pictures', () => pictureCount >= 30);
  lease.release();
  const judged = await verifyMedia('-', Buffer.concat(parts));
  expect(judged).toMatchObject({ codecs: ['h264'], errors: '' });
  expect(judged.frames).toBeGreaterThanOrEqual(30);
});

test('[FT-19] restarts a killed process within two seconds, and video goes on', async () => {
  const { viewer, lease } = watch(newTranscoder());
  await waitFor('pictures', () => viewer.video.length > 5);
  const killedMs = performance.now();
  started[0]?.kill();
  await waitFor('the failure', () => viewer.states.includes('failed'));
  const before = viewer.video.length;
  await waitFor('another program', () => started.length === 2);
  expect(performance.now() - killedMs).toBeLessThan(2000);
  await waitFor('pictures again', () => viewer.video.length > before);
  lease.release();
});

test('refuses a transcode above the limit, and reports a missing ffmpeg', () => {
  const transcoder = newTranscoder(1);
  const { lease } = watch(transcoder, 'cam1/1/0');
  expect(transcoder.stream({ streamKey: 'cam2/1/0', open }, 180)).toBe('busy');
  expect(typeof transcoder.stream({ streamKey: 'cam1/1/0', open }, 180)).toBe('object');
  lease.release();
  const withoutCodec = new CodecWorker({ start: null, clock: systemClock, decoders: 1 });
  const none = new Transcoder({ hub, clock: systemClock, start: null, atOnce: 2, codec: withoutCodec });
  expect(none.jpeg({ streamKey: 'cam1/1/0', open })).toBe('missing');
  expect(none.stream({ streamKey: 'cam1/1/0', open }, 180)).toBe('missing');
});

test('serves JPEG of keyframes, about one a second, to clients that decode no video', async () => {
  const stream = newTranscoder().jpeg({ streamKey: 'cam1/1/0', open });
  if (stream === 'missing') throw new Error(stream);
  const lease = hub.acquire(stream.streamKey, stream.open, 0);
  const viewer = new Viewer();
  lease.stream.addConsumer(viewer);
  await waitFor('three pictures', () => viewer.video.length >= 3);
  lease.release();
  expect(viewer.formats[0]?.video).toMatchObject({ codec: 'mjpeg', width: 640, height: 360 });
  for (const { data } of viewer.video)
    expect(await verifyMedia('-', data)).toMatchObject({ codecs: ['mjpeg'], errors: '' });
  const [first, second] = viewer.video;
  expect((second?.wallMs ?? 0) - (first?.wallMs ?? 0)).toBeGreaterThan(800);
});
