// Tests of the stream pusher by RTMP: ffmpeg as the server that receives, and servers that refuse, end the connection, or take nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { parsePublishAddress } from '@vedette/protocols/rtmp/publish-address.ts';
import {
  connectTo,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  takesAll,
} from '@vedette/protocols/rtmp/scripted-server.fake.ts';
import { run } from '../../tests/harness/ffprobe.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import { encodeStream } from '../codec/encoded-stream.fixture.ts';
import { aacFormat, clip, syntheticUnits } from '../recorder/synthetic-stream.fixture.ts';
import { StreamHub } from '../stream/hub.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { AccessUnit, AudioFormat, MediaFormat, StreamConsumer } from '../stream/stream.ts';
import { PushFault } from './push-fault.ts';
import { RtmpOutlet, type RtmpOutletOptions } from './rtmp-outlet.ts';
import { StreamPusher } from './stream-pusher.ts';

const START_MS = 1_800_000_000_000;
const folder = mkdtempSync(path.join(tmpdir(), 'push-'));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Rig {
  readonly source: StreamConsumer;
  readonly pusher: StreamPusher;
}

interface RigOptions extends Partial<Pick<RtmpOutletOptions, 'clock' | 'dial'>> {
  readonly address: string;
  readonly format: MediaFormat | null;
}

function startRig({ address, format, clock = systemClock, dial }: RigOptions): Rig {
  const hub = new StreamHub({ clock, lingerMs: 0, onConsumerFailure: (_, error) => expect.unreachable(String(error)) });
  let source: StreamConsumer | null = null;
  const pusher = new StreamPusher({
    hub,
    clock,
    streamKey: 'A/1/0',
    open: (consumer) => {
      source = consumer;
      queueMicrotask(() => {
        consumer.state({ state: 'playing', since: START_MS });
        if (format) consumer.format(format);
      });
      return {
        counters: createSourceCounters(),
        server: null,
        retryNow: () => undefined,
        close: async () => undefined,
      };
    },
    outlet: new RtmpOutlet({
      clock,
      address: parsePublishAddress(address),
      dial: dial ?? (async ({ port }) => await connectTo(port)),
      randomBytes,
    }),
    random: () => 0,
    onSent: () => undefined,
  });
  ends.push(
    () => pusher.stop(),
    () => hub.close(),
  );
  if (source === null) throw new Error('the stream was not opened');
  return { source, pusher };
}

interface Listener {
  readonly address: string;
  readonly file: string;
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
}

/** ffmpeg takes one stream and keeps it as it comes. */
async function startFfmpegListener(name: string): Promise<Listener> {
  const port = await freePort();
  const address = `rtmp://127.0.0.1:${port}/live/one`;
  const file = path.join(folder, `${name}.mkv`);
  const args = ['-v', 'error', '-listen', '1', '-i', address, '-c', 'copy', '-copyts', '-y', file];
  const child = spawn('ffmpeg', args, { stdio: 'ignore' });
  ends.push(() => child.kill('SIGKILL'));
  return { address, file, process: child, ended: once(child, 'exit') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Hashes of decoded frames in order. */
async function frameHashes(file: string): Promise<string[]> {
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, '-map', '0:v', '-f', 'framemd5', '-']);
  return stdout.split('\n').flatMap((line) => (/^\d/u.test(line) ? [line.split(',').at(-1)?.trim() ?? ''] : []));
}

async function packetTimes(file: string, track: 'v' | 'a'): Promise<number[]> {
  const what = ['-select_streams', track, '-show_entries', 'packet=dts_time', '-of', 'csv=p=0', file];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...what]);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [Math.round(Number.parseFloat(line) * 1000)]));
}

const live = (pusher: StreamPusher) => waitFor('the push is live', () => pusher.status.state === 'live');
const bytesOf = (units: readonly AccessUnit[]): number => units.reduce((sum, { data }) => sum + data.length, 0);

/** Everything fed reaches ffmpeg: the first GOP before the connection is there, the rest afterwards. */
async function pushed(name: string, format: MediaFormat, units: readonly AccessUnit[]): Promise<string> {
  const listener = await startFfmpegListener(name);
  const { source, pusher } = startRig({ address: listener.address, format });
  await Promise.resolve();
  const known = units.slice(0, 20);
  for (const unit of known) source.accessUnit(unit);
  await live(pusher);
  for (const unit of units.slice(20)) source.accessUnit(unit);
  await waitFor('all is sent', () => pusher.status.sentBytes === bytesOf(units));
  await pusher.stop();
  await listener.ended;
  return listener.file;
}

describe('a stream pusher', () => {
  it('brings every frame of H.264 and AAC to ffmpeg, equal and at its time', { timeout: 60_000 }, async () => {
    const format = { ...clip.format, audio: aacFormat };
    const units = [...syntheticUnits({ startMs: START_MS, seconds: 8, audio: aacFormat })];
    const file = await pushed('h264', format, units);
    const source = await frameHashes(new URL('../recorder/fixtures/clip.h264', import.meta.url).pathname);
    const received = await frameHashes(file);
    expect(received).toHaveLength(160);
    expect(received).toEqual([...source, ...source]);
    expect(await packetTimes(file, 'v')).toEqual(Array.from({ length: 160 }, (_, n) => n * 50));
    const sounds = await packetTimes(file, 'a');
    expect(sounds).toHaveLength(125);
    expect(sounds.at(-1)).toBe(Math.round((777 + 124 * 1024) / 16));
  });

  it('sends frames in decoding order with their display times', { timeout: 60_000 }, async () => {
    const encoder = ['-c:v', 'libx264', '-bf', '2', '-g', '25', '-pix_fmt', 'yuv420p'];
    const { format, samples } = await encodeStream({ codec: 'h264', size: '160x96', seconds: 2, fps: 25, encoder });
    const units = samples.map((sample) => ({ track: 'video' as const, ...sample, wallMs: START_MS + sample.dts / 90 }));
    expect(units.some(({ ctsOffset }) => ctsOffset > 0)).toBe(true);
    const file = await pushed('b-frames', { video: format, audio: null }, units);
    expect(await frameHashes(file)).toHaveLength(50);
    const what = ['-show_entries', 'frame=pts_time', '-of', 'csv=p=0', file];
    const { stdout } = await run('ffprobe', ['-v', 'error', '-select_streams', 'v', ...what]);
    const times = stdout.split('\n').filter(Boolean).map(Number.parseFloat);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('sends H.265 by Enhanced RTMP, its configuration first and every byte after it', { timeout: 60_000 }, async () => {
    const encoder = ['-c:v', 'libx265', '-x265-params', 'log-level=error:bframes=0:keyint=25', '-pix_fmt', 'yuv420p'];
    const { format, samples } = await encodeStream({ codec: 'h265', size: '160x96', seconds: 2, fps: 25, encoder });
    const units = samples.map((sample) => ({ track: 'video' as const, ...sample, wallMs: START_MS + sample.dts / 90 }));
    const server = await scripted(takesAll);
    const { source, pusher } = startRig({ address: addressOf(server), format: { video: format, audio: null } });
    await live(pusher);
    for (const unit of units) source.accessUnit(unit);
    const bodies = () => server.messages.filter(({ type }) => type === 9).map(({ payload }) => payload);
    await waitFor('all frames', () => bodies().length === units.length + 1);
    const [config, ...frames] = bodies();
    expect(config?.subarray(0, 5)).toEqual(Buffer.from('\x90hvc1', 'latin1'));
    expect(config?.subarray(5)).toEqual(format.config);
    expect(frames.map((body) => body.subarray(1, 5).toString())).toEqual(units.map(() => 'hvc1'));
    expect(frames.map((body) => body[0])).toEqual(units.map(({ isKey }) => (isKey ? 0x93 : 0xa3)));
    expect(Buffer.concat(frames.map((body) => body.subarray(5)))).toEqual(Buffer.concat(units.map(({ data }) => data)));
  });

  it('begins again with the kept GOP after the server ended the connection', { timeout: 60_000 }, async () => {
    const server = await scripted(takesAll);
    const { source, pusher } = startRig({ address: addressOf(server), format: clip.format });
    const units = [...syntheticUnits({ startMs: START_MS, seconds: 1 })];
    await Promise.resolve();
    for (const unit of units) source.accessUnit(unit);
    await waitFor('the first frames came', () => frames(server) === units.length);
    server.drop();
    await waitFor('it is seen', () => pusher.status.reason === 'closed');
    await waitFor('all of the GOP came again', () => frames(server) === 2 * units.length);
    expect(pusher.status).toMatchObject({ state: 'live', reason: null });
  });

  it('notices a server that takes nothing any more', { timeout: 60_000 }, async () => {
    const clock = new FakeClock();
    const server = await scripted(takesAll);
    const { source, pusher } = startRig({ address: addressOf(server), format: clip.format, clock });
    await live(pusher);
    server.pause();
    const data = Buffer.alloc(1_000_000);
    for (let n = 0; n < 40; n += 1) {
      source.accessUnit({ track: 'video', data, isKey: true, dts: n * 3600, ctsOffset: 0, wallMs: START_MS + n * 40 });
      await clock.advanceAsync(10);
    }
    const sent = pusher.status.sentBytes;
    expect(sent).toBeLessThan(40_000_000);
    await clock.advanceAsync(12_000);
    await waitFor('it is seen', () => pusher.status.reason === 'timeout');
    expect(pusher.status.state).toBe('retrying');
  });

  const refuses: Script = (name, args) =>
    name === 'publish'
      ? [['onStatus', null, { level: 'error', code: 'NetStream.Publish.BadName' }]]
      : takesAll(name, args);
  it('says why it does not go on, and tries again later and later', { timeout: 60_000 }, async () => {
    const clock = new FakeClock();
    const server = await scripted(refuses);
    const { pusher } = startRig({ address: addressOf(server), format: clip.format, clock });
    for (const pauseMs of [1000, 2000, 4000]) {
      await waitFor('it waits', () => clock.next() !== null && pusher.status.state === 'retrying');
      expect(pusher.status.reason).toBe('refused');
      const tries = publishes(server);
      await clock.advanceAsync(pauseMs - 1);
      expect(publishes(server)).toBe(tries);
      await clock.advanceAsync(1);
      await waitFor('it tried again', () => publishes(server) === tries + 1);
    }
  });

  it('says that a camera sends nothing that RTMP carries, and that the policy refuses an address', async () => {
    const mjpeg = { codec: 'mjpeg', codecString: 'mjpeg', width: 640, height: 360, config: Buffer.alloc(0) } as const;
    const ofJpeg = startRig({ address: 'rtmp://127.0.0.1:9/live/one', format: { video: mjpeg, audio: null } });
    await waitFor('it is told', () => ofJpeg.pusher.status.reason === 'codec');
    const dial = () => Promise.reject(new PushFault('address', 'refused'));
    const closed = startRig({ address: 'rtmp://127.0.0.1:9/live/one', format: clip.format, dial });
    await waitFor('it is told', () => closed.pusher.status.reason === 'address');
  });

  it('leaves G.711 out, and sends the video', { timeout: 60_000 }, async () => {
    const pcma: AudioFormat = {
      codec: 'pcma',
      codecString: 'alaw',
      sampleRate: 8000,
      channels: 1,
      config: Buffer.alloc(0),
    };
    const units = [...syntheticUnits({ startMs: START_MS, seconds: 2 })];
    const file = await pushed('g711', { ...clip.format, audio: pcma }, units);
    expect(await frameHashes(file)).toHaveLength(40);
    expect(await packetTimes(file, 'a')).toEqual([]);
  });
});

async function scripted(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  ends.push(() => server.close());
  return server;
}

const addressOf = ({ port }: ScriptedServer): string => `rtmp://127.0.0.1:${port}/live/one`;
const publishes = ({ commands }: ScriptedServer): number => commands.filter(([name]) => name === 'publish').length;
/** Without the configuration, whose packet type is 0. */
const frames = ({ messages }: ScriptedServer): number =>
  messages.filter(({ type, payload }) => type === 9 && payload[1] === 1).length;
