// Proves the hub: one upstream per stream, linger, fragments built once with the header in the source's own memory, GOP cache.
import { readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { SAMPLE_HEADER_BYTES } from '@vedette/protocols/mp4/fragment.ts';
import { expect, test, vi } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import type { OpenSource } from './source.ts';
import { createSourceCounters } from './source-counters.ts';
import { StreamHub } from './hub.ts';
import type { LiveFragment } from './live-fragment.ts';
import type { SharedStream, StreamViewer } from './shared-stream.ts';
import type { AccessUnit, MediaFormat, StreamConsumer } from './stream.ts';

const format: MediaFormat = {
  video: { codec: 'h264', codecString: 'avc1.42c01e', width: 64, height: 64, config: Buffer.of(1, 2, 3) },
  audio: { codec: 'pcma', codecString: 'alaw', sampleRate: 8000, channels: 1, config: Buffer.alloc(0) },
};

function unit(dts: number, isKey: boolean, track: 'video' | 'audio' = 'video'): AccessUnit {
  const memory = Buffer.alloc(SAMPLE_HEADER_BYTES + 50, 7);
  return {
    track,
    data: memory.subarray(SAMPLE_HEADER_BYTES),
    isKey,
    dts,
    ctsOffset: 0,
    wallMs: 1000 + dts,
    room: SAMPLE_HEADER_BYTES,
  };
}

function setUp() {
  const clock = new FakeClock();
  const failures: unknown[] = [];
  const hub = new StreamHub({ clock, lingerMs: 5000, onConsumerFailure: (_, error) => failures.push(error) });
  const upstreams: { consumer: StreamConsumer; closed: boolean }[] = [];
  const open: OpenSource = (consumer) => {
    const upstream = { consumer, closed: false };
    upstreams.push(upstream);
    return {
      counters: createSourceCounters(),
      server: null,
      retryNow: () => undefined,
      close: async () => {
        upstream.closed = true;
      },
    };
  };
  return { clock, hub, open, upstreams, failures };
}

function watch(stream: SharedStream): {
  fragments: LiveFragment[];
  inits: number;
  states: string[];
  leave: () => void;
} {
  const seen = { fragments: [] as LiveFragment[], inits: 0, states: [] as string[], leave: () => undefined as void };
  const viewer: StreamViewer = {
    init: () => {
      seen.inits += 1;
    },
    fragment: (fragment) => seen.fragments.push(fragment),
    state: (state) => seen.states.push(state.state),
  };
  seen.leave = stream.addViewer(viewer);
  return seen;
}

test('pulls a device once for all consumers and releases it after a while', async () => {
  const { clock, hub, open, upstreams } = setUp();
  const first = hub.acquire('a', open);
  const second = hub.acquire('a', open);
  expect(first.stream).toBe(second.stream);
  expect(upstreams).toHaveLength(1);
  first.release();
  first.release();
  clock.advance(6000);
  expect(upstreams[0]?.closed).toBe(false);
  second.release();
  clock.advance(4000);
  hub.acquire('a', open).release();
  clock.advance(4000);
  expect(upstreams[0]?.closed).toBe(false);
  clock.advance(1000);
  await vi.waitFor(() => expect(upstreams[0]?.closed).toBe(true));
  expect(hub.stream('a')).toBeNull();
  hub.acquire('a', open);
  expect(upstreams).toHaveLength(2);
  await hub.close();
  expect(upstreams[1]?.closed).toBe(true);
});

test('a stream that was ended is opened anew, though it lingered or somebody has it still', async () => {
  const { clock, hub, open, upstreams } = setUp();
  const held = hub.acquire('camera/1/0', open);
  await hub.end('camera/1/0');
  expect(upstreams.map(({ closed }) => closed)).toEqual([true]);
  const next = hub.acquire('camera/1/0', open);
  expect(next.stream).not.toBe(held.stream);
  // Releasing the ended one does not count for the new one.
  held.release();
  await clock.advanceAsync(60_000);
  expect(upstreams.map(({ closed }) => closed)).toEqual([true, false]);
  next.release();
  await hub.end('camera/1/0');
  await hub.end('camera/1/0');
  expect(hub.streams()).toEqual([]);
});

test('a fragment is made once, in the memory of its unit, and shared by reference', () => {
  const { hub, open, upstreams } = setUp();
  const { stream } = hub.acquire('a', open);
  const source = upstreams[0]?.consumer as StreamConsumer;
  const [one, two] = [watch(stream), watch(stream)];
  source.format(format);
  const sent = unit(9000, true);
  source.accessUnit(sent);
  source.accessUnit(unit(12_600, false));
  expect(one.fragments[0]).toBe(two.fragments[0]);
  const bytes = one.fragments[0]?.bytes as Buffer;
  expect(bytes.buffer).toBe(sent.data.buffer);
  expect(bytes.subarray(SAMPLE_HEADER_BYTES)).toEqual(sent.data);
  expect(readFragment(one.fragments[1]?.bytes as Buffer, 0)).toMatchObject([
    { trackId: 1, baseDts: 12_600, samples: [{ size: 50, duration: 3600 }] },
  ]);
  source.accessUnit(unit(0, true, 'audio'));
  expect(one.fragments[2]).toMatchObject({ kind: 'audio-raw' });
  expect(one.fragments[2]?.bytes).toHaveLength(50);
  expect(one.inits).toBe(1);
});

test('cached units become fragments when a viewer comes, with their own times', () => {
  const { hub, open, upstreams } = setUp();
  const { stream } = hub.acquire('a', open);
  const source = upstreams[0]?.consumer as StreamConsumer;
  source.format(format);
  const units = [unit(9000, true), unit(12_600, false), unit(19_800, false)];
  for (const one of units) source.accessUnit(one);
  const heads = units.map(({ data }) => Buffer.from(data.buffer, data.byteOffset - SAMPLE_HEADER_BYTES, 8));
  expect(heads.map((head) => head.every((byte) => byte === 7))).toEqual([true, true, true]);
  const [early, viewer] = [watch(stream), watch(stream)];
  source.accessUnit(unit(23_400, false));
  const made = stream.gop();
  expect(stream.gop()[0]).toBe(made[0]);
  expect(made[3]).toBe(viewer.fragments[0]);
  expect(early.fragments).toHaveLength(1);
  const runs = made.flatMap(({ bytes }) => readFragment(bytes, 0));
  expect(runs.map(({ baseDts, samples }) => [baseDts, samples[0]?.duration])).toEqual([
    [9000, 3600],
    [12_600, 3600],
    [19_800, 7200],
    [23_400, 3600],
  ]);
  // moof, mfhd: the number in the series.
  expect(made.map(({ bytes }) => bytes.readUInt32BE(20))).toEqual([1, 2, 3, 4]);
  expect(stream.counters().fragmentBytes).toBe(4 * (SAMPLE_HEADER_BYTES + 50));
});

test('the cache holds everything since the newest keyframe, and nothing older', () => {
  const { clock, hub, open, upstreams } = setUp();
  const { stream } = hub.acquire('a', open);
  const source = upstreams[0]?.consumer as StreamConsumer;
  source.format(format);
  source.accessUnit(unit(0, false));
  expect(stream.gop()).toHaveLength(0);
  for (const dts of [1, 2, 3]) source.accessUnit(unit(dts, dts !== 2));
  source.accessUnit(unit(4, false));
  expect(stream.gop().map((fragment) => fragment.wallMs)).toEqual([1003, 1004]);
  expect(stream.latestKeyframe()?.unit.dts).toBe(3);
  clock.advance(6000);
  expect(stream.gop()).toHaveLength(0);
  expect(stream.latestKeyframe()).toBeNull();
  source.accessUnit(unit(5, true));
  source.state({ state: 'failed', reason: 'timeout', retryAt: 1 });
  expect(stream.gop()).toHaveLength(0);
});

test('a consumer gets format and state at once, and one that throws is dropped alone', () => {
  const { hub, open, upstreams, failures } = setUp();
  const { stream } = hub.acquire('a', open);
  const source = upstreams[0]?.consumer as StreamConsumer;
  source.state({ state: 'playing', since: 1 });
  source.format(format);
  const calls: string[] = [];
  const good: StreamConsumer = {
    format: () => calls.push('format'),
    accessUnit: () => calls.push('unit'),
    discontinuity: (reason) => calls.push(reason),
    state: (state) => calls.push(state.state),
  };
  const leave = stream.addConsumer(good);
  const bad = () => {
    throw new Error('broken consumer');
  };
  stream.addConsumer({
    format: () => undefined,
    accessUnit: bad,
    discontinuity: () => undefined,
    state: () => undefined,
  });
  source.accessUnit(unit(1, true));
  source.accessUnit(unit(2, true));
  leave();
  source.accessUnit(unit(3, true));
  expect(calls).toEqual(['playing', 'format', 'connected', 'unit', 'unit']);
  expect(failures).toHaveLength(1);
  expect(stream.counters()).toMatchObject({ consumers: 0, consumerFailures: 1, fragments: 3 });
});

test('a new upstream takes over and all consumers stay', async () => {
  const { hub, open, upstreams } = setUp();
  const { stream } = hub.acquire('a', open);
  const viewer = watch(stream);
  await hub.replace('a', open);
  expect(upstreams.map((upstream) => upstream.closed)).toEqual([true, false]);
  upstreams[1]?.consumer.format(format);
  upstreams[1]?.consumer.accessUnit(unit(1, true));
  expect(viewer.fragments).toHaveLength(1);
});

test('the source may read in rounds while there are no viewers and all consumers allow it', () => {
  const { hub, open, upstreams } = setUp();
  const { stream } = hub.acquire('a', open);
  const isPatient = (): boolean | undefined => upstreams[0]?.consumer.isPatient;
  const taker = (more: Partial<StreamConsumer>): StreamConsumer => ({
    format: () => undefined,
    accessUnit: () => undefined,
    discontinuity: () => undefined,
    state: () => undefined,
    ...more,
  });
  expect(isPatient()).toBe(true);
  stream.addConsumer(taker({ isPatient: true }));
  expect(isPatient()).toBe(true);
  const { leave } = watch(stream);
  expect(isPatient()).toBe(false);
  leave();
  expect(isPatient()).toBe(true);
  stream.addConsumer(taker({}))();
  expect(isPatient()).toBe(true);
  stream.addConsumer(taker({}));
  expect(isPatient()).toBe(false);
});
