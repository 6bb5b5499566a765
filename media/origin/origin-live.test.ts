// Tests of a live stream as an origin serves it: its state, who may wait, and HTTP-FLV viewers that are too slow or too late.
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { afterEach, expect, it } from 'vitest';
import { encodeStream } from '../codec/encoded-stream.fixture.ts';
import { clip, syntheticUnits } from '../recorder/synthetic-stream.fixture.ts';
import { StreamHub } from '../stream/hub.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { MediaFormat, StreamConsumer } from '../stream/stream.ts';
import { OriginLive } from './origin-live.ts';

const START_MS = 1_800_000_000_000;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function startRig(format: MediaFormat = { ...clip.format, audio: null }) {
  const clock = new FakeClock();
  const hub = new StreamHub({ clock, lingerMs: 0, onConsumerFailure: (_, error) => expect.unreachable(String(error)) });
  const { promise, resolve } = Promise.withResolvers<StreamConsumer>();
  const open = (consumer: StreamConsumer) => {
    resolve(consumer);
    return { counters: createSourceCounters(), server: null, retryNow: () => undefined, close: async () => undefined };
  };
  let sent = 0;
  const onSent = (bytes: number): void => {
    sent += bytes;
  };
  const live = new OriginLive({ hub, clock, streamKey: 'A/1/0', open, key: 'key', onSent });
  ends.push(
    () => live.stop(),
    () => hub.close(),
  );
  const begin = async (): Promise<StreamConsumer> => {
    const source = await promise;
    source.state({ state: 'playing', since: START_MS });
    source.format(format);
    return source;
  };
  return { live, clock, begin, sent: () => sent };
}

/** A viewer by HTTP, as it is seen from both ends; its body is read when it is asked for. */
async function watch(live: OriginLive, untilMs: number) {
  const { promise: served, resolve } = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/x-flv' });
    response.flushHeaders();
    live.addFlvViewer(response, untilMs);
    resolve(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  request.on('error', () => undefined);
  ends.push(
    () => server.close(),
    () => server.closeAllConnections(),
    () => request.destroy(),
  );
  const [viewer] = (await once(request, 'response')) as [IncomingMessage];
  return { viewer, served: await served };
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

it('is live with its first segment, and tries again while the camera is silent', async () => {
  const { live, clock, begin } = startRig();
  const source = await begin();
  expect(live.status).toMatchObject({ state: 'starting', reason: null });
  for (const unit of syntheticUnits({ startMs: START_MS, seconds: 6 })) source.accessUnit(unit);
  expect(live.status).toMatchObject({ state: 'live', reason: null });
  await clock.advanceAsync(7000);
  expect(live.status).toMatchObject({ state: 'retrying', reason: 'noVideo' });
  const again = { startMs: START_MS + 7000, seconds: 3, firstDts: 7 * 90_000 };
  for (const unit of syntheticUnits(again)) source.accessUnit(unit);
  expect(live.status).toMatchObject({ state: 'live', reason: null });
});

it('says that the camera sends what nobody plays', async () => {
  const mjpeg = { codec: 'mjpeg', codecString: 'mjpeg', width: 640, height: 360, config: Buffer.alloc(0) } as const;
  const { live, begin } = startRig({ video: mjpeg, audio: null });
  await begin();
  expect(live.status).toMatchObject({ state: 'retrying', reason: 'codec' });
});

it('serves H.265 with parameter sets in its init segment', { timeout: 60_000 }, async () => {
  const encoder = ['-c:v', 'libx265', '-x265-params', 'log-level=error:bframes=0:keyint=25', '-pix_fmt', 'yuv420p'];
  const { format, samples } = await encodeStream({ codec: 'h265', size: '160x96', seconds: 6, fps: 25, encoder });
  const { live, begin } = startRig({ video: format, audio: null });
  const source = await begin();
  for (const sample of samples) source.accessUnit({ track: 'video', ...sample, wallMs: START_MS + sample.dts / 90 });
  const [first] = live.window.playlist().segments;
  const [init] = live.window.file(first?.initUri ?? '') as Buffer[];
  expect(init?.includes('hvc1')).toBe(true);
  expect(init?.includes(format.config)).toBe(true);
});

it('lets so many of one address wait, and wakes all with the next part and at the end', async () => {
  const { live, begin } = startRig();
  const source = await begin();
  const { signal } = new AbortController();
  const waiting = Array.from({ length: 100 }, () => live.nextPart('1', signal));
  expect(await live.nextPart('1', signal)).toBe('full');
  const other = live.nextPart('2', signal);
  for (const unit of syntheticUnits({ startMs: START_MS, seconds: 2 })) source.accessUnit(unit);
  expect(new Set(await Promise.all([...waiting, other]))).toEqual(new Set(['moved']));
  const last = live.nextPart('1', signal);
  await live.stop();
  expect(await last).toBe('moved');
  expect(live.ended.aborted).toBe(true);
});

it('[LV-07] sends HTTP-FLV until its address expires', async () => {
  const { live, clock, begin, sent } = startRig();
  const source = await begin();
  const { viewer } = await watch(live, clock.wallMs() + 3000);
  const body = bodyOf(viewer);
  for (const unit of syntheticUnits({ startMs: START_MS, seconds: 2 })) source.accessUnit(unit);
  await clock.advanceAsync(2000);
  expect(sent()).toBeGreaterThan(0);
  await clock.advanceAsync(2000);
  const bytes = await body;
  expect(bytes.subarray(0, 13).toString('hex')).toBe('464c5601010000000900000000');
  expect(bytes.length).toBeGreaterThan(sent());
});

it('bounds the queue of a viewer that takes nothing, and drops it after ten seconds', async () => {
  const { live, clock, begin, sent } = startRig();
  const source = await begin();
  const { viewer, served } = await watch(live, clock.wallMs() + 3_600_000);
  viewer.on('error', () => undefined);
  const data = Buffer.alloc(1_000_000);
  for (let n = 0; n < 60; n += 1) {
    source.accessUnit({ track: 'video', data, isKey: true, dts: n * 3600, ctsOffset: 0, wallMs: START_MS + n * 40 });
    await clock.advanceAsync(10);
  }
  expect(sent()).toBeLessThan(40_000_000);
  await clock.advanceAsync(8000);
  expect(served.destroyed).toBe(false);
  await clock.advanceAsync(4000);
  expect(served.destroyed).toBe(true);
});
