// Tests of following objects without media: on a socket that a test scripts.
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { FakePlayerClock } from '../fake-player-clock.fake.ts';
import { LiveConnection } from '../transports/live-connection.ts';
import { FakeSocket } from '../transports/live-socket.fake.ts';
import type { TicketAnswer, TileSource } from './tile-source.ts';
import { TrackFollower } from './track-follower.ts';

const video = { codec: 'h265', codecString: 'hvc1.1.6.L93.B0', width: 1280, height: 720 } as const;
const TICKET: TicketAnswer = { kind: 'ticket', ticket: 'one', quality: 1, hlsUrl: null };

let clock: FakePlayerClock;
let sockets: FakeSocket[];
const getTicket = vi.fn<TileSource['getTicket']>();
const onTracks = vi.fn<(tracks: { readonly at: number } | null) => void>();
const socket = () => sockets.at(-1) as FakeSocket;
const subscribed = () => socket().requests('subscribe');

async function begin(): Promise<TrackFollower> {
  const connection = new LiveConnection({
    url: 'ws://site/media/live',
    clock,
    openSocket: () => {
      const opened = new FakeSocket();
      sockets.push(opened);
      return opened;
    },
  });
  const follower = new TrackFollower({ connection, clock, source: { getTicket }, onTracks });
  await settlePromises();
  socket()?.open();
  await settlePromises();
  return follower;
}

beforeEach(() => {
  vi.resetAllMocks();
  clock = new FakePlayerClock();
  sockets = [];
  getTicket.mockResolvedValue(TICKET);
});

test('pauses the media at once, and follows once from the first format on', async () => {
  await begin();
  const sent = () => socket().sent.flatMap(({ type }) => (type === 'ping' ? [] : [type]));
  expect(sent()).toEqual(['subscribe', 'pause']);
  for (const _ of [1, 2]) socket().notice({ type: 'format', id: 1, video, audio: null });
  expect(sent()).toEqual(['subscribe', 'pause', 'follow']);
  socket().notice({ type: 'tracks', id: 1, at: 5, tracks: [] });
  expect(onTracks.mock.calls).toEqual([[{ at: 5, tracks: [] }]]);
});

test('comes back with a new ticket when the session ends, and says that nothing is known meanwhile', async () => {
  await begin();
  socket().notice({ type: 'end', id: 1, code: 2316 });
  expect(onTracks.mock.calls).toEqual([[null]]);
  await clock.advanceAsync(1000);
  await settlePromises();
  expect(getTicket).toHaveBeenCalledTimes(2);
  expect(subscribed()).toHaveLength(2);
});

test('who may not see the channel follows nothing', async () => {
  getTicket.mockResolvedValue({ kind: 'refused', code: 1004, reason: null });
  await begin();
  await clock.advanceAsync(60_000);
  expect(getTicket).toHaveBeenCalledTimes(1);
  expect(subscribed()).toEqual([]);
});

test('leaves when nobody looks any more, and never comes back', async () => {
  const follower = await begin();
  follower.close();
  expect(socket().requests('unsubscribe')).toHaveLength(1);
  socket().drop();
  await clock.advanceAsync(60_000);
  expect(getTicket).toHaveBeenCalledTimes(1);
  expect(onTracks).not.toHaveBeenCalled();
});
