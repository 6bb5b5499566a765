// Wrong camera timestamps and changed clocks: the recording follows arrival, loses no frame and overwrites nothing.
import { DAY_MS, HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { RECORD_FLAG } from '../../media/recordings/index-record.ts';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, expect, it } from 'vitest';
import { type Clock, systemClock } from '@vedette/foundation/time/clock.ts';
import { type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { countedFrames, counterBreaks } from '../harness/counted-frames.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { RecordingRig, type SeenAccessUnit } from '../harness/recording-rig.ts';
import { waitFor } from '../harness/wait-for.ts';
import { RtspRelay } from '../peers/rtsp-relay.ts';

const ROUNDS = faultRounds(1, 50);
const TICKS_PER_HOUR = 3600 * 90_000;

/** Cameras and engine share this process: while it stood still no picture could arrive in time. */
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();
const withinMs = (ms: number): number => ms + delays.max / 1e6;

const running: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function stage(clock: Clock = systemClock): Promise<{ camera: CountedCamera; rig: RecordingRig }> {
  const camera = await startCountedCamera();
  const rig = await RecordingRig.open({ url: camera.url(), clock });
  running.push({ close: () => rig.remove() }, { close: () => camera.stop() });
  await waitFor('the first pictures', () => rig.accessUnits.length > 5);
  return { camera, rig };
}

async function moreFrames(rig: RecordingRig, count: number): Promise<void> {
  const until = rig.accessUnits.length + count;
  await waitFor(`${count} pictures`, () => rig.accessUnits.length >= until, 5000 + count * 300);
}

/** Wall clock in the index against the one burned into the picture, over all fragments, ms. */
async function wallErrors(rig: RecordingRig): Promise<number[]> {
  const errors: number[] = [];
  for (const { index, path } of await rig.files()) {
    const frames = await countedFrames(path);
    let at = 0;
    for (const record of index.records) {
      errors.push(record.wallMs - (frames[at]?.wallMs ?? Number.NaN));
      at += record.pictures;
    }
  }
  return errors;
}

const TIME_FAULTS: readonly (readonly [string, (camera: CountedCamera) => void])[] = [
  ['one picture an hour ahead', ({ stream }) => void (stream.faults.oneOffTicks = TICKS_PER_HOUR)],
  ['one picture an hour behind', ({ stream }) => void (stream.faults.oneOffTicks = -TICKS_PER_HOUR)],
  ['one picture five seconds ahead', ({ stream }) => void (stream.faults.oneOffTicks = 5 * 90_000)],
  ['a new count from 0', ({ stream }) => stream.setTime(0)],
  ['the wrap of 32 bits', ({ stream }) => stream.setTime(2 ** 32 - 45_000)],
  ['a step of a day', ({ stream }) => stream.setTime(24 * TICKS_PER_HOUR)],
];

it.concurrent(
  '[FT-06] RTP timestamp jumps lose no frame, make no gap and no further file',
  async () => {
    const { camera, rig } = await stage();
    const startError = Math.max(
      ...rig.accessUnits.map(({ unit, atMs }) => performance.timeOrigin + atMs - unit.wallMs),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [, act] of TIME_FAULTS) {
        act(camera);
        await moreFrames(rig, 8);
      }
    }
    await rig.close();
    const frames = await rig.frames();
    const files = await rig.files();
    const errors = (await wallErrors(rig)).map(Math.abs);
    const events = ROUNDS * TIME_FAULTS.length;
    process.stdout.write(
      `bad-times: ${JSON.stringify({ events, startErrorMs: Math.round(startError), pictures: frames.length, lost: counterBreaks(frames).length, files: files.length, wallErrorMaxMs: Math.round(Math.max(...errors)) })}\n`,
    );
    expect(counterBreaks(frames)).toEqual([]);
    expect(frames.length).toBe(rig.accessUnits.length);
    expect(files.length).toBeLessThanOrEqual(1 + Math.floor((events * 8) / 600));
    expect(Math.max(...errors)).toBeLessThan(withinMs(1000));
    for (const { path } of files) expect((await verifyMedia(path)).errors).toBe('');
    expect(rig.source.timestampJumps).toBeGreaterThanOrEqual(events);
  },
  60_000 + ROUNDS * 20_000,
);

it.concurrent('[FT-06] a camera whose clock runs a sixth too slow or too fast is recorded at the arrival rate', async () => {
  const stages = await Promise.all([21 / 25, 30 / 25].map(async (rate) => ({ rate, ...(await stage()) })));
  for (const { camera, rate } of stages) camera.stream.faults.timeRate = rate;
  await Promise.all(stages.map(({ rig }) => moreFrames(rig, 150)));
  for (const { rig, rate } of stages) {
    await rig.close();
    const units = rig.accessUnits.map(({ unit }) => unit);
    const [first, last] = [units[5], units.at(-1)];
    const byTicks = ((last?.dts ?? 0) - (first?.dts ?? 0)) / 90;
    const byArrival = (rig.accessUnits.at(-1)?.atMs ?? 0) - (rig.accessUnits[5]?.atMs ?? 0);
    const errors = (await wallErrors(rig)).map(Math.abs);
    process.stdout.write(
      `bad-times: ${JSON.stringify({ rate, seconds: Math.round(byArrival / 1000), lineErrorMs: Math.round(byTicks - byArrival), wallErrorMaxMs: Math.round(Math.max(...errors)) })}\n`,
    );
    expect(Math.abs(byTicks - byArrival)).toBeLessThan(withinMs(1000));
    expect(Math.max(...errors)).toBeLessThan(withinMs(1000));
    expect(await rig.files()).toHaveLength(1);
    expect(counterBreaks(await rig.frames())).toEqual([]);
  }
}, 90_000);

it.concurrent('[FT-07] a wrong camera clock reported late is known after one connection, from the first frame of the next', async () => {
  const camera = await startCountedCamera();
  camera.device.behaviour.clockOffsetMs = -900;
  camera.stream.faults.reportsAfterMs = 1500;
  const relay = await RtspRelay.open(camera.rtspPort);
  const rig = await RecordingRig.open({ url: camera.url(relay.port) });
  running.push({ close: () => rig.remove() }, relay, { close: () => camera.stop() });
  await waitFor('the first pictures', () => rig.accessUnits.length > 5);
  await waitFor(
    'a picture with the time of the camera',
    () => {
      const { unit, atMs } = rig.accessUnits.at(-1) as SeenAccessUnit;
      return unit.wallMs - (performance.timeOrigin + atMs) < -800;
    },
    30_000,
  );
  relay.cutAfterBytes = 1;
  await waitFor('the cut', () => relay.cuts > 0);
  await moreFrames(rig, 20);
  await rig.close();
  const files = await rig.files();
  const errors: number[] = [];
  for (const { index, path } of files) {
    const frames = await countedFrames(path);
    let at = 0;
    for (const record of index.records) {
      if (record.flags & RECORD_FLAG.discontinuity) errors.push(record.wallMs - (frames[at]?.wallMs ?? Number.NaN));
      at += record.pictures;
    }
  }
  process.stdout.write(`bad-times: ${JSON.stringify({ firstPictureOffMs: errors })}\n`);
  expect(errors.length).toBeGreaterThan(1);
  // Nothing is known of a camera before its first report.
  expect(errors[0]).toBeGreaterThan(600);
  for (const error of errors.slice(1)) expect(Math.abs(error)).toBeLessThan(withinMs(200));
}, 60_000);

it.concurrent(
  '[FT-07] [GO-21] clocks set by an hour or a day, ours or the camera’s: no frame lost, nothing overwritten',
  async () => {
    let offset = 0;
    const clock: Clock = { ...systemClock, wallMs: () => Date.now() + offset };
    const { camera, rig } = await stage(clock);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const step of [HOUR_MS, -HOUR_MS, -HOUR_MS, HOUR_MS, DAY_MS, -DAY_MS]) {
        offset += step;
        await moreFrames(rig, 25);
      }
      for (const cameraOffset of [HOUR_MS, -DAY_MS, 0]) {
        camera.device.behaviour.clockOffsetMs = cameraOffset;
        await moreFrames(rig, 10);
      }
    }
    await rig.close();
    const frames = (await rig.frames()).sort((a, b) => a.frame - b.frame);
    const files = await rig.files();
    process.stdout.write(
      `bad-times: ${JSON.stringify({ clockSteps: ROUNDS * 9, pictures: frames.length, lost: counterBreaks(frames).length, files: files.length })}\n`,
    );
    expect(counterBreaks(frames)).toEqual([]);
    expect(frames.length).toBe(rig.accessUnits.length);
    expect(rig.recorder.counters).toMatchObject({ filesAbandoned: 0, picturesBeforeKey: 0 });
    // One more file per step of our clock, none for the camera's.
    expect(files.length).toBeLessThanOrEqual(1 + ROUNDS * 6 + Math.ceil(ROUNDS / 2));
    for (const { path, index } of files) {
      expect((await verifyMedia(path)).errors).toBe('');
      // A file that begins in time that was recorded before says so.
      expect((index.records[0]?.flags ?? 0) & RECORD_FLAG.discontinuity).not.toBe(0);
    }
  },
  90_000 + ROUNDS * 40_000,
);
