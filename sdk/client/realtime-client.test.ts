// Tests of the event socket with a fake socket and a fake clock.
import type { PageMessage, PushEvent, PushMessage } from '@vedette/contract/calls/page-events.ts';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import {
  CHECK_MS,
  RECONNECT_BACKOFF,
  type EventSocket,
  PING_MS,
  RealtimeClient,
  SILENCE_MS,
} from './realtime-client.ts';

function setUp(tokens: { now: string } = { now: 'T' }) {
  const clock = new FakeClock();
  const sockets: (EventSocket & { sent: PageMessage[]; isClosed: boolean })[] = [];
  const seen = { states: [] as string[], events: [] as PushEvent[], resets: 0, ends: [] as number[] };
  const client = new RealtimeClient({
    open: () => {
      const socket = {
        sent: [] as PageMessage[],
        isClosed: false,
        onopen: null,
        onmessage: null,
        onclose: null,
        send(text: string) {
          this.sent.push(JSON.parse(text) as PageMessage);
        },
        close() {
          this.isClosed = true;
        },
      };
      sockets.push(socket);
      return socket;
    },
    clock,
    random: () => 0,
    token: () => tokens.now,
    onState: (state) => seen.states.push(state),
    onMessage: () => undefined,
    onEvent: (event) => seen.events.push(event),
    onReset: () => {
      seen.resets += 1;
    },
    onEnd: (code) => seen.ends.push(code),
  });
  const last = () => sockets[sockets.length - 1]!;
  const say = (message: PushMessage) => last().onmessage?.({ data: JSON.stringify(message) });
  return { clock, sockets, seen, client, last, say };
}
const changed: PushEvent = { kind: 'resourcesChanged' };

describe('the event socket', () => {
  it('says hello with the token and is online after the welcome', () => {
    const { client, last, say, seen } = setUp();
    client.start();
    last().onopen?.();
    expect(last().sent).toEqual([{ type: 'hello', accessToken: 'T' }]);
    say({ type: 'welcome', seq: 7, now: 0 });
    expect(seen.states).toEqual(['connecting', 'online']);
  });

  it('goes on with the next token where the last one is over, and ends where there is none', () => {
    const tokens = { now: 'T' };
    const { client, clock, last, say, seen, sockets } = setUp(tokens);
    client.start();
    last().onopen?.();
    say({ type: 'welcome', seq: 7, now: 0 });
    tokens.now = 'T2';
    say({ type: 'end', code: 1002 });
    clock.advance(RECONNECT_BACKOFF.firstMs);
    expect(sockets).toHaveLength(2);
    last().onopen?.();
    expect(last().sent).toEqual([{ type: 'hello', accessToken: 'T2', since: 7 }]);
    expect(seen.ends).toEqual([]);
    say({ type: 'end', code: 1002 });
    expect(seen).toMatchObject({ ends: [1002] });
    expect(seen.states.at(-1)).toBe('idle');
  });

  it('resumes after the last number seen and drops what is repeated', () => {
    const { client, clock, last, say, seen, sockets } = setUp();
    client.start();
    say({ type: 'welcome', seq: 7, now: 0 });
    say({ type: 'event', seq: 8, event: changed });
    last().onclose?.();
    expect(seen.states.at(-1)).toBe('reconnecting');
    clock.advance(RECONNECT_BACKOFF.firstMs);
    expect(sockets).toHaveLength(2);
    last().onopen?.();
    expect(last().sent).toEqual([{ type: 'hello', accessToken: 'T', since: 8 }]);
    say({ type: 'welcome', seq: 9, now: 0 });
    say({ type: 'event', seq: 8, event: changed });
    say({ type: 'event', seq: 9, event: changed });
    expect(seen.events).toHaveLength(2);
  });

  it('the first resume starts after the sequence number of the first answer', () => {
    const { client, last, say, seen } = setUp();
    client.start();
    client.sawAnswer(6);
    client.sawAnswer(5);
    last().onopen?.();
    expect(last().sent).toEqual([{ type: 'hello', accessToken: 'T', since: 5 }]);
    say({ type: 'welcome', seq: 7, now: 0 });
    say({ type: 'event', seq: 6, event: changed });
    say({ type: 'event', seq: 7, event: changed });
    client.sawAnswer(7);
    expect(seen).toMatchObject({ resets: 0, events: [changed, changed] });
  });

  it('refetches once when an answer is older than the first welcome', () => {
    const { client, last, say, seen } = setUp();
    client.start();
    last().onopen?.();
    client.sawAnswer(6);
    say({ type: 'welcome', seq: 7, now: 0 });
    expect(seen.resets).toBe(1);
    client.sawAnswer(6);
    client.sawAnswer(8);
    expect(seen.resets).toBe(1);
    client.stop();
    client.start();
    last().onopen?.();
    say({ type: 'welcome', seq: 9, now: 0 });
    expect(seen.resets).toBe(1);
  });

  it('waits longer after each lost connection, at most 15 s', () => {
    const { client, clock, last, sockets } = setUp();
    client.start();
    for (const [at, waitMs] of [500, 1000, 2000, 4000, 8000, 15_000, 15_000].entries()) {
      last().onclose?.();
      clock.advance(waitMs - 1);
      expect(sockets).toHaveLength(at + 1);
      clock.advance(1);
      expect(sockets).toHaveLength(at + 2);
    }
  });

  it('a check finds a server that does not answer, once for all who ask', () => {
    const { client, clock, last, say, seen } = setUp();
    client.start();
    client.check();
    expect(last().sent).toEqual([]);
    last().onopen?.();
    say({ type: 'welcome', seq: 1, now: 0 });
    clock.advance(1000);
    const before = last().sent.length;
    client.check();
    client.check();
    expect(last().sent.slice(before)).toEqual([{ type: 'ping' }]);
    say({ type: 'pong', now: 0 });
    clock.advance(CHECK_MS);
    expect(seen.states.at(-1)).toBe('online');
    client.check();
    clock.advance(CHECK_MS - 1);
    expect(seen.states.at(-1)).toBe('online');
    clock.advance(1);
    expect(seen.states.at(-1)).toBe('reconnecting');
  });

  it('sends nothing on a socket that does not open, and gives it up', () => {
    const { client, clock, sockets, seen } = setUp();
    client.start();
    clock.advance(SILENCE_MS + PING_MS);
    expect(sockets[0]).toMatchObject({ sent: [], isClosed: true });
    expect(seen.states.at(-1)).toBe('reconnecting');
  });

  it('sends pings, and treats silence as a dead connection', () => {
    const { client, clock, last, say, seen, sockets } = setUp();
    client.start();
    last().onopen?.();
    say({ type: 'welcome', seq: 1, now: 0 });
    clock.advance(PING_MS);
    expect(last().sent.at(-1)).toEqual({ type: 'ping' });
    clock.advance(SILENCE_MS + PING_MS);
    expect(sockets[0]?.isClosed).toBe(true);
    expect(seen.states).toContain('reconnecting');
  });

  it('fetches everything again after a reset and ends for good with the session', () => {
    const { client, clock, last, say, seen, sockets } = setUp();
    client.start();
    say({ type: 'welcome', seq: 1, now: 0 });
    say({ type: 'reset', seq: 50 });
    expect(seen.resets).toBe(1);
    say({ type: 'end', code: 1002 });
    expect(seen.ends).toEqual([1002]);
    expect(last().isClosed).toBe(true);
    clock.advance(60_000);
    expect(sockets).toHaveLength(1);
  });

  it('tries at once when the browser is online again', () => {
    const { client, last, sockets } = setUp();
    client.start();
    last().onclose?.();
    client.retryNow();
    expect(sockets).toHaveLength(2);
  });
});
