// One socket for many tiles: queueing, ids, pings, loss and return.
import { describe, expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { FakePlayerClock } from '../fake-player-clock.fake.ts';
import { LiveConnection, type SubscriptionOptions } from './live-connection.ts';
import { FakeSocket } from './live-socket.fake.ts';

function connect() {
  const clock = new FakePlayerClock();
  const sockets: FakeSocket[] = [];
  const connection = new LiveConnection({
    url: 'ws://site/media/live',
    clock,
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
  });
  return { clock, connection, sockets, socket: () => sockets.at(-1) as FakeSocket };
}

function tile(ticket = 'ticket') {
  return {
    ticket,
    audio: false,
    onNotice: vi.fn<SubscriptionOptions['onNotice']>(),
    onMedia: vi.fn<SubscriptionOptions['onMedia']>(),
    onLost: vi.fn<SubscriptionOptions['onLost']>(),
  };
}

describe('the live connection', () => {
  test('many subscriptions share one socket and are told apart by their number', () => {
    const { connection, sockets, socket } = connect();
    const [first, second] = [tile('a'), tile('b')];
    connection.subscribe(first);
    connection.subscribe(second);
    socket().open();
    expect(sockets).toHaveLength(1);
    expect(
      socket()
        .requests('subscribe')
        .map(({ id, ticket }) => [id, ticket]),
    ).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    socket().media('videoFragment', 2, 5);
    expect(first.onMedia).not.toHaveBeenCalled();
    expect(second.onMedia).toHaveBeenCalledOnce();
  });

  test('an end frees the number and is the last message to its tile', () => {
    const { connection, socket } = connect();
    const only = tile();
    const subscription = connection.subscribe(only);
    socket().open();
    socket().notice({ type: 'end', id: 1, code: 1017 });
    expect(only.onNotice).toHaveBeenCalledWith({ type: 'end', id: 1, code: 1017 });
    socket().media('videoFragment', 1, 5);
    subscription.pause();
    expect(only.onMedia).not.toHaveBeenCalled();
    expect(socket().requests('pause')).toHaveLength(0);
  });

  test('a lost socket is reported once to every tile and reconnected with backoff', async () => {
    const { connection, sockets, socket, clock } = connect();
    const only = tile();
    connection.subscribe(only);
    socket().open();
    const open = connection.whenOpen(new AbortController().signal);
    socket().drop();
    expect(only.onLost).toHaveBeenCalledOnce();
    expect(connection.state).toBe('waiting');
    const again = connection.whenOpen(new AbortController().signal);
    await clock.advanceAsync(400);
    expect(sockets).toHaveLength(2);
    socket().drop();
    await clock.advanceAsync(400);
    expect(sockets).toHaveLength(2);
    await clock.advanceAsync(400);
    expect(sockets).toHaveLength(3);
    socket().open();
    await Promise.all([open, again]);
    expect(socket().requests('subscribe')).toHaveLength(0);
  });

  test('a silent socket is treated as dead', async () => {
    const { connection, socket, clock } = connect();
    const only = tile();
    connection.subscribe(only);
    socket().open();
    await clock.advanceAsync(20_000);
    expect(only.onLost).toHaveBeenCalledOnce();
  });

  test('the offset to the clock of the site comes from the quickest answer', async () => {
    const { connection, socket, clock } = connect();
    connection.subscribe(tile());
    socket().open();
    const [ping] = socket().requests('ping');
    await clock.advanceAsync(10);
    socket().notice({ type: 'pong', at: ping?.at ?? 0, now: clock.wallMs() + 2000 });
    expect(connection.clockOffsetMs).toBe(2005);
    await clock.advanceAsync(1000);
    socket().notice({ type: 'pong', at: clock.wallMs() - 900, now: clock.wallMs() + 9000 });
    expect(connection.clockOffsetMs).toBe(2005);
  });

  test('a tile that waits for the socket may abort', async () => {
    const { connection } = connect();
    const abort = new AbortController();
    const waiting = connection.whenOpen(abort.signal);
    abort.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  });

  test('an unused socket is closed after a while', async () => {
    const { connection, socket, clock } = connect();
    const subscription = connection.subscribe(tile());
    socket().open();
    subscription.close();
    expect(socket().requests('unsubscribe')).toHaveLength(1);
    await settlePromises();
    await clock.advanceAsync(10_000);
    expect(socket().isClosed).toBe(true);
    expect(connection.state).toBe('idle');
  });

  test('a reconnecting socket stays while somebody waits for it', async () => {
    const { connection, socket, clock } = connect();
    const subscription = connection.subscribe(tile());
    socket().open();
    subscription.close();
    // The server ends it, as after a sign-out: the unused socket is due to be closed while the next one is dialled.
    socket().drop();
    await clock.advanceAsync(9900);
    const waiting = connection.whenOpen(new AbortController().signal);
    await clock.advanceAsync(200);
    expect(connection.state).toBe('connecting');
    socket().open();
    await waiting;
    await clock.advanceAsync(10_000);
    expect(connection.state).toBe('idle');
  });
});
