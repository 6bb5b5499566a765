// Why a channel is not recorded, as its notes say it: a lost stream and an awaited keyframe are no fault of the disk.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { RecordDemand } from '@vedette/media/recorder/record-demand.ts';
import { clip, syntheticUnits } from '../../media/recorder/synthetic-stream.fixture.ts';
import { createDisk, type Disk } from '@vedette/media/recordings/disk.ts';
import { Recordings } from '@vedette/media/recordings/recordings.ts';
import { StreamHub } from '@vedette/media/stream/hub.ts';
import type { OpenSource } from '@vedette/media/stream/source.ts';
import { createSourceCounters } from '@vedette/media/stream/source-counters.ts';
import type { AccessUnit, StreamConsumer } from '@vedette/media/stream/stream.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChannelRecorder } from './channel-recorder.ts';

const KEY = { channelId: 'cam1', quality: 0 } as const;
const FRAME_MS = 50;
const closing: (() => Promise<void>)[] = [];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'channel-recorder-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await rm(folder, { recursive: true, force: true });
});

/** `work.pending`: so much of the disk's work is going on. */
function counted(disk: Disk, work: { pending: number }): Disk {
  const count = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (of, name) => {
        const member: unknown = Reflect.get(of, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          work.pending += 1;
          try {
            const result: unknown = await Reflect.apply(member, of, args);
            return name === 'createFile' ? count(result as object) : result;
          } finally {
            // What follows from it has begun by then.
            setImmediate(() => {
              work.pending -= 1;
            });
          }
        };
      },
    });
  return count(disk);
}

/** One recorded camera whose pictures and clock the test moves. */
async function recordedCamera(real: Disk = createDisk()) {
  const work = { pending: 0 };
  const disk = counted(real, work);
  const clock = new FakeClock();
  const counters = createSourceCounters();
  let consumer: StreamConsumer | null = null;
  const open: OpenSource = (opened) => {
    consumer = opened;
    return { counters, server: null, retryNow: () => undefined, close: async () => undefined };
  };
  const recordings = new Recordings({
    disk,
    folder,
    limits: { budgetBytes: 1e15, reserveBytes: 0 },
    rules: { retentionDays: () => null, quotaBytes: () => null, isLocked: () => false },
    knownId: null,
    newId: () => 'test',
    writer: { self: 'test', isGone: () => Promise.resolve(true) },
    wallMs: () => clock.wallMs(),
    monotonicMs: () => clock.monotonicMs(),
    log: { info: () => undefined, warn: () => undefined },
  });
  await recordings.check();
  const hub = new StreamHub({ clock, onConsumerFailure: (_, error) => expect.fail(String(error)) });
  const demand = new RecordDemand();
  demand.follow({ preRollMs: 0 });
  const recorder = new ChannelRecorder({
    hub,
    clock,
    disk,
    recordings,
    key: KEY,
    demand,
    streamKey: 'cam1/0',
    open,
    isDeviceOffline: () => false,
    onFault: () => undefined,
  });
  closing.push(async () => {
    await recorder.close();
    await hub.close();
    await recordings.close();
  });
  const source = consumer as unknown as StreamConsumer;
  const units = syntheticUnits({ startMs: clock.wallMs(), seconds: 600 });
  const wait = async (ms: number, each: () => void = () => undefined): Promise<void> => {
    for (let passed = 0; passed < ms; passed += FRAME_MS) {
      each();
      clock.advance(FRAME_MS);
      if (passed % 250 !== 0) continue;
      recorder.tick();
      if (passed % 2500 === 0) await recordings.check();
      // The disk is real, and its time is not that of the clock.
      await vi.waitFor(() => expect(work.pending).toBe(0), { interval: 1 });
    }
  };
  const next = (): AccessUnit => units.next().value as AccessUnit;
  const begin = (): void => {
    source.format(clip.format);
    source.state({ state: 'playing', since: clock.wallMs() });
  };
  return {
    counters,
    recorder,
    source,
    wait,
    next,
    begin,
    record: async (ms: number): Promise<void> => await wait(ms, () => source.accessUnit(next())),
    reasons: () => recordings.store.notes(KEY).map(({ kind }) => kind),
  };
}

test('a stream that ends or breaks off is lost, and never a fault of the disk', async () => {
  const camera = await recordedCamera();
  camera.begin();
  await camera.record(4000);
  // The device says goodbye a moment later.
  await camera.wait(2700);
  camera.source.state({ state: 'failed', reason: 'unreachable', retryAt: 0 });
  await camera.wait(9000);
  await camera.recorder.close();
  expect(camera.reasons()).toEqual(['streamLost']);
});

test('pictures with the next keyframe far away: the recording waits for it, and says so', async () => {
  const camera = await recordedCamera();
  camera.begin();
  await camera.wait(50_000, () => camera.source.accessUnit({ ...camera.next(), isKey: false }));
  expect(camera.recorder.isAwaitingKeyframe).toBe(true);
  await camera.record(4000);
  expect([camera.recorder.isAwaitingKeyframe, camera.reasons()]).toEqual([false, ['awaitingKeyframe']]);
});

test('pictures that the source leaves out after a loss: a keyframe is awaited, the disk is well', async () => {
  const camera = await recordedCamera();
  camera.begin();
  await camera.record(4000);
  await camera.wait(20_000, () => {
    camera.counters.unitsAwaitingKey += 1;
  });
  expect(camera.recorder.isAwaitingKeyframe).toBe(true);
  await camera.recorder.close();
  expect(camera.reasons()).toEqual(['awaitingKeyframe']);
});

test('a source without any keyframe fails as such, and so does the recording', async () => {
  const camera = await recordedCamera();
  camera.source.state({ state: 'failed', reason: 'no-key-picture', retryAt: 0 });
  await camera.wait(10_000);
  await camera.recorder.close();
  expect(camera.reasons()).toEqual(['awaitingKeyframe']);
});

test('a disk that takes nothing is the reason, whatever comes', async () => {
  const disk = createDisk();
  const camera = await recordedCamera({
    ...disk,
    createFile: async (path) => {
      if (path.includes('/cam1/')) throw new Error('planted');
      return await disk.createFile(path);
    },
  });
  camera.begin();
  await camera.record(20_000);
  // Noted again after each moment in which the disk seemed well.
  expect(new Set(camera.reasons())).toEqual(new Set(['disk']));
});
