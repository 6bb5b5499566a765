// Proves that memory that is used again is never read too late: freed memory is poisoned, and every reader reads as late as it may.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_HEADER_BYTES } from '@vedette/protocols/mp4/fragment.ts';
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { createLiveEndpoint } from '../live/live-endpoint.ts';
import { RecordDemand } from '../recorder/record-demand.ts';
import { RecordFilter } from '../recorder/record-filter.ts';
import { Recorder } from '../recorder/recorder.ts';
import { clip, g711Format } from '../recorder/synthetic-stream.fixture.ts';
import { createDisk, type Disk, type DiskFile } from '../recordings/disk.ts';
import { RestreamFeed } from '../restream/restream-feed.ts';
import { createSourceCounters } from './source-counters.ts';
import { StreamHub } from './hub.ts';
import { FRAME_MS, KEYFRAME_EVERY, NumberedCamera, numberOf, AUDIO_BYTES, audioOf } from './numbered-frames.fixture.ts';
import type { SharedStream } from './shared-stream.ts';
import type { AccessUnit, MediaFormat, StreamConsumer } from './stream.ts';

const FORMAT: MediaFormat = { video: clip.format.video, audio: null };
const PICTURES = 30 * KEYFRAME_EVERY;
/** Kind of the wire: video fragment. */
const VIDEO_FRAGMENT = 1;

const stops: (() => unknown)[] = [];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slabs-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await rm(folder, { recursive: true, force: true });
});

function setUp(format = FORMAT) {
  const clock = new FakeClock();
  const failures: unknown[] = [];
  const slabs = new SlabPool({ poison: true });
  const hub = new StreamHub({ clock, slabs, onConsumerFailure: (_, error) => failures.push(error) });
  let camera: NumberedCamera | null = null;
  const open = (consumer: StreamConsumer) => {
    camera = new NumberedCamera(consumer);
    return { counters: createSourceCounters(), server: null, retryNow: () => undefined, close: async () => undefined };
  };
  const { stream } = hub.acquire('camera', open);
  stream.state({ state: 'playing', since: 1 });
  stream.format(format);
  /** Memory that pictures lay in. */
  const memories = new Set<ArrayBufferLike>();
  stops.push(stream.addConsumer({ ...IDLE, holdsSlabs: true, accessUnit: ({ data }) => memories.add(data.buffer) }));
  const play = async (pictures: number): Promise<void> => {
    for (let at = 0; at < pictures; at++) {
      camera?.next();
      if (format.audio) camera?.speak();
      clock.advance(FRAME_MS);
      if (at % 4 === 0) await turns(4);
    }
  };
  return { clock, hub, open, stream, slabs, memories, failures, play };
}

const IDLE: StreamConsumer = {
  format: () => undefined,
  accessUnit: () => undefined,
  discontinuity: () => undefined,
  state: () => undefined,
};

test('memory of a stream without consumers is reused', async () => {
  const { memories, play } = setUp();
  await play(PICTURES);
  expect(memories.size).toBeLessThan(20);
});

test('fast, slow and late viewers get every frame intact', async () => {
  const { clock, hub, open, play, memories } = setUp();
  const endpoint = createLiveEndpoint({
    hub,
    clock,
    authorise: (ticket) =>
      Promise.resolve({ allowed: true, holder: 'account', sessionId: ticket, streamKey: 'camera', open }),
    onFailure: (error) => expect(error).toBeNull(),
  });
  const server = createServer();
  server.on('upgrade', (request, socket, head) => endpoint.handleUpgrade(request, socket, head));
  // Such a socket takes little ahead of its reader.
  const path = join(folder, 'live.sock');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  stops.push(() => server.close());
  // Viewers with the same id share the heads of their frames, too.
  const watch = async (id: number) => {
    const seen: (number | null)[] = [];
    const socket = new WebSocket(`ws+unix:${path}:/media/live`);
    stops.push(() => socket.terminate());
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary || data[0] !== VIDEO_FRAGMENT) return;
      seen.push(data.readUInt16BE(2) === id ? numberOf(data.subarray(12 + SAMPLE_HEADER_BYTES)) : null);
    });
    await vi.waitFor(() => expect(socket.readyState).toBe(WebSocket.OPEN));
    socket.send(JSON.stringify({ type: 'subscribe', id, ticket: 'any', audio: false }));
    return { seen, socket };
  };
  await play(5);
  const quick = await watch(1);
  const slow = await watch(1);
  await vi.waitFor(() => expect(Math.min(quick.seen.length, slow.seen.length)).toBeGreaterThan(0));
  for (let turn = 0; turn < 12; turn++) {
    slow.socket.pause();
    const late = await watch(1 + (turn % 2));
    await play(5 * KEYFRAME_EVERY + 3);
    slow.socket.resume();
    await play(KEYFRAME_EVERY);
    await vi.waitFor(() => expect(late.seen.length).toBeGreaterThan(KEYFRAME_EVERY));
    late.socket.terminate();
    expect(late.seen).not.toContain(null);
  }
  await vi.waitFor(() => expect(quick.seen.at(-1)).toBe(5 + 12 * (6 * KEYFRAME_EVERY + 3) - 1));
  expect(quick.seen).toHaveLength(5 + 12 * (6 * KEYFRAME_EVERY + 3));
  expect(quick.seen).not.toContain(null);
  expect(slow.seen.length).toBeGreaterThan(12 * KEYFRAME_EVERY);
  expect(slow.seen).not.toContain(null);
  // Somebody always read late: still most of the memory was used again.
  expect(memories.size).toBeLessThan(400);
}, 30_000);

/** Of the event loop: so long others may run. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Reads what it was given to write a while later; every so many writes and syncs fail. */
function lateDisk(seen: (number | null)[], failEvery: number): Disk {
  const disk = createDisk();
  let writes = 0;
  let syncs = 0;
  const late = (file: DiskFile): DiskFile => ({
    ...bound(file),
    sync: async () => {
      syncs += 1;
      const mayFail = syncs % failEvery === 0;
      await turns(15);
      if (mayFail) throw Object.assign(new Error('no'), { code: 'EIO' });
      await file.sync();
    },
    writeAll: async (buffers, at) => {
      writes += 1;
      const mayFail = buffers.length > 2 && writes % failEvery === 0;
      await turns(10);
      if (mayFail) throw Object.assign(new Error('no'), { code: 'EIO' });
      await file.writeAll(buffers, at);
      // Clock box and fragment header go ahead of the pictures.
      if (buffers.length > 2) seen.push(...buffers.slice(2).map((buffer) => numberOf(buffer)));
    },
  });
  return {
    ...disk,
    createFile: async (path) => {
      const file = await disk.createFile(path);
      return path.endsWith('.mp4') ? late(file) : file;
    },
  };
}

function recorder(disk: Disk, channelId: string, queueMaxBytes: number): Recorder {
  const made = new Recorder({
    disk,
    key: { channelId, quality: 0 },
    sink: {
      folderForWriting: () => folder,
      opened: () => undefined,
      stored: () => undefined,
      closed: () => undefined,
      failed: () => undefined,
    },
    monotonicMs: () => performance.now(),
    wait: () => turns(10),
    newRunId: () => Math.floor(Math.random() * 1e9),
    onFault: () => undefined,
    queueMaxBytes,
  });
  const ticking = setInterval(() => made.tick(), 50);
  stops.push(() => clearInterval(ticking));
  return made;
}

test.each([
  ['a disk that is slow', 1e9, 1e9],
  ['one that drops what it cannot take', 600_000, 1e9],
  ['one that fails now and then', 1e9, 7],
])('recorders write every frame intact: %s', async (_title, queueMaxBytes, failEvery) => {
  const { stream, play, failures } = setUp();
  const seen: (number | null)[] = [];
  const one = recorder(lateDisk(seen, failEvery), 'cam1', queueMaxBytes);
  const leave = stream.addConsumer(one);
  await play(PICTURES);
  leave();
  one.discontinuity('connected');
  await vi.waitFor(() => expect(one.queuedBytes).toBe(0), 10_000);
  await one.close();
  expect(seen).not.toContain(null);
  expect(seen.length).toBeGreaterThan(0);
  if (queueMaxBytes === 1e9) expect(new Set(seen).size).toBe(PICTURES);
  expect(failures).toEqual([]);
});

test('audio is intact when recorded late and when a consumer retains it', async () => {
  const { stream, play, memories } = setUp({ ...FORMAT, audio: g711Format });
  const recorded: Buffer[] = [];
  const disk = createDisk();
  const late: Disk = {
    ...disk,
    createFile: async (path) => {
      const file = await disk.createFile(path);
      const writeAll: DiskFile['writeAll'] = async (buffers, at) => {
        await turns(10);
        // The audio of a fragment comes last.
        if (path.endsWith('.mp4') && buffers.length > 2) recorded.push(Buffer.from(buffers.at(-1) as Buffer));
        await file.writeAll(buffers, at);
      };
      return { ...bound(file), writeAll };
    },
  };
  const one = recorder(late, 'cam1', 1e9);
  const leave = stream.addConsumer(one);
  for (let at = 0; at < PICTURES; at += 10) {
    await play(10);
    await one.room(400_000);
  }
  leave();
  await one.close();
  expect(memories.size).toBeLessThan(100);
  const kept: Buffer[] = [];
  const keep = { ...IDLE, accessUnit: ({ track, data }: AccessUnit) => track === 'audio' && kept.push(data) };
  stops.push(stream.addConsumer(keep));
  await play(PICTURES);
  expect(soundsIn(recorded)).toEqual(Array.from({ length: PICTURES }, (_, no) => audioOf(no)));
  expect(soundsIn(kept)).toEqual(Array.from({ length: PICTURES }, (_, no) => audioOf(PICTURES + no)));
});

function bound(file: DiskFile): DiskFile {
  return {
    writeAll: (buffers, at) => file.writeAll(buffers, at),
    read: (buffer, at) => file.read(buffer, at),
    truncate: (length) => file.truncate(length),
    size: () => file.size(),
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

/** What each unit says that is whole; null for others. */
function soundsIn(pieces: readonly Buffer[]): (number | null)[] {
  const all = Buffer.concat(pieces);
  return Array.from({ length: all.length / AUDIO_BYTES }, (_, at) => {
    const unit = all.subarray(at * AUDIO_BYTES, (at + 1) * AUDIO_BYTES);
    return unit.every((byte) => byte === unit[0]) ? (unit[0] as number) : null;
  });
}

test('memory of recorded units is reused', async () => {
  const { stream, play, memories } = setUp();
  const one = recorder(lateDisk([], 1e9), 'cam1', 1e9);
  stops.push(stream.addConsumer(one));
  for (let at = 0; at < PICTURES; at += 10) {
    await play(10);
    await one.room(400_000);
  }
  await one.close();
  expect(one.report().counters.picturesStored).toBe(PICTURES);
  expect(memories.size).toBeLessThan(60);
});

test('pre-roll memory is held until it is written or dropped', async () => {
  const { clock, stream, play, memories } = setUp();
  const seen: (number | null)[] = [];
  const one = recorder(lateDisk(seen, 1e9), 'cam1', 1e9);
  const demand = new RecordDemand();
  const plan = { days: [], holidays: [], timeZone: 'UTC' } as never;
  demand.follow({ plan, preRollMs: 5000 });
  const gate = new RecordFilter(one, demand);
  stops.push(stream.addConsumer(gate));
  for (let event = 0; event < 6; event++) {
    await play(8 * KEYFRAME_EVERY + 7);
    const now = clock.wallMs();
    demand.trigger(now, now + 3000);
    gate.update(now);
  }
  gate.leave();
  await one.close();
  expect(seen).not.toContain(null);
  expect(seen.length).toBeGreaterThan(6 * 5 * KEYFRAME_EVERY);
  expect(memories.size).toBeLessThan(200);
});

test('the newest keyframe stays intact for a consumer that retains it', async () => {
  const { stream, play, memories } = setUp();
  const keys: (AccessUnit | undefined)[] = [];
  for (let turn = 0; turn < 10; turn++) {
    await play(KEYFRAME_EVERY + 9);
    keys.push(stream.latestKeyframe()?.unit);
  }
  await play(PICTURES);
  expect(keys.map((key) => (key ? numberOf(key.data) : null))).not.toContain(null);
  expect(memories.size).toBeLessThan(20);
});

test('units stay intact for a consumer that holds no slabs', async () => {
  const { stream, play } = setUp();
  const kept: AccessUnit[] = [];
  const fragments: Buffer[] = [];
  for (let turn = 0; turn < 10; turn++) {
    await play(KEYFRAME_EVERY + 9);
    const leave = [
      stream.addConsumer({ ...IDLE, accessUnit: (unit) => kept.push(unit) }),
      stream.addViewer({
        init: () => undefined,
        state: () => undefined,
        fragment: ({ bytes }) => fragments.push(bytes),
      }),
    ];
    fragments.push(...stream.gop().map(({ bytes }) => bytes));
    await play(9);
    for (const one of leave) one();
  }
  await play(PICTURES);
  expect(kept.map(({ data }) => numberOf(data))).not.toContain(null);
  expect(kept).toHaveLength(10 * 9);
  expect(fragments.map((bytes) => numberOf(bytes.subarray(SAMPLE_HEADER_BYTES)))).not.toContain(null);
});

test('packets for native clients are copies', async () => {
  const { stream, play, memories } = setUp();
  const feed = openFeed(stream);
  const sent: Buffer[] = [];
  await play(3);
  feed.play({ send: (bytes: Buffer) => sent.push(bytes), queuedBytes: 0 } as never, { onEnd: () => undefined });
  await play(PICTURES);
  expect(memories.size).toBeLessThan(20);
  expect(sent.some((bytes) => bytes.includes(Buffer.alloc(64, 0xdb)))).toBe(false);
});

function openFeed(stream: SharedStream): RestreamFeed {
  const counters = { packets: 0, bytes: 0, skippedUnits: 0, unsendableUnits: 0 };
  const feed = new RestreamFeed({ stream, random32: () => 1, monotonicMs: () => performance.now(), counters });
  feed.attach();
  return feed;
}
