// Changes of resolution or codec during a stream, audio that comes and goes, and keyframes once a minute or never.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, expect, it } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { createSourceCounters } from '@vedette/media/stream/source-counters.ts';
import { SharedStream } from '@vedette/media/stream/shared-stream.ts';
import type { MediaFormat, StreamConsumer } from '@vedette/media/stream/stream.ts';
import { SAMPLE_HEADER_BYTES } from '@vedette/protocols/mp4/fragment.ts';
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { GOP_SECONDS } from '../../virtual-devices/device/device-plan.ts';
import type { StreamFormat } from '../../virtual-devices/stream/stream-format.ts';
import { type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { counterBreaks, countedFrames } from '../harness/counted-frames.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { RecordingRig } from '../harness/recording-rig.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROUNDS = faultRounds(2, 50);
const STREAM_MEMORY_BYTES = 64 * 1024 * 1024;

const running: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of running.splice(0)) await one.close();
});

type Change = readonly [change: Partial<StreamFormat>, hangsUp: boolean];
/** Most devices end all lines when their settings change. */
const HANGING_UP: readonly Change[] = [
  [{ video: 'h265' }, true],
  [{ sound: 'aac' }, true],
  [{ sound: null }, true],
  [{ video: 'h264' }, true],
  [{ sound: 'pcma' }, true],
];
const GOING_ON: readonly Change[] = HANGING_UP.map(([change]) => [change, false]);

async function stage(camera?: CountedCamera, transport: 'tcp' | 'udp' = 'tcp') {
  const used = camera ?? (await startCountedCamera());
  const rig = await RecordingRig.open({ url: `${used.url()}#transport=${transport}` });
  running.push({ close: () => rig.remove() }, { close: () => used.stop() });
  return { camera: used, rig };
}

it.concurrent('[FT-08] a change of resolution starts a new initialization segment and file; nothing is lost and the viewer continues', async () => {
  const { camera, rig } = await stage();
  const seen: { kind: 'init' | 'fragment'; bytes: Buffer }[] = [];
  rig.stream.addViewer({
    init: (init) => init.video && seen.push({ kind: 'init', bytes: init.video }),
    fragment: (fragment) => seen.push({ kind: 'fragment', bytes: Buffer.from(fragment.bytes) }),
    state: () => undefined,
  });
  await waitFor('pictures', () => rig.accessUnits.length > 10);
  const widths = [640, 320];
  for (let round = 0; round < ROUNDS; round += 1) {
    const width = widths[round % 2] ?? 640;
    camera.stream.reshape({ ...camera.stream.currentShape, width, height: (width * 9) / 16 });
    const before = rig.accessUnits.length;
    await waitFor('pictures of the new size', () => rig.accessUnits.length > before + 8);
  }
  await rig.close();
  const files = await rig.files();
  const frames = (await rig.frames()).sort((a, b) => a.frame - b.frame);
  process.stdout.write(
    `format-and-gop: ${JSON.stringify({ changes: ROUNDS, files: files.length, pictures: frames.length, lost: counterBreaks(frames).length })}\n`,
  );
  expect(files).toHaveLength(1 + ROUNDS);
  expect(counterBreaks(frames)).toEqual([]);
  expect(rig.states.filter(({ state }) => state.state === 'failed')).toEqual([]);
  for (const { path } of files) expect((await verifyMedia(path)).errors).toBe('');
  // What the viewer got plays from every initialisation on.
  const starts = seen.flatMap(({ kind }, index) => (kind === 'init' ? [index] : []));
  expect(starts).toHaveLength(1 + ROUNDS);
  let watched = 0;
  for (const [i, start] of starts.entries()) {
    const part = Buffer.concat(seen.slice(start, starts[i + 1]).map(({ bytes }) => bytes));
    watched += (await countedFrames('-', part)).length;
  }
  expect(watched).toBe(rig.accessUnits.length);
}, 120_000);

/** What ffprobe calls them. */
const FFPROBE_NAMES = { h264: 'h264', h265: 'hevc', pcma: 'pcm_alaw', pcmu: 'pcm_mulaw', aac: 'aac' } as const;

it.concurrent.each([
  ['said by hanging up', false, HANGING_UP],
  ['known from the description, in the same session', true, GOING_ON],
  ['never described, in the same session', false, GOING_ON.slice(0, 1)],
] as const)(
  '[FT-08] other video and audio codecs, %s: a new initialization segment and file each, and no frame is lost',
  async (name, describesAll, changes) => {
    const camera = await startCountedCamera({ hasAudio: true });
    camera.stream.faults.describesAll = describesAll;
    const { rig } = await stage(camera);
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    const formats: MediaFormat[] = [];
    rig.stream.addViewer({
      init: ({ format }) => formats.push(format),
      fragment: () => undefined,
      state: () => undefined,
    });
    const wanted: StreamFormat[] = [];
    for (const [change, hangsUp] of [[{}, false] as const, ...changes]) {
      const format = { ...camera.stream.format, ...change };
      if (wanted.length > 0) camera.stream.reformat(format, hangsUp);
      wanted.push(format);
      await waitFor(`${JSON.stringify(format)} to be recorded with its sound`, () => {
        const now = rig.formats.at(-1);
        const isNew = now?.video?.codec === format.video && (now.audio?.codec ?? null) === format.sound;
        const { pictures, sounds } = rig.sinceFormat;
        return isNew && pictures > 20 && (format.sound === null || sounds > 0);
      });
    }
    await rig.close();
    const files = (await rig.files()).sort((a, b) => a.startMs - b.startMs);
    const frames = (await rig.frames()).sort((a, b) => a.frame - b.frame);
    const breaks = counterBreaks(frames);
    const gapsMs = frames.slice(1).map((frame, n) => frame.wallMs - (frames[n]?.wallMs ?? 0));
    process.stdout.write(
      `format-change: ${JSON.stringify({ name, changes: changes.length, pictures: frames.length, breaks, longestGapMs: Math.max(...gapsMs) })}\n`,
    );
    expect(rig.faults).toEqual([]);
    // Each format in its own files, in order; both tracks as an independent reader sees them.
    const judged = await Promise.all(files.map(({ path }) => verifyMedia(path)));
    expect(judged.map(({ errors }) => errors).join('')).toBe('');
    const found = judged.map(({ codecs }) => codecs.join('+'));
    const names = wanted.map(({ video, sound }) => (sound ? [video, sound] : [video]).map((one) => FFPROBE_NAMES[one]));
    expect(found.filter((one, n) => one !== found[n - 1])).toEqual(names.map((one) => one.join('+')));
    expect(formats.map(({ video, audio }) => [video?.codec, audio?.codec ?? null])).toEqual(
      wanted.map(({ video, sound }) => [video, sound]),
    );
    // Camera and engine share this process: each of the four requests of a new session may wait while it stands still.
    expect(Math.max(...gapsMs)).toBeLessThanOrEqual(GOP_SECONDS * 1000 + (4 * delays.max) / 1e6);
    // Of what was never described, nobody can read the first pictures.
    expect(breaks.length).toBeLessThanOrEqual(name.startsWith('never') ? changes.length : 0);
  },
  120_000,
);

it.concurrent('[FT-09] without a keyframe after the first the recording continues, and one is requested by RTCP when needed', async () => {
  const obeys = await stage();
  const { faults } = obeys.camera.stream;
  faults.gopSeconds = Infinity;
  await waitFor('pictures of a GOP without end', () => obeys.rig.accessUnits.length > 60, 20_000);
  expect(obeys.rig.accessUnits.filter(({ unit }) => unit.isKey)).toHaveLength(1);
  // Who watches a stream without end begins at its keyframe, as long as that is kept.
  expect(obeys.rig.stream.gop().length).toBeGreaterThan(50);
  // Whoever comes now gets pictures, and none to begin with.
  faults.ignoresKeyframeRequests = true;
  const ignores = await stage(obeys.camera, 'udp');
  await waitFor('pictures that wait for a key picture', () => ignores.rig.source.unitsAwaitingKey > 10, 20_000);
  expect(ignores.rig.accessUnits).toEqual([]);
  expect(ignores.rig.stream.currentState.state).toBe('connecting');
  await obeys.rig.close();
  expect(counterBreaks(await obeys.rig.frames())).toEqual([]);
  // A camera that changes its mind is shown at once.
  faults.ignoresKeyframeRequests = false;
  await waitFor('the key picture that was asked for', () => ignores.rig.accessUnits.length > 0, 5000);
}, 60_000);

it.concurrent('[FT-09] an hour at 8 Mbit/s without a keyframe uses less than 64 MB, and a viewer has one requested', () => {
  const clock = new FakeClock();
  let consumer: StreamConsumer | null = null;
  let asked = 0;
  const stream = new SharedStream({
    key: 'endless',
    clock,
    onConsumerFailure: () => undefined,
    slabs: new SlabPool(),
    open: (taker) => {
      consumer = taker;
      return {
        counters: createSourceCounters(),
        server: null,
        retryNow: () => undefined,
        requestKeyframe: () => (asked += 1),
        close: async () => undefined,
      };
    },
  });
  const source = consumer as unknown as StreamConsumer;
  source.format({
    video: { codec: 'h264', codecString: 'avc1.42c01e', width: 64, height: 64, config: Buffer.of(1) },
    audio: null,
  });
  source.state({ state: 'playing', since: clock.wallMs() });
  let most = 0;
  for (let second = 0; second < 3600; second += 1) {
    // One picture a second stands for all of that second: what counts is bytes.
    const memory = Buffer.allocUnsafeSlow(SAMPLE_HEADER_BYTES + 1_000_000);
    clock.advance(1000);
    source.accessUnit({
      track: 'video',
      data: memory.subarray(SAMPLE_HEADER_BYTES),
      isKey: second === 0,
      dts: second * 90_000,
      ctsOffset: 0,
      wallMs: clock.wallMs(),
      room: SAMPLE_HEADER_BYTES,
    });
    most = Math.max(most, stream.counters().gopBytes);
  }
  const viewer = { init: () => undefined, fragment: () => undefined, state: () => undefined };
  expect(most).toBeGreaterThan(1_000_000);
  expect(most).toBeLessThan(STREAM_MEMORY_BYTES);
  expect(stream.gop()).toEqual([]);
  stream.addViewer(viewer);
  expect(asked).toBe(1);
  process.stdout.write(`format-and-gop: ${JSON.stringify({ endlessGopMaxMB: Math.round(most / 1e6) })}\n`);
});
