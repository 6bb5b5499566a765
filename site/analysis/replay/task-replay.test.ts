// A replay tells what the live path tells of the same frames, decodes only where something moves, and ends as it should.
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { ReplayEvent } from '@vedette/contract/site/site-replay.ts';
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { CodecWorker } from '@vedette/media/codec/codec-worker.ts';
import type { DecodedFrame } from '@vedette/media/codec/decoded-frames.ts';
import type { StoredGop } from '@vedette/media/playback/stored-gops.ts';
import { StreamHub } from '@vedette/media/stream/hub.ts';
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import type { Detection } from '@vedette/rules/scene/detection/detection.ts';
import { MIDDLE, order, region, SQUARE } from '@vedette/rules/scene/made-order.fake.ts';
import { framesOf, stand, walk } from '@vedette/rules/scene/made-scene.fake.ts';
import { expect, it } from 'vitest';
import { AnalystGone } from '../analyst-process.ts';
import { ChannelAnalysis, type ChannelAnalysisOptions } from '../channel-analysis.ts';
import { TaskReplay, type TaskReplayOptions } from './task-replay.ts';

const GOP_MS = 2000;
const [WIDTH, HEIGHT] = [160, 90];
const START_MS = 1_000_000;
const orders = [
  order('lineCrossing', [region('line', MIDDLE)]),
  order('intrusion', [region('zone', SQUARE)]),
  order('counting', [region('line', MIDDLE, { direction: 'in' })]),
];
const frames = framesOf(
  [
    { path: walk([0.05, 0.7], [0.95, 0.7], [12, 24]) },
    { path: walk([0.95, 0.6], [0.05, 0.6], [15, 30]) },
    { path: stand([0.9, 0.9]), objectClass: 'vehicle' },
  ],
  40,
  4,
  START_MS,
);
const foundAt = new Map<number, readonly Detection[]>(frames.map(({ atMs, detections }) => [atMs, detections]));
const pictured = (wallMs: number): DecodedFrame => ({
  width: WIDTH,
  height: HEIGHT,
  rgb: Buffer.alloc(WIDTH * HEIGHT * 3),
  wallMs,
});

const keyframe = {
  format: { codec: 'h264', config: Buffer.alloc(0), width: WIDTH, height: HEIGHT },
  data: Buffer.alloc(0),
} as const;
const gops = (): StoredGop[] =>
  Array.from({ length: 20 }, (_, at) => ({
    wallMs: START_MS + at * GOP_MS,
    endMs: START_MS + (at + 1) * GOP_MS,
    keyframe: () => Promise.resolve(keyframe),
    media: () => Promise.resolve([]),
  }));

/** Every keyframe differs from the one before where `isMoving`. */
function replay(one: AnalysisOrder, more: Partial<TaskReplayOptions> = {}, isMoving = true) {
  const decoded: number[] = [];
  let greys = 0;
  const made = new TaskReplay({
    order: one,
    startMs: START_MS,
    gops: () => Promise.resolve(gops()),
    grey: () => {
      greys += 1;
      return Promise.resolve(new Uint8Array(64 * 36).fill(isMoving && greys % 2 === 0 ? 150 : 60, 0, 128));
    },
    frames: async function* ({ wallMs }) {
      decoded.push(wallMs);
      for (const { atMs } of frames) if (atMs >= wallMs && atMs < wallMs + GOP_MS) yield pictured(atMs);
    },
    detect: ({ wallMs }) => Promise.resolve(foundAt.get(wallMs) ?? []),
    picture: () => Promise.resolve(null),
    signal: new AbortController().signal,
    ...more,
  });
  return { made, decoded };
}

/** Of the live path, given the same frames. */
function liveEvents(one: AnalysisOrder, from: number): DeviceEventReport[] {
  const clock = new FakeClock();
  const reported: DeviceEventReport[] = [];
  const options: ChannelAnalysisOptions = {
    place: { deviceSerial: 'D1', channelNo: 1, channelId: 'c1' },
    hub: new StreamHub({
      clock,
      lingerMs: 0,
      slabs: new SlabPool({ poison: false }),
      onConsumerFailure: () => undefined,
    }),
    fleet: { upstream: () => null },
    clock,
    codec: new CodecWorker({ start: null, clock, decoders: 1 }),
    ffmpeg: () => {
      throw new Error('no pictures are made here');
    },
    offer: () => false,
    report: (event) => {
      if (event.kind === 'deviceEvent') reported.push(event);
    },
    onLook: () => undefined,
    onTracks: () => undefined,
    mayPicture: () => false,
  };
  const live = new ChannelAnalysis(options, [one]);
  live.tick();
  for (const { atMs, detections } of frames) if (atMs >= from) live.seen(pictured(atMs), detections);
  return reported;
}

const brief = ({ type, at, objectClass, direction }: ReplayEvent) => [type, at, objectClass, direction];
const briefly = ({ topic, at, data }: DeviceEventReport) => [
  topic.slice(VIRTUAL_ALARM_TOPIC.length + 1),
  at,
  data['class'] ?? null,
  data['direction'] ?? null,
];

it.each(orders)('[RS-03] tells the same as the live path of the same frames: $algorithm', async (one) => {
  const { made, decoded } = replay(one);
  await made.run();
  const { state, events, recordedMs, doneMs } = made.progress(0);
  expect([state, recordedMs, doneMs]).toEqual(['finished', 40_000, 40_000]);
  expect(events.length).toBeGreaterThan(0);
  const live = liveEvents(one, decoded[0] ?? 0);
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(events.map(brief)).toEqual(live.filter(({ phase }) => phase !== 'end').map(briefly));
});

it('decodes nothing where nothing moves', async () => {
  const { made, decoded } = replay(order('intrusion', [region('zone', SQUARE)]), {}, false);
  await made.run();
  expect(decoded).toEqual([]);
  expect(made.progress(0)).toMatchObject({ state: 'finished', frames: 0, total: 0 });
});

it('passes over what is damaged or was removed, and fails with an analyst that does not come back', async () => {
  const one = order('intrusion', [region('zone', SQUARE)]);
  const broken = gops().map((gop, at) =>
    at === 3 ? { ...gop, media: () => Promise.reject(new RangeError('damaged')) } : gop,
  );
  const damaged = replay(one, { gops: () => Promise.resolve(broken) });
  await damaged.made.run();
  expect(damaged.made.progress(0).state).toBe('finished');
  expect(damaged.decoded).not.toContain(START_MS + 3 * GOP_MS);
  let asked = 0;
  const gone = replay(one, {
    detect: () => {
      asked += 1;
      return Promise.reject(new AnalystGone('gone'));
    },
  });
  await gone.made.run();
  expect(gone.made.progress(0)).toMatchObject({ state: 'failed', fault: 'analyst' });
  expect(asked).toBe(3);
});

it('ends when it is told to, without a word', async () => {
  const ending = new AbortController();
  const { made } = replay(order('intrusion', [region('zone', SQUARE)]), {
    signal: ending.signal,
    detect: () => {
      ending.abort();
      return Promise.reject(ending.signal.reason);
    },
  });
  await made.run();
  expect(made.progress(0)).toMatchObject({ state: 'running', total: 0 });
});
