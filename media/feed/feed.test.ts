// The feed between a site and a gateway over a real socket: one copy of each stream, tickets, their ends, and the death of either side.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_HEADER_BYTES } from '@vedette/protocols/mp4/fragment.ts';
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveGrant, LiveRefusal } from '../live/live-grant.ts';
import { clip } from '../recorder/synthetic-stream.fixture.ts';
import { StreamHub } from '../stream/hub.ts';
import { KEYFRAME_EVERY, NumberedCamera, numberOf } from '../stream/numbered-frames.fixture.ts';
import type { StreamViewer } from '../stream/shared-stream.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { SourceState, StreamConsumer } from '../stream/stream.ts';
import { FeedClient, localFeed } from './feed-client.ts';
import { FeedServer } from './feed-server.ts';

let folder: string;
const stops: (() => unknown)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feed-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await rm(folder, { recursive: true, force: true });
});

/** A site with one camera; `grants` by ticket, others are refused. */
async function startSite(grants: Readonly<Record<string, Partial<LiveGrant>>> = { good: {} }) {
  const clock = new FakeClock();
  const failures: unknown[] = [];
  const left: string[] = [];
  const hub = new StreamHub({
    clock,
    lingerMs: 1000,
    slabs: new SlabPool({ poison: true }),
    onConsumerFailure: (_, error) => failures.push(error),
  });
  const camera = { now: null as NumberedCamera | null, counters: createSourceCounters(), keyframes: 0, opened: 0 };
  const open = (consumer: StreamConsumer) => {
    camera.opened += 1;
    camera.now = new NumberedCamera(consumer);
    setImmediate(() => {
      consumer.state({ state: 'playing', since: 1 });
      consumer.format({ video: clip.format.video, audio: null });
    });
    const { counters } = camera;
    const requestKeyframe = (): void => void (camera.keyframes += 1);
    return { counters, server: null, retryNow: () => undefined, requestKeyframe, close: async () => undefined };
  };
  const authorise = async (ticket: string): Promise<LiveGrant | LiveRefusal> => {
    const grant = grants[ticket];
    if (!grant) return { allowed: false, code: 1004, reason: 'unknown' };
    const own = { sessionId: ticket, holder: 'account', streamKey: 'camera', open, onEnded: () => left.push(ticket) };
    return { ...own, ...grant, allowed: true };
  };
  const feed = new FeedServer({ hub, clock, authorise, onFailure: (error) => failures.push(error) });
  const listening = await listen((socket) => feed.accept(socket));
  stops.push(() => feed.close());
  return { clock, hub, camera, feed, failures, left, ...listening };
}

async function listen(accept: (socket: Socket) => void): Promise<{ server: Server; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    accept(socket);
  });
  server.listen(join(folder, 'feed.sock'));
  await once(server, 'listening');
  stops.push(() => server.close());
  return { server, sockets };
}

/** A gateway with viewers. */
function startGateway() {
  const clock = new FakeClock();
  const ended: [string, number, string | undefined][] = [];
  const failures: unknown[] = [];
  let lost = 0;
  const onConsumerFailure = (_: string, error: unknown): void => void failures.push(error);
  const hub = new StreamHub({ clock, lingerMs: 0, slabs: new SlabPool({ poison: true }), onConsumerFailure });
  const client = new FeedClient({
    dial: localFeed(join(folder, 'feed.sock')),
    onEnded: ({ sessionId }, { code, reason }) => ended.push([sessionId, code, reason]),
    onLost: () => (lost += 1),
    onFailure: (error) => failures.push(error),
  });
  stops.push(() => client.close());
  const granted = async (ticket: string): Promise<LiveGrant> => {
    expect(await client.whenConnected()).toBe(true);
    const answer = await client.authorise(ticket);
    if (!answer.allowed) throw new Error(`refused with ${answer.code}`);
    return answer;
  };
  const watch = async (ticket = 'good') => {
    const grant = await granted(ticket);
    const lease = hub.acquire(grant.streamKey, grant.open);
    const numbers: (number | null)[] = [];
    const states: SourceState[] = [];
    const viewer: StreamViewer = {
      holdsSlabs: true,
      init: () => undefined,
      fragment: ({ bytes }) => numbers.push(numberOf(bytes.subarray(SAMPLE_HEADER_BYTES))),
      state: (state) => states.push(state),
    };
    const remove = lease.stream.addViewer(viewer);
    const leave = (): void => {
      remove();
      lease.release();
      grant.onEnded?.();
    };
    return { grant, numbers, states, stream: lease.stream, leave };
  };
  return { clock, hub, client, ended, failures, granted, watch, lost: () => lost };
}

test('any number of viewers get every frame intact from one copy, a late one from the newest keyframe', async () => {
  const { camera, feed, failures } = await startSite();
  const gateway = startGateway();
  const viewers = await Promise.all(Array.from({ length: 20 }, () => gateway.watch()));
  await vi.waitFor(() => expect(viewers[0]?.states.at(-1)?.state).toBe('playing'));
  const total = 10 * KEYFRAME_EVERY + 5;
  for (let no = 0; no < total; no += 1) {
    camera.now?.next();
    if (no % 7 === 0) await new Promise(setImmediate);
  }
  for (const { numbers } of viewers) {
    await vi.waitFor(() => expect(numbers).toHaveLength(total));
    expect(numbers).toEqual(Array.from({ length: total }, (_, no) => no));
  }
  expect(feed.counters).toMatchObject({ units: total, skippedUnits: 0 });
  expect(camera.opened).toBe(1);
  const late = await gateway.watch();
  const newest = late.stream.gop().map(({ bytes }) => numberOf(bytes.subarray(SAMPLE_HEADER_BYTES)));
  expect(newest).toEqual([200, 201, 202, 203, 204]);
  expect([...failures, ...gateway.failures]).toEqual([]);
});

test('the first viewer of a stream that the site has open starts with its newest keyframe', async () => {
  const { camera, hub } = await startSite();
  const first = startGateway();
  const watching = await first.watch();
  await vi.waitFor(() => expect(watching.states.at(-1)?.state).toBe('playing'));
  for (let no = 0; no < KEYFRAME_EVERY + 3; no += 1) camera.now?.next();
  await vi.waitFor(() => expect(watching.numbers).toHaveLength(KEYFRAME_EVERY + 3));
  expect(hub.stream('camera')).not.toBeNull();
  const other = startGateway();
  const joining = await other.watch();
  await vi.waitFor(() => expect(joining.numbers).toEqual([20, 21, 22]));
  expect(camera.keyframes).toBe(1);
});

test('what a gateway sent to each viewer is told to its grant, the rest of it when the viewer leaves', async () => {
  const sent = { one: [] as number[], two: [] as number[] };
  const { left } = await startSite({
    one: { onSent: (bytes) => sent.one.push(bytes) },
    two: { onSent: (bytes) => sent.two.push(bytes) },
  });
  const { granted } = startGateway();
  const [one, two] = [await granted('one'), await granted('two')];
  one.onSent?.(200_000);
  one.onSent?.(100_000);
  one.onSent?.(7);
  two.onSent?.(5);
  one.onEnded?.();
  two.onEnded?.();
  await vi.waitFor(() => expect(left.toSorted()).toEqual(['one', 'two']));
  expect(sent).toEqual({ one: [300_000, 7], two: [5] });
});

test('a refused ticket is refused with its code and reason; a granted one keeps its limits', async () => {
  const until = { wallMs: 1_900_000_000_000, code: 1017 };
  await startSite({ mute: { mayHear: false, until, holder: 'guests of 7' } });
  const { granted, client } = startGateway();
  expect(await granted('mute')).toMatchObject({ mayHear: false, until, holder: 'guests of 7', sessionId: 'mute' });
  expect(await client.authorise('stolen')).toEqual({ allowed: false, code: 1004, reason: 'unknown' });
});

test('a right that ends is ended at the gateway, even while its grant is on the way', async () => {
  const { feed, sockets } = await startSite({ one: {}, two: {} });
  const { watch, client, ended } = startGateway();
  await watch('one');
  expect(feed.endWhere(({ sessionId }) => sessionId === 'one', 1017, 'withdrawn')).toBe(1);
  expect(feed.endWhere(({ sessionId }) => sessionId === 'one', 1017)).toBe(0);
  await vi.waitFor(() => expect(ended).toEqual([['one', 1017, 'withdrawn']]));
  // Both arrive together: the grant is not with its viewer yet when its end is read.
  sockets[0]?.cork();
  const answer = client.authorise('two');
  await vi.waitFor(() => expect(feed.endWhere(({ sessionId }) => sessionId === 'two', 1004)).toBe(1));
  sockets[0]?.uncork();
  const grant = await answer;
  expect(grant.allowed && grant.ended?.()).toMatchObject({ code: 1004 });
});

test('tracks cross the feed while a viewer follows them, and stop when its right ends', async () => {
  let onTracks: ((tracks: LiveTracks) => void) | null = null;
  const followTracks: LiveGrant['followTracks'] = (listener) => {
    onTracks = listener;
    return () => (onTracks = null);
  };
  const { feed } = await startSite({ good: { followTracks } });
  const { granted, ended } = startGateway();
  const grant = await granted('good');
  const told: LiveTracks[] = [];
  const stop = grant.followTracks?.((tracks) => told.push(tracks));
  await vi.waitFor(() => expect(onTracks).not.toBeNull());
  onTracks!({ at: 1, tracks: [] });
  await vi.waitFor(() => expect(told).toEqual([{ at: 1, tracks: [] }]));
  stop?.();
  await vi.waitFor(() => expect(onTracks).toBeNull());
  grant.followTracks?.((tracks) => told.push(tracks));
  await vi.waitFor(() => expect(onTracks).not.toBeNull());
  feed.endWhere(() => true, 1017);
  expect(onTracks).toBeNull();
  await vi.waitFor(() => expect(ended).toHaveLength(1));
  // A request that was on the way when the right ended.
  grant.followTracks?.((tracks) => told.push(tracks));
  expect((await granted('good')).allowed).toBe(true);
  expect(onTracks).toBeNull();
});

test('the stream of an ended ticket goes on for others, and is let go after the last', async () => {
  const { camera, feed, left, clock, hub } = await startSite({ one: {}, two: {} });
  const gateway = startGateway();
  const one = await gateway.watch('one');
  const two = await gateway.watch('two');
  feed.endWhere(({ sessionId }) => sessionId === 'one', 1017);
  await vi.waitFor(() => expect(gateway.ended).toHaveLength(1));
  one.leave();
  await vi.waitFor(() => expect(left).toEqual(['one']));
  camera.now?.next();
  await vi.waitFor(() => expect(two.numbers).toEqual([0]));
  two.leave();
  gateway.clock.advance(1);
  await vi.waitFor(() => expect(left).toEqual(['one', 'two']));
  await vi.waitFor(() => {
    clock.advance(1000);
    expect(hub.streams()).toHaveLength(0);
  });
});

test('a viewer is told that pictures are left out until a keyframe, also while none arrives', async () => {
  const { camera, clock } = await startSite();
  const gateway = startGateway();
  const { stream, states } = await gateway.watch();
  await vi.waitFor(() => expect(states.at(-1)?.state).toBe('playing'));
  camera.now?.next();
  camera.counters.unitsAwaitingKey = 7;
  clock.advance(1000);
  await vi.waitFor(() => expect(stream.unitsAwaitingKey).toBe(7));
  expect(stream.isAwaitingKeyframe).toBe(true);
});

test('a gateway that dies gives back its tickets and streams', async () => {
  const { left, hub, clock, sockets } = await startSite();
  const gateway = startGateway();
  await gateway.watch();
  gateway.client.close();
  await vi.waitFor(() => expect(sockets[0]?.closed).toBe(true));
  expect(left).toEqual(['good']);
  clock.advance(1000);
  expect(hub.streams()).toHaveLength(0);
});

test('a site that dies in mid-frame loses its viewers, and tickets are refused until it is back', async () => {
  const first = await startSite();
  const gateway = startGateway();
  const { numbers, states } = await gateway.watch();
  await vi.waitFor(() => expect(states.at(-1)?.state).toBe('playing'));
  first.camera.now?.next();
  await vi.waitFor(() => expect(numbers).toEqual([0]));
  // The head of a unit and a part of its data.
  first.sockets[0]?.end(Buffer.concat([Buffer.of(0, 0, 0x10, 0, 1, 0, 0, 0, 1), Buffer.alloc(500)]));
  first.server.close();
  await vi.waitFor(() => expect(gateway.lost()).toBe(1));
  expect(await gateway.client.authorise('good')).toEqual({ allowed: false, code: 1012 });
  expect(await gateway.client.whenConnected()).toBe(false);
  expect(numbers).toEqual([0]);
  await startSite();
  expect(await gateway.client.whenConnected()).toBe(true);
  expect((await gateway.client.authorise('good')).allowed).toBe(true);
  expect(gateway.failures).toEqual([]);
});

test('an unanswered ticket is refused when the site dies', async () => {
  const { sockets } = await listen(() => undefined);
  const { client } = startGateway();
  await client.whenConnected();
  const answer = client.authorise('good');
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  sockets[0]?.destroy();
  expect(await answer).toEqual({ allowed: false, code: 1012 });
});

test('what no site sends ends the feed, and what no gateway sends is refused by the site', async () => {
  const frame = (text: string): Buffer => {
    const bytes = Buffer.alloc(5 + text.length);
    bytes.writeUInt32BE(1 + text.length, 0);
    bytes.write(text, 5);
    return bytes;
  };
  const site = await startSite();
  const stranger = startGateway();
  await stranger.client.whenConnected();
  site.sockets[0]?.write(frame('{"type":"nonsense"}'));
  await vi.waitFor(() => expect(stranger.lost()).toBe(1));
  expect(String(stranger.failures[0])).toContain('no notice of a site');
  for (const text of ['{"type":"nonsense"}', '{"type":"open","stream":1,"id":9}']) {
    const socket = connect(join(folder, 'feed.sock'));
    socket.write(frame(text));
    await once(socket, 'close');
  }
  expect(site.failures).toHaveLength(2);
});
