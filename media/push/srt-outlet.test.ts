// Tests of pushes by SRT: ffmpeg as the server that receives, a wrong passphrase, and nobody who answers.
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { parseSrtAddress, type SrtAddress } from '@vedette/rules/cdn/srt-address.ts';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { run, verifyMedia } from '../../tests/harness/ffprobe.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import { ffmpegStarter, findFfmpeg, type StartFfmpeg } from '../codec/ffmpeg-process.ts';
import { encodeStream } from '../codec/encoded-stream.fixture.ts';
import { aacFormat, clip, syntheticUnits } from '../recorder/synthetic-stream.fixture.ts';
import { StreamHub } from '../stream/hub.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { AccessUnit, MediaFormat, StreamConsumer } from '../stream/stream.ts';
import { PushFault } from './push-fault.ts';
import { SrtOutlet, type SrtOutletOptions } from './srt-outlet.ts';
import { StreamPusher } from './stream-pusher.ts';

const START_MS = 1_800_000_000_000;
const LATE_FRAMES = 15;
const PASSPHRASE = 'a passphrase of the test'.replaceAll(' ', '-');
const searchPath = process.env['PATH'] ?? '';
const start = ffmpegStarter(findFfmpeg('ffmpeg', searchPath) ?? 'ffmpeg', searchPath);
const folder = mkdtempSync(path.join(tmpdir(), 'srt-'));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});
afterAll(() => rmSync(folder, { recursive: true }));

function outletTo(port: number, more: Partial<SrtOutletOptions> & { query?: string } = {}): SrtOutlet {
  const { query = '', ...options } = more;
  const address = parseSrtAddress(`srt://127.0.0.1:${port}${query}`) as SrtAddress;
  return new SrtOutlet({
    clock: systemClock,
    address,
    passphrase: '',
    resolve: async ({ host }) => host,
    start,
    ...options,
  });
}

function push(outlet: SrtOutlet, format: MediaFormat): { source: StreamConsumer; pusher: StreamPusher } {
  const clock = systemClock;
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
        consumer.format(format);
      });
      const nothing = { counters: createSourceCounters(), server: null, retryNow: () => undefined };
      return { ...nothing, close: async () => undefined };
    },
    outlet,
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
  readonly port: number;
  readonly file: string;
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
}

/** ffmpeg takes one stream and keeps it as it comes. */
async function ffmpegListener(name: string, query = ''): Promise<Listener> {
  const port = await freePort();
  const file = path.join(folder, `${name}.ts`);
  const url = `srt://127.0.0.1:${port}?mode=listener${query}`;
  const child = spawn('ffmpeg', ['-v', 'error', '-i', url, '-map', '0', '-c', 'copy', '-copyts', '-y', file], {
    stdio: 'ignore',
  });
  return await listening(port, file, child);
}

async function listening(port: number, file: string, child: ChildProcess): Promise<Listener> {
  ends.push(() => child.kill('SIGKILL'));
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  await waitFor('it to listen', () => readFileSync('/proc/net/udp', 'utf8').includes(`:${hex} `));
  return { port, file, process: child, ended: once(child, 'exit') };
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}

const live = (pusher: StreamPusher) => waitFor('the push is live', () => pusher.status.state === 'live');
const reason = (pusher: StreamPusher) => waitFor('it to say why', () => pusher.status.reason ?? false, 20_000);

async function frameHashes(file: string): Promise<string[]> {
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, '-map', '0:v', '-f', 'framemd5', '-']);
  return stdout.split('\n').flatMap((line) => (/^\d/u.test(line) ? [line.split(',').at(-1)?.trim() ?? ''] : []));
}

/** In real time: SRT drops what comes too late. */
async function play(source: StreamConsumer, units: readonly AccessUnit[], isOver = () => false): Promise<void> {
  const began = performance.now();
  for (const unit of units) {
    const dueMs = unit.wallMs - START_MS;
    if (isOver()) return;
    await waitFor('its time', () => performance.now() - began >= dueMs);
    source.accessUnit(unit);
  }
}

async function received({ source, pusher }: ReturnType<typeof push>, to: Listener, units: readonly AccessUnit[]) {
  await Promise.resolve();
  await play(source, units);
  await live(pusher);
  // What was written is sent with the next report at the latest.
  const sent = pusher.status.sentBytes;
  await waitFor('the last report', () => pusher.status.sentBytes > sent || pusher.status.sentBytes > 0);
  const stoppedAt = performance.now();
  await pusher.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(2000);
  // It was told that the stream ends.
  await to.ended;
}

describe('a push by SRT', () => {
  it('brings every frame of H.264 and AAC to ffmpeg, encrypted, and tells its stream id', {
    timeout: 60_000,
  }, async () => {
    const to = await ffmpegListener('h264', `&passphrase=${PASSPHRASE}`);
    const started: string[][] = [];
    const watched: StartFfmpeg = (args, place) => {
      const call = start(args, place);
      // What every user of the machine sees.
      started.push([...args, readFileSync(`/proc/${call.pid}/cmdline`, 'utf8')]);
      return call;
    };
    const outlet = outletTo(to.port, {
      passphrase: PASSPHRASE,
      start: watched,
      query: '?streamid=#!::r=live/secret-name,m=publish&latency=300&pbkeylen=32',
    });
    const units = [...syntheticUnits({ startMs: START_MS, seconds: 4, audio: aacFormat })];
    const pushed = push(outlet, { ...clip.format, audio: aacFormat });
    await received(pushed, to, units);
    const source = await frameHashes(new URL('../recorder/fixtures/clip.h264', import.meta.url).pathname);
    const frames = await frameHashes(to.file);
    // A receiver keeps back what is younger than its latency, and forgets it when the stream ends.
    expect(frames.length).toBeGreaterThan(source.length - LATE_FRAMES);
    expect(frames).toEqual(source.slice(0, frames.length));
    expect(await verifyMedia(to.file)).toMatchObject({ errors: '', codecs: ['h264', 'aac'] });
    expect(started).not.toEqual([]);
    expect(JSON.stringify(started)).not.toMatch(/secret-name|passphrase/u);
    const left = () => readdirSync('/dev/shm').filter((name) => name.startsWith('vedette-'));
    await waitFor('no secret to be left', () => left().length === 0);
  });

  it('brings H.265 with frames that are displayed in another order', { timeout: 60_000 }, async () => {
    const encoder = ['-c:v', 'libx265', '-x265-params', 'log-level=error:bframes=2:keyint=25', '-pix_fmt', 'yuv420p'];
    const { format, samples } = await encodeStream({ codec: 'h265', size: '160x96', seconds: 3, fps: 25, encoder });
    const units = samples.map((sample) => ({ track: 'video' as const, ...sample, wallMs: START_MS + sample.dts / 90 }));
    const to = await ffmpegListener('h265');
    const pushed = push(outletTo(to.port), { video: format, audio: null });
    await received(pushed, to, units);
    const { errors, codecs, frames } = await verifyMedia(to.file);
    expect({ errors, codecs }).toEqual({ errors: '', codecs: ['hevc'] });
    expect(frames).toBeGreaterThan(units.length - LATE_FRAMES);
  });

  it('tries again when the server was away, and says so', { timeout: 60_000 }, async () => {
    const to = await ffmpegListener('away');
    const { source, pusher } = push(outletTo(to.port), clip.format);
    await Promise.resolve();
    const units = [...syntheticUnits({ startMs: START_MS, seconds: 40 })];
    let isOver = false;
    const playing = play(source, units, () => isOver);
    await live(pusher);
    to.process.kill('SIGKILL');
    expect(await reason(pusher)).toMatch(/^(?:closed|unreachable)$/u);
    const again = spawn('ffmpeg', ['-v', 'error', '-i', `srt://127.0.0.1:${to.port}?mode=listener`, '-f', 'null', '-']);
    ends.push(() => again.kill('SIGKILL'));
    await live(pusher);
    await pusher.stop();
    expect(pusher.status.sentBytes).toBeGreaterThan(0);
    isOver = true;
    await playing;
  });

  it('says that the passphrase is wrong or missing, and a probe says the same', { timeout: 60_000 }, async () => {
    for (const passphrase of ['another-passphrase', '']) {
      const to = await ffmpegListener('wrong', `&passphrase=${PASSPHRASE}`);
      const outlet = outletTo(to.port, { passphrase });
      await expect(outlet.probe(AbortSignal.timeout(9000))).rejects.toMatchObject({ reason: 'credentials' });
      const { source, pusher } = push(outlet, clip.format);
      await Promise.resolve();
      for (const unit of syntheticUnits({ startMs: START_MS, seconds: 1 })) source.accessUnit(unit);
      expect(await reason(pusher)).toBe('credentials');
      await pusher.stop();
      to.process.kill('SIGKILL');
    }
  });

  it('is probed without media', { timeout: 60_000 }, async () => {
    const to = await ffmpegListener('probe', `&passphrase=${PASSPHRASE}`);
    await outletTo(to.port, { passphrase: PASSPHRASE }).probe(AbortSignal.timeout(9000));
    const nobody = outletTo(await freePort());
    await expect(nobody.probe(AbortSignal.timeout(9000))).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('says what it lacks: ffmpeg, SRT in it, an address that may be called, a stream that it carries', async () => {
    const without = outletTo(9, { start: null });
    await expect(without.probe(AbortSignal.timeout(9000))).rejects.toMatchObject({ reason: 'ffmpeg' });
    const old: StartFfmpeg = (args, place) =>
      start(
        args.map((one) => one.replace(/^srt:/u, 'srtold:')),
        place,
      );
    await expect(outletTo(9, { start: old }).probe(AbortSignal.timeout(9000))).rejects.toMatchObject({
      reason: 'ffmpeg',
    });
    const closed = outletTo(9, { resolve: () => Promise.reject(new PushFault('address', 'refused')) });
    await expect(closed.probe(AbortSignal.timeout(9000))).rejects.toMatchObject({ reason: 'address' });
    const mjpeg = { codec: 'mjpeg', codecString: 'mjpeg', width: 640, height: 360, config: Buffer.alloc(0) } as const;
    expect(await reason(push(outletTo(9), { video: mjpeg, audio: null }).pusher)).toBe('codec');
  });
});
