// Proves /media/live over real sockets: subscribe, formats and fragments, tickets refused and withdrawn, pause, slow viewers.
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  CLOSE_CODE,
  LIVE_KIND,
  type LiveNotice,
  type LiveRequest,
  type LiveTracks,
} from '@vedette/contract/media-wire.ts';
import { SAMPLE_HEADER_BYTES } from '@vedette/protocols/mp4/fragment.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import { StreamHub } from '../stream/hub.ts';
import type { MediaFormat, StreamConsumer } from '../stream/stream.ts';
import { createLiveEndpoint, type LiveEndpoint } from './live-endpoint.ts';
import type { LiveGrant, LiveRefusal } from './live-grant.ts';

const format: MediaFormat = {
  video: { codec: 'h264', codecString: 'avc1.42c01e', width: 64, height: 48, config: Buffer.of(1, 2, 3) },
  audio: { codec: 'aac', codecString: 'mp4a.40.2', sampleRate: 16_000, channels: 1, config: Buffer.of(0x14, 0x08) },
};

interface Media {
  kind: number;
  isKey: boolean;
  id: number;
  wallMs: number;
  payload: Buffer;
}

class Page {
  readonly notices: LiveNotice[] = [];
  readonly media: Media[] = [];
  closedWith: number | null = null;
  readonly socket: WebSocket;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on('close', (code) => {
      this.closedWith = code;
    });
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) this.notices.push(JSON.parse(data.toString()) as LiveNotice);
      else {
        const [kind, flags] = [data[0] as number, data[1] as number];
        this.media.push({
          kind,
          isKey: flags === 1,
          id: data.readUInt16BE(2),
          wallMs: data.readDoubleBE(4),
          payload: data.subarray(12),
        });
      }
    });
  }

  say(request: LiveRequest): void {
    this.socket.send(JSON.stringify(request));
  }

  kinds(): number[] {
    return this.media.map((one) => one.kind);
  }
}

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function setUp(grants: Readonly<Record<string, Partial<LiveGrant> | LiveRefusal>> = { good: {} }) {
  const clock = new FakeClock();
  const hub = new StreamHub({ clock, onConsumerFailure: () => undefined });
  const upstreams = new Map<string, StreamConsumer>();
  const grantOf = (ticket: string): LiveGrant | LiveRefusal => {
    const grant = grants[ticket];
    if (!grant || grant.allowed === false) return grant?.allowed === false ? grant : { allowed: false, code: 1004 };
    const open = (consumer: StreamConsumer) => {
      upstreams.set(ticket, consumer);
      return {
        counters: createSourceCounters(),
        server: null,
        retryNow: () => undefined,
        close: () => Promise.resolve(),
      };
    };
    return { sessionId: ticket, holder: 'account', streamKey: ticket, open, ...grant, allowed: true };
  };
  const endpoint: LiveEndpoint = createLiveEndpoint({
    hub,
    clock,
    authorise: (ticket) => Promise.resolve(grantOf(ticket)),
    onFailure: (error) => stops.push(() => expect(error).toBeNull()),
  });
  const server: Server = createServer();
  const sockets: Socket[] = [];
  server.on('upgrade', (request, socket, head) => {
    sockets.push(socket as Socket);
    endpoint.handleUpgrade(request, socket, head);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const page = new Page(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/media/live`);
  stops.push(() => {
    page.socket.terminate();
    server.close();
  });
  await vi.waitFor(() => expect(page.socket.readyState).toBe(WebSocket.OPEN));
  return { clock, hub, endpoint, page, upstreams, sockets };
}

function send(
  consumer: StreamConsumer | undefined,
  dts: number,
  isKey: boolean,
  options: { size?: number; track?: 'video' | 'audio' } = {},
): void {
  const data = Buffer.alloc(options.size ?? 30, dts & 0xff);
  consumer?.accessUnit({
    track: options.track ?? 'video',
    data,
    isKey,
    dts,
    ctsOffset: 0,
    wallMs: 1_800_000_000_000.5 + dts,
  });
}

async function subscribed(
  page: Page,
  upstreams: Map<string, StreamConsumer>,
  ticket: string,
  audio = false,
): Promise<StreamConsumer> {
  page.say({ type: 'subscribe', id: 7, ticket, audio });
  await vi.waitFor(() => expect(upstreams.has(ticket)).toBe(true));
  const consumer = upstreams.get(ticket) as StreamConsumer;
  consumer.state({ state: 'playing', since: 1 });
  consumer.format(format);
  return consumer;
}

test('a subscription gets state, format, init and fragments with the header of the contract', async () => {
  const { page, upstreams } = await setUp();
  const consumer = await subscribed(page, upstreams, 'good', true);
  send(consumer, 1, false);
  send(consumer, 100, true, { size: 70_000 });
  send(consumer, 50, true, { track: 'audio' });
  send(consumer, 200, false);
  await vi.waitFor(() => expect(page.media).toHaveLength(5));
  expect(page.kinds()).toEqual([
    LIVE_KIND.videoInit,
    LIVE_KIND.audioInit,
    LIVE_KIND.videoFragment,
    LIVE_KIND.audioFragment,
    LIVE_KIND.videoFragment,
  ]);
  expect(page.media[2]).toMatchObject({ id: 7, isKey: true, wallMs: 1_800_000_000_100.5 });
  expect(page.media[2]?.payload).toHaveLength(SAMPLE_HEADER_BYTES + 70_000);
  expect(page.media[2]?.payload.subarray(SAMPLE_HEADER_BYTES)).toEqual(Buffer.alloc(70_000, 100));
  expect(page.notices.map((notice) => notice.type)).toEqual(['state', 'state', 'format']);
  expect(page.notices[2]).toMatchObject({ video: { codecString: 'avc1.42c01e', width: 64 }, audio: { codec: 'aac' } });
});

test('a second viewer gets a frame at once from the cache, and no audio unless requested', async () => {
  const { page, upstreams } = await setUp();
  const consumer = await subscribed(page, upstreams, 'good');
  send(consumer, 100, true);
  send(consumer, 101, true, { track: 'audio' });
  send(consumer, 102, false);
  await vi.waitFor(() => expect(page.media).toHaveLength(3));
  page.say({ type: 'subscribe', id: 8, ticket: 'good', audio: false });
  await vi.waitFor(() => expect(page.media.filter((one) => one.id === 8).map((one) => one.kind)).toEqual([0, 1, 1]));
});

test('audio can be switched while video plays on, starting with its init; a viewer without the right gets none', async () => {
  const { page, upstreams } = await setUp({ good: {}, mute: { mayHear: false } });
  const consumer = await subscribed(page, upstreams, 'good');
  send(consumer, 1, true);
  send(consumer, 1, true, { track: 'audio' });
  page.say({ type: 'listen', id: 7, audio: true });
  page.say({ type: 'ping', at: 1 });
  await vi.waitFor(() => expect(page.notices.at(-1)).toMatchObject({ type: 'pong', at: 1 }));
  send(consumer, 2, false);
  send(consumer, 2, true, { track: 'audio' });
  await vi.waitFor(() =>
    expect(page.kinds().slice(2)).toEqual([LIVE_KIND.audioInit, LIVE_KIND.videoFragment, LIVE_KIND.audioFragment]),
  );
  page.say({ type: 'listen', id: 7, audio: false });
  page.say({ type: 'ping', at: 2 });
  await vi.waitFor(() => expect(page.notices.at(-1)).toMatchObject({ type: 'pong', at: 2 }));
  send(consumer, 3, true, { track: 'audio' });
  send(consumer, 3, false);
  await vi.waitFor(() => expect(page.kinds().slice(5)).toEqual([LIVE_KIND.videoFragment]));

  const deaf = await subscribed(page, upstreams, 'mute');
  page.say({ type: 'listen', id: 7, audio: true });
  page.say({ type: 'ping', at: 3 });
  await vi.waitFor(() => expect(page.notices.at(-1)).toMatchObject({ type: 'pong', at: 3 }));
  send(deaf, 1, true);
  send(deaf, 1, true, { track: 'audio' });
  send(deaf, 2, false);
  await vi.waitFor(() => expect(page.media.at(-1)?.wallMs).toBe(1_800_000_000_002.5));
  expect(page.kinds().slice(6)).toEqual([LIVE_KIND.videoInit, LIVE_KIND.videoFragment, LIVE_KIND.videoFragment]);
});

test('tracks reach the page that follows them, also while its media pause, and end with its right', async () => {
  let onTracks: ((tracks: LiveTracks) => void) | null = null;
  const followTracks: LiveGrant['followTracks'] = (listener) => {
    onTracks = listener;
    return () => (onTracks = null);
  };
  const { page, endpoint, upstreams } = await setUp({ good: { followTracks } });
  await subscribed(page, upstreams, 'good');
  const box = [0.1, 0.2, 0.3, 0.4] as const;
  const seen = { at: 5, tracks: [{ trackId: 1, objectClass: 'person', score: 0.8, box, isStill: false }] } as const;
  const answered = async (at: number): Promise<void> => {
    page.say({ type: 'ping', at });
    await vi.waitFor(() => expect(page.notices.at(-1)).toMatchObject({ type: 'pong', at }));
  };
  const told = (): LiveNotice[] => page.notices.filter(({ type }) => type === 'tracks');
  expect(onTracks).toBeNull();
  page.say({ type: 'follow', id: 7, tracks: true });
  await vi.waitFor(() => expect(onTracks).not.toBeNull());
  onTracks!(seen);
  await vi.waitFor(() => expect(told()).toEqual([{ type: 'tracks', id: 7, ...seen }]));
  page.say({ type: 'pause', id: 7 });
  await answered(1);
  onTracks!({ ...seen, at: 6 });
  await vi.waitFor(() => expect(told()).toHaveLength(2));
  page.say({ type: 'follow', id: 7, tracks: false });
  await vi.waitFor(() => expect(onTracks).toBeNull());
  page.say({ type: 'follow', id: 7, tracks: true });
  await vi.waitFor(() => expect(onTracks).not.toBeNull());
  endpoint.endWhere(() => true, 1017);
  expect(onTracks).toBeNull();
});

test('a refused ticket ends its tile alone; guessing closes the socket', async () => {
  const { page } = await setUp({ good: {}, ended: { allowed: false, code: 1017, reason: 'x' } });
  page.say({ type: 'subscribe', id: 1, ticket: 'ended', audio: false });
  await vi.waitFor(() => expect(page.notices).toEqual([{ type: 'end', id: 1, code: 1017, reason: 'x' }]));
  for (let i = 0; i < 21; i++) page.say({ type: 'subscribe', id: 2, ticket: `guess${i}`, audio: false });
  await vi.waitFor(() => expect(page.closedWith).toBe(CLOSE_CODE.tooManyTickets));
});

test('a right that ended while its grant was on the way shows nothing, and the device stays untouched', async () => {
  const left: string[] = [];
  const ended = () => ({ allowed: false, code: 1017, reason: 'withdrawn' }) as const;
  const { page, upstreams, endpoint } = await setUp({ late: { ended, onEnded: () => left.push('late') } });
  page.say({ type: 'subscribe', id: 7, ticket: 'late', audio: false });
  await vi.waitFor(() => expect(page.notices).toEqual([{ type: 'end', id: 7, code: 1017, reason: 'withdrawn' }]));
  expect([left, upstreams.size, endpoint.subscriptions()]).toEqual([['late'], 0, 0]);
});

test('a revoked or expired right ends the subscription with its code and releases the device', async () => {
  const ended: string[] = [];
  const until = { wallMs: 1_800_000_000_000 + 3000, code: 1017 };
  const { page, upstreams, endpoint, clock, hub } = await setUp({
    good: { onEnded: () => ended.push('good') },
    timed: { until },
  });
  await subscribed(page, upstreams, 'good');
  expect(endpoint.endWhere((grant) => grant.sessionId === 'good', 1004, 'withdrawn')).toBe(1);
  await vi.waitFor(() => expect(page.notices.at(-1)).toEqual({ type: 'end', id: 7, code: 1004, reason: 'withdrawn' }));
  expect(ended).toEqual(['good']);
  await subscribed(page, upstreams, 'timed');
  for (let i = 0; i < 4; i++) clock.advance(1000);
  await vi.waitFor(() => expect(page.notices.at(-1)).toEqual({ type: 'end', id: 7, code: 1017 }));
  expect(endpoint.subscriptions()).toBe(0);
  for (let i = 0; i < 20; i++) clock.advance(1000);
  expect(hub.streams()).toHaveLength(0);
});

test('[LV-01] sends frames of an MJPEG camera unchanged, and starts at any of them', async () => {
  const { page, upstreams, hub } = await setUp();
  const consumer = await subscribed(page, upstreams, 'good');
  const video = { codec: 'mjpeg', codecString: 'mjpeg', width: 320, height: 176, config: Buffer.alloc(0) } as const;
  consumer.format({ video, audio: null });
  send(consumer, 1, true);
  send(consumer, 2, true);
  await vi.waitFor(() => expect(page.kinds()).toEqual([LIVE_KIND.jpeg, LIVE_KIND.jpeg]));
  expect(page.media[0]?.payload.equals(Buffer.alloc(30, 1))).toBe(true);
  expect(page.notices.at(-1)).toMatchObject({ type: 'format', video: { codec: 'mjpeg', width: 320 } });
  page.say({ type: 'pause', id: 7 });
  page.say({ type: 'resume', id: 7 });
  // The newest picture alone is kept.
  await vi.waitFor(() => expect(page.media).toHaveLength(3));
  expect(page.media[2]?.payload.equals(Buffer.alloc(30, 2))).toBe(true);
  expect(hub.stream('good')?.counters().gopBytes).toBe(30);
});

test('a paused subscription gets nothing and resumes at the newest keyframe', async () => {
  const { page, upstreams } = await setUp();
  const consumer = await subscribed(page, upstreams, 'good');
  send(consumer, 1, true);
  await vi.waitFor(() => expect(page.media).toHaveLength(2));
  page.say({ type: 'pause', id: 7 });
  page.say({ type: 'ping', at: 5 });
  await vi.waitFor(() => expect(page.notices.at(-1)).toMatchObject({ type: 'pong', at: 5 }));
  send(consumer, 2, true);
  send(consumer, 3, false);
  page.say({ type: 'resume', id: 7 });
  await vi.waitFor(() => expect(page.media.map((one) => one.wallMs % 1000)).toEqual([1.5, 1.5, 2.5, 3.5]));
});

test('a slow viewer skips to the next keyframe with a notice; others are not affected', async () => {
  const { page, upstreams, endpoint, sockets } = await setUp();
  const consumer = await subscribed(page, upstreams, 'good');
  send(consumer, 1, true);
  await vi.waitFor(() => expect(page.media).toHaveLength(2));
  page.socket.pause();
  for (let dts = 2; dts < 200; dts++) send(consumer, dts, false, { size: 100_000 });
  expect(sockets[0]?.writableLength).toBeLessThan(2 * 1024 * 1024 + 200_000);
  expect(endpoint.counters.skips).toBe(1);
  page.socket.resume();
  await vi.waitFor(() => expect(sockets[0]?.writableLength).toBe(0));
  send(consumer, 300, false);
  send(consumer, 301, true);
  await vi.waitFor(() => expect(page.media.at(-1)?.isKey).toBe(true));
  const notice = page.notices.find((one) => one.type === 'skipped');
  expect(notice).toMatchObject({ id: 7, frames: endpoint.counters.skippedFragments });
});

test('[FT-33] what waits for a slow viewer that leaves is dropped within a second', async () => {
  const { page, upstreams, clock, sockets } = await setUp();
  const consumer = await subscribed(page, upstreams, 'good');
  send(consumer, 1, true);
  await vi.waitFor(() => expect(page.media).toHaveLength(2));
  page.socket.pause();
  for (let dts = 2; dts < 100; dts++) send(consumer, dts, false, { size: 100_000 });
  expect(sockets[0]?.writableLength).toBeGreaterThan(1_000_000);
  page.socket.close();
  await vi.waitFor(() => {
    clock.advance(1000);
    expect(sockets[0]?.destroyed).toBe(true);
  });
});

test('[LV-01] reports a failed device with its reason, a silent one as stalled, and playing when frames come again', async () => {
  const { page, upstreams, clock } = await setUp();
  const consumer = await subscribed(page, upstreams, 'good');
  send(consumer, 1, true);
  for (let i = 0; i < 5; i++) clock.advance(1000);
  await vi.waitFor(() =>
    expect(page.notices.at(-1)).toEqual({ type: 'state', id: 7, state: 'stalled', reason: 'timeout' }),
  );
  send(consumer, 2, true);
  await vi.waitFor(() => expect(page.notices.at(-1)).toMatchObject({ state: 'playing' }));
  consumer.state({ state: 'failed', reason: 'authentication', retryAt: 0 });
  await vi.waitFor(() => expect(page.notices.at(-1)).toMatchObject({ state: 'stalled', reason: 'deviceAuth' }));
});

test.each([
  '{',
  '[]',
  'null',
  '{"type":"subscribe","id":0,"ticket":"x"}',
  '{"type":"fly","id":1}',
  '{"type":"subscribe","id":1}',
])('a malformed message closes the socket: %s', async (text) => {
  const { page } = await setUp();
  page.socket.send(text);
  await vi.waitFor(() => expect(page.closedWith).toBe(CLOSE_CODE.badMessage));
});

test('[SE-85] closes a socket without a ticket within 5 s, one without a subscription after 30 s, and keeps one that plays', async () => {
  const stranger = await setUp();
  const idle = await setUp();
  const busy = await setUp();
  for (const { page, upstreams } of [idle, busy]) {
    page.say({ type: 'subscribe', id: 1, ticket: 'good', audio: false });
    await vi.waitFor(() => expect(upstreams.has('good')).toBe(true));
  }
  idle.page.say({ type: 'unsubscribe', id: 1 });
  const all = [stranger, idle, busy];
  const leftAt = new Map<(typeof all)[number], number>();
  for (let second = 1; second <= 40; second += 1) {
    for (const { clock } of all) clock.advance(1000);
    // Lets the socket's own answer to a ping arrive, as it would in a second.
    for (const { page } of all) if (page.closedWith === null) page.say({ type: 'ping', at: second });
    const isSettled = ({ page }: (typeof all)[number]): boolean =>
      page.closedWith !== null || page.notices.some((notice) => notice.type === 'pong' && notice.at === second);
    await vi.waitFor(() => expect(all.every(isSettled)).toBe(true), { interval: 2 });
    for (const one of all) if (one.page.closedWith !== null && !leftAt.has(one)) leftAt.set(one, second);
  }
  expect(leftAt.get(stranger)).toBeLessThanOrEqual(5);
  expect(leftAt.get(idle)).toBeGreaterThan(30);
  expect([idle.page.closedWith, busy.page.closedWith]).toEqual([CLOSE_CODE.unauthorised, null]);
});

test('[SE-86] cuts off a client that sends requests without reading answers, before memory fills', async () => {
  const { page, sockets, endpoint, upstreams } = await setUp();
  const [below] = sockets as [Socket];
  page.say({ type: 'subscribe', id: 1, ticket: 'good', audio: false });
  await vi.waitFor(() => expect(upstreams.has('good')).toBe(true));
  page.socket.pause();
  const payload = Buffer.alloc(125);
  let isGone = false;
  page.socket.on('error', () => undefined);
  below.on('close', () => {
    isGone = true;
  });
  while (!isGone) {
    for (let count = 0; count < 2000; count += 1) page.socket.ping(payload);
    await vi.waitFor(() => expect(page.socket.bufferedAmount === 0 || isGone).toBe(true), {
      interval: 5,
      timeout: 5000,
    });
    expect(below.writableLength).toBeLessThan(20 * 1024 * 1024);
  }
  await vi.waitFor(() => expect(endpoint.connections()).toBe(0));
});
