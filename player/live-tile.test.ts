// A live tile against an engine played by hand: tickets, loss and return, fallback, hiding, ended shares.
// @vitest-environment happy-dom
import type { LiveVideoFormat } from '@vedette/contract/media-wire.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeClock } from './fake-clock.fake.ts';
import { LiveConnection } from './live-connection.ts';
import { FakeSocket } from './live-socket.fake.ts';
import { LiveTile } from './live-tile.ts';
import { OpeningQueue } from './opening-queue.ts';
import type { TicketAnswer, TicketRequest, TileSource } from './tile-source.ts';
import type { LiveTransport, TransportOptions } from './transport.ts';

const h264: LiveVideoFormat = { codec: 'h264', codecString: 'avc1.64001f', width: 640, height: 360 };
const h265: LiveVideoFormat = { codec: 'h265', codecString: 'hvc1.1.6.L93.B0', width: 640, height: 360 };

function stage(answer: (request: TicketRequest) => TicketAnswer = () => ({ kind: 'ticket', ticket: 't', quality: 0 })) {
  const clock = new FakeClock();
  const sockets: FakeSocket[] = [];
  const transports: { options: TransportOptions; transport: LiveTransport }[] = [];
  const connection = new LiveConnection({
    url: 'ws://site',
    clock,
    openSocket: () => {
      const socket = new FakeSocket();
      socket.answersPings = true;
      sockets.push(socket);
      queueMicrotask(() => socket.open());
      return socket;
    },
  });
  const tile = new LiveTile({
    connection,
    clock,
    opening: new OpeningQueue({ places: 4 }),
    support: { canPlay: (codec) => !/hvc1|h265/.test(codec) },
    makeTransport: (kind, options) => {
      const transport = {
        kind,
        push: vi.fn<LiveTransport['push']>(),
        expectGap: vi.fn<LiveTransport['expectGap']>(),
        close: vi.fn<LiveTransport['close']>(),
      };
      transports.push({ options, transport });
      return transport;
    },
  });
  const [video, canvas] = [document.createElement('video'), document.createElement('canvas')];
  tile.attach({ video, canvas });
  const getTicket = vi.fn<TileSource['getTicket']>((request) => Promise.resolve(answer(request)));
  const socket = (): FakeSocket => sockets.at(-1) as FakeSocket;
  const show = (): void =>
    transports.at(-1)?.options.onFrame({ width: 640, height: 360, wallMs: clock.now(), shownAtMs: clock.now() });
  return { clock, tile, video, canvas, getTicket, sockets, socket, transports, show, source: { getTicket } };
}

type Stage = ReturnType<typeof stage>;

async function playing(set: Stage): Promise<void> {
  set.tile.open(set.source);
  await set.clock.advance(0);
  const id = set.socket().requests('subscribe').at(-1)?.id ?? 0;
  set.socket().notice({ type: 'format', id, video: h264, audio: null });
  set.socket().media('videoFragment', id, set.clock.now());
  set.show();
}

describe('a live tile', () => {
  let set: Stage;
  beforeEach(() => {
    set = stage();
  });

  test('[LV-01] connecting, then live with what is shown', async () => {
    const states: string[] = [];
    set.tile.onChange(() => states.push(set.tile.state.kind));
    await playing(set);
    expect(states).toEqual(['connecting', 'live']);
    expect(set.tile.state).toMatchObject({ kind: 'live', transport: 'mse', codec: 'avc1.64001f', width: 640 });
  });

  test('after a lost socket it asks for a new ticket and plays on', async () => {
    await playing(set);
    set.socket().drop();
    expect(set.tile.state).toMatchObject({ kind: 'stalled', cause: 'connection' });
    await set.clock.advance(1000);
    expect(set.getTicket).toHaveBeenCalledTimes(2);
    expect(set.sockets).toHaveLength(2);
    expect(set.socket().requests('subscribe')).toHaveLength(1);
  });

  test('[PM-04] an ended share goes dark in the same message and stays so', async () => {
    await playing(set);
    Object.defineProperties(set.video, {
      readyState: { value: 4 },
      videoWidth: { value: 640 },
      videoHeight: { value: 360 },
    });
    set.socket().notice({ type: 'end', id: 1, code: 1017 });
    expect(set.tile.stillAt).toBeNull();
    expect(set.canvas.width).toBe(0);
    expect(set.tile.state).toMatchObject({ kind: 'ended', code: 1017 });
    expect(set.transports[0]?.transport.close).toHaveBeenCalled();
    await set.clock.advance(60_000);
    expect(set.getTicket).toHaveBeenCalledOnce();
  });

  test('a device that does not answer is tried again, later and later', async () => {
    const away = stage(() => ({ kind: 'refused', code: 2317, reason: 'timeout' }));
    away.tile.open(away.source);
    await away.clock.advance(0);
    expect(away.tile.state).toMatchObject({ kind: 'offline', reason: 'timeout' });
    await away.clock.advance(10_000);
    const calls = away.getTicket.mock.calls.length;
    expect(calls).toBeGreaterThan(2);
    expect(calls).toBeLessThan(8);
  });

  test('[LV-01] H.265 that cannot be played: asked again for another stream, then said', async () => {
    let asked = 0;
    const other = stage((request) => {
      asked++;
      return request.canPlay('hvc1.1.6.L93.B0') || asked === 1
        ? { kind: 'ticket', ticket: 't', quality: 0 }
        : { kind: 'unsupported', codec: 'h265' };
    });
    other.tile.open(other.source);
    await other.clock.advance(0);
    other.socket().notice({ type: 'format', id: 1, video: h265, audio: null });
    await other.clock.advance(10);
    expect(asked).toBe(2);
    expect(other.tile.state).toEqual({ kind: 'unsupported', codec: 'h265' });
  });

  test('a decoder fault restarts once from a key frame, the second asks for a lighter stream', async () => {
    await playing(set);
    set.transports.at(-1)?.options.onFault({ kind: 'decode', message: 'bad bytes' });
    expect(set.transports).toHaveLength(2);
    expect(set.socket().requests('resume')).toHaveLength(1);
    expect(set.getTicket).toHaveBeenCalledOnce();
    set.transports.at(-1)?.options.onFault({ kind: 'decode', message: 'bad bytes' });
    await set.clock.advance(2000);
    expect(set.getTicket).toHaveBeenCalledTimes(2);
    expect(set.getTicket.mock.lastCall?.[0].isLighter).toBe(true);
  });

  test('a hidden tile pauses the media and resumes without a new ticket', async () => {
    await playing(set);
    set.tile.setVisible(false);
    expect(set.tile.state).toEqual({ kind: 'paused' });
    await set.clock.advance(30_000);
    expect(set.socket().requests('pause')).toHaveLength(1);
    set.tile.setVisible(true);
    expect(set.socket().requests('resume')).toHaveLength(1);
    set.show();
    expect(set.tile.state.kind).toBe('live');
  });

  test('silence of the stream stalls the tile and in the end asks anew', async () => {
    await playing(set);
    await set.clock.advance(6000);
    expect(set.tile.state).toMatchObject({ kind: 'stalled', cause: 'stream' });
    await set.clock.advance(20_000);
    expect(set.getTicket.mock.calls.length).toBeGreaterThan(1);
  });

  test('closing while the ticket is on its way leaves nothing behind', async () => {
    set.tile.open(set.source);
    set.tile.close();
    await set.clock.advance(100);
    expect(set.tile.state).toEqual({ kind: 'idle' });
    expect(set.sockets[0]?.requests('subscribe') ?? []).toHaveLength(0);
  });

  test('JPEG pictures need no media source', async () => {
    set.tile.open(set.source);
    await set.clock.advance(0);
    set.socket().media('jpeg', 1, set.clock.now());
    set.show();
    expect(set.tile.state).toMatchObject({ kind: 'live', transport: 'jpeg' });
  });
});
