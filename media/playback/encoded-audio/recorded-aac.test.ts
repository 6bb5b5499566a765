// Recorded G.711 in HLS: one unbroken tone over all segments, wherever it is asked for first; judged by ffprobe and ffmpeg.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run, verifyMedia } from '../../../tests/harness/ffprobe.ts';
import { aacFormat, g711Format } from '../../recorder/synthetic-stream.fixture.ts';
import type { FfmpegProcess, StartFfmpeg } from '../../codec/ffmpeg-process.ts';
import { HlsPlayback, RATE, startFfmpeg } from './hls-playback.fixture.ts';

const START_MS = Date.UTC(2026, 2, 29, 0, 59, 0);
const TONE_HZ = 440;
const FRAME_S = 1024 / RATE;
/** Of the tone. */
const LOUDNESS = 0.4 * (32_000 / 32_768) * Math.SQRT1_2;
/** A-law itself is off by 0.013; without its warm-up an encoder's first frames by more than 0.5. */
const UNBROKEN = 0.03;
const tone = (atS: number): number => 0.4 * Math.sin(2 * Math.PI * TONE_HZ * atS);

let bench: HlsPlayback;

beforeEach(async () => {
  bench = await HlsPlayback.create();
});
afterEach(async () => {
  await bench.remove();
});

/** Greatest difference from one sine wave over all of it, by pieces of 20 ms, as a part of its loudness. */
function worstBreak(samples: Float32Array): number {
  const [sine, cosine] = [0, Math.PI / 2].map(
    (phase) => (at: number) => Math.sin((2 * Math.PI * TONE_HZ * at) / RATE + phase),
  ) as [(at: number) => number, (at: number) => number];
  let [a, b] = [0, 0];
  for (const [at, sample] of samples.entries()) {
    a += (2 * sample * sine(at)) / samples.length;
    b += (2 * sample * cosine(at)) / samples.length;
  }
  const piece = RATE / 50;
  let worst = 0;
  for (let from = 0; from + piece <= samples.length; from += piece) {
    let power = 0;
    for (let at = from; at < from + piece; at += 1)
      power += ((samples[at] as number) - a * sine(at) - b * cosine(at)) ** 2;
    worst = Math.max(worst, Math.sqrt(power / piece) / (Math.hypot(a, b) / Math.SQRT2));
  }
  return worst;
}

function differences(times: readonly number[]): number[] {
  return times.slice(1).map((time, at) => time - (times[at] as number));
}

/** Decoded, cut where a frame does not follow the one before. */
async function decodedParts(): Promise<Float32Array[]> {
  const samples = await bench.decoded();
  const breaks = differences(await bench.audioTimes()).flatMap((step, at) =>
    Math.abs(step - FRAME_S) > 0.001 ? [(at + 1) * 1024] : [],
  );
  return [0, ...breaks].map((from, at) => samples.subarray(from, breaks[at]));
}

/** Without the frames at its ends, which lack what they overlap. */
function inner(samples: Float32Array): Float32Array {
  return samples.subarray(2048, samples.length - 2048);
}

function loudest(samples: Float32Array): number {
  return samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
}

function loudness(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, one) => sum + one ** 2, 0) / Math.max(1, samples.length));
}

test('a tone is one wave over 37 segments in two files, its frames follow each other on one grid', async () => {
  await bench.record({ startMs: START_MS, seconds: 85, audio: g711Format, sound: tone });
  bench.range = { startTime: START_MS + 3000, endTime: START_MS + 75_000 };
  const text = await bench.playlist();
  expect(text.match(/EXTINF/g)?.length).toBeGreaterThan(35);
  expect(text).not.toMatch(/DISCONTINUITY|LEFT-OUT/);
  const steps = differences(await bench.audioTimes());
  expect(steps.length).toBeGreaterThan(1100);
  for (const step of steps) expect(step).toBeCloseTo(FRAME_S, 4);
  const samples = await bench.decoded();
  expect(loudness(inner(samples))).toBeCloseTo(LOUDNESS, 2);
  expect(worstBreak(inner(samples))).toBeLessThan(UNBROKEN);
}, 60_000);

test('a segment is the same wherever playback begins, each block is encoded once, and two at a time', async () => {
  await bench.record({ startMs: START_MS, seconds: 70, audio: g711Format, sound: tone });
  bench.range = { startTime: START_MS, endTime: START_MS + 62_000 };
  const names = await bench.segmentNames();
  const inOrder: Buffer[] = [];
  for (const name of names) inOrder.push(await bench.bytesOf(name));
  let [started, running, most] = [0, 0, 0];
  const start = startFfmpeg();
  const counted: StartFfmpeg = (...args) => {
    const tool: FfmpegProcess = start(...args);
    started += 1;
    running += 1;
    most = Math.max(most, running);
    void tool.ended.then(() => (running -= 1));
    return tool;
  };
  await bench.serve(counted);
  // From the middle outwards, all at once, twice.
  const backwards = names.toReversed();
  const shuffled = [...backwards.slice(12), ...backwards.slice(0, 12)];
  for (let round = 0; round < 2; round += 1) {
    const bytes = await Promise.all(shuffled.map((name) => bench.bytesOf(name)));
    for (const [at, name] of shuffled.entries())
      expect(bytes[at]?.equals(inOrder[names.indexOf(name)] as Buffer), name).toBe(true);
  }
  expect({ started, most }).toEqual({ started: Math.ceil(62 / 10.24), most: 2 });
}, 60_000);

test('each beep is at its time in the recording', async () => {
  const beep = (atS: number): number => ((atS + 0.5) % 1 < 0.1 ? 0.8 * Math.sin(2 * Math.PI * 1000 * atS) : 0);
  await bench.record({ startMs: START_MS, seconds: 40, audio: g711Format, sound: beep });
  bench.range = { startTime: START_MS + 13_000, endTime: START_MS + 36_000 };
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=codec_type,start_time',
    '-of',
    'csv=p=0',
    bench.playlistUrl,
  ]);
  const startOf = (kind: string): number => Number(new RegExp(`${kind},([\\d.]+)`).exec(stdout)?.[1]);
  const begunS = 12 + startOf('audio') - startOf('video');
  const beeps: number[] = [];
  for (const [at, sample] of (await bench.decoded()).entries()) {
    const second = begunS + at / RATE;
    if (Math.abs(sample) > 0.1 && second - (beeps.at(-1) ?? 0) > 0.5) beeps.push(second);
  }
  expect(beeps.length).toBeGreaterThan(22);
  for (const second of beeps) {
    const late = second - 0.5 - Math.round(second - 0.5);
    expect(Math.abs(late), `a beep at ${second}`).toBeLessThan(0.005);
  }
}, 60_000);

test.each([
  ['a gap in the recording', g711Format, 60],
  [
    'another law and sampling rate',
    { ...g711Format, codec: 'pcmu', codecString: 'ulaw', sampleRate: 16_000 } as const,
    20,
  ],
])(
  'the tone goes on within a frame after %s',
  async (_title, second, atS) => {
    await bench.record({ startMs: START_MS, seconds: 20, audio: g711Format, sound: tone });
    await bench.record({ startMs: START_MS + atS * 1000, seconds: 24, audio: second, sound: tone });
    bench.range = { startTime: START_MS, endTime: START_MS + 100_000 };
    const steps = differences(await bench.audioTimes());
    for (const step of steps) expect(Math.abs(step - FRAME_S)).toBeLessThan(FRAME_S);
    const parts = await decodedParts();
    expect(parts.map(({ length }) => Math.round(length / RATE))).toEqual([20, 24]);
    for (const part of parts) expect(worstBreak(inner(part))).toBeLessThan(UNBROKEN);
    expect(await verifyMedia(bench.playlistUrl)).toMatchObject({
      codecs: ['h264', 'aac'],
      frames: 44 * 20,
      errors: '',
    });
  },
  60_000,
);

test('audio that begins later and stops has silence around it, beside AAC too', async () => {
  await bench.record({ startMs: START_MS, seconds: 20, audio: null });
  await bench.record({ startMs: START_MS + 20_000, seconds: 20, audio: g711Format, sound: tone });
  await bench.record({ startMs: START_MS + 40_000, seconds: 20, audio: null });
  bench.range = { startTime: START_MS, endTime: START_MS + 60_000 };
  const samples = await bench.decoded();
  expect(samples.length / RATE).toBeCloseTo(60, 0);
  const heard = [2, 22, 42].map((from) => loudness(samples.subarray(from * RATE, (from + 16) * RATE)));
  expect(heard[0]).toBeLessThan(0.001);
  expect(heard[1]).toBeCloseTo(LOUDNESS, 2);
  expect(heard[2]).toBeLessThan(0.001);
  await bench.record({ startMs: START_MS + 60_000, seconds: 20, audio: aacFormat });
  bench.range = { startTime: START_MS, endTime: START_MS + 80_000 };
  expect(await verifyMedia(bench.playlistUrl)).toMatchObject({ codecs: ['h264', 'aac'], frames: 1600, errors: '' });
  const steps = differences(await bench.audioTimes());
  for (const step of steps) expect(Math.abs(step - FRAME_S)).toBeLessThan(FRAME_S);
}, 60_000);

test('[SE-31] an exact window lets nothing be heard from before or after it', async () => {
  const secret = (atS: number): number => (atS >= 6 && atS < 9.3 ? 0.05 : 0.9) * Math.sin(2 * Math.PI * TONE_HZ * atS);
  await bench.record({ startMs: START_MS, seconds: 30, audio: g711Format, sound: secret });
  bench.range = { startTime: START_MS + 5200, endTime: START_MS + 9300, isExact: true };
  const samples = await bench.decoded();
  expect(samples.length / RATE).toBeGreaterThan(3.1);
  expect(loudness(inner(samples))).toBeGreaterThan(0.03);
  expect(loudest(samples)).toBeLessThan(0.07);
}, 60_000);

test('what cannot be encoded is silence beside the video, and is tried again', async () => {
  await bench.record({ startMs: START_MS, seconds: 20, audio: g711Format, sound: tone });
  bench.range = { startTime: START_MS, endTime: START_MS + 20_000 };
  const start = startFfmpeg();
  let isBroken = true;
  await bench.serve((args) => start(isBroken ? ['-v', 'error', '-i', '/nowhere'] : args));
  expect(await verifyMedia(bench.playlistUrl)).toMatchObject({ codecs: ['h264', 'aac'], frames: 400, errors: '' });
  expect(loudest(await bench.decoded())).toBeLessThan(0.001);
  // Two blocks in 20 s, however often their segments are asked for.
  expect(bench.failures.splice(0)).toEqual(new Array(2).fill(expect.objectContaining({ name: 'EncodingFailed' })));
  isBroken = false;
  bench.leapMs = 5000;
  expect(loudness(await bench.decoded())).toBeCloseTo(LOUDNESS, 1);
}, 60_000);

test('what is recorded meanwhile is heard', async () => {
  await bench.record({ startMs: START_MS, seconds: 4, audio: g711Format, sound: tone });
  bench.range = { startTime: START_MS, endTime: START_MS + 30_000 };
  expect((await bench.decoded()).length / RATE).toBeCloseTo(4, 0);
  await bench.record({ startMs: START_MS + 4000, seconds: 16, audio: g711Format, sound: tone });
  const samples = await bench.decoded();
  expect(samples.length / RATE).toBeCloseTo(20, 0);
  for (let at = 1; at < 19; at += 1)
    expect(loudness(samples.subarray(at * RATE, (at + 1) * RATE)), `second ${at}`).toBeGreaterThan(0.2);
}, 60_000);

test('without ffmpeg the video plays alone, and the playlist says that audio is left out', async () => {
  await bench.record({ startMs: START_MS, seconds: 10, audio: g711Format, sound: tone });
  bench.range = { startTime: START_MS, endTime: START_MS + 10_000 };
  await bench.serve(null);
  expect(await bench.playlist()).toContain('\n#EXT-X-VEDETTE-AUDIO-LEFT-OUT\n');
  expect(await verifyMedia(bench.playlistUrl)).toMatchObject({ codecs: ['h264'], frames: 200, errors: '' });
}, 60_000);
