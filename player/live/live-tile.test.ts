// A live tile against an engine played by hand: tickets, loss and return, fallback, hiding, ended shares.
// @vitest-environment happy-dom
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import type { LiveVideoFormat } from '@vedette/contract/media-wire.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { FakePlayerClock } from '../fake-player-clock.fake.ts';
import { LiveConnection } from '../transports/live-connection.ts';
import { FakeSocket } from '../transports/live-socket.fake.ts';
import { LiveTile } from './live-tile.ts';
import type { Decoders } from '../decode/decoder-support.ts';
import { FakeAudioOutput } from '../audio/audio-output.fake.ts';
import { TransportPolicy } from '../transports/transport-policy.ts';
import type { TicketAnswer, TicketRequest, TileSource } from './tile-source.ts';
import type { LiveTransport, TransportOptions } from '../transports/transport.ts';

const h264: LiveVideoFormat = { codec: 'h264', codecString: 'avc1.64001f', width: 640, height: 360 };
const h265: LiveVideoFormat = { codec: 'h265', codecString: 'hvc1.1.6.L93.B0', width: 640, height: 360 };

const ticket: TicketAnswer = { kind: 'ticket', ticket: 't', quality: 0, hlsUrl: 'https://site/media/hls/t/index.m3u8' };

/** H.264 by every way, H.265 by none. */
function decodersOf(codec: string): Decoders {
  return codec.startsWith('avc1')
    ? { mse: true, webcodecs: null, hls: true }
    : { mse: false, webcodecs: 'noDecoder', hls: false };
}

function stage(answer: (request: TicketRequest) => TicketAnswer = () => ticket) {
  const set = { refuseSockets: false };
  const clock = new FakePlayerClock();
  const sockets: FakeSocket[] = [];
  const audioOutput = new FakeAudioOutput();
  const transports: { options: TransportOptions; transport: LiveTransport }[] = [];
  const connection = new LiveConnection({
    url: 'ws://site',
    clock,
    openSocket: () => {
      const socket = new FakeSocket();
      socket.answersPings = true;
      sockets.push(socket);
      queueMicrotask(() => (set.refuseSockets ? socket.drop() : socket.open()));
      return socket;
    },
  });
  const tile = new LiveTile({
    connection,
    clock,
    opening: new Semaphore({ places: 4 }),
    support: { of: (codec) => Promise.resolve(decodersOf(codec)) },
    policy: new TransportPolicy({ clock, store: null }),
    audioOutput,
    makeTransport: (kind, options) => {
      const transport = {
        kind,
        droppedFrames: 0,
        hold: vi.fn<LiveTransport['hold']>(),
        paint: vi.fn<LiveTransport['paint']>(() => true),
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
    transports.at(-1)?.options.onFrame({ width: 640, height: 360, wallMs: clock.wallMs(), shownAtMs: clock.wallMs() });
  return Object.assign(set, {
    clock,
    tile,
    soundOutput: audioOutput,
    video,
    canvas,
    getTicket,
    sockets,
    socket,
    transports,
    show,
    source: { getTicket },
  });
}

type Stage = ReturnType<typeof stage>;

async function playing(set: Stage): Promise<void> {
  set.tile.open(set.source);
  await set.clock.advanceAsync(0);
  const id = set.socket().requests('subscribe').at(-1)?.id ?? 0;
  set.socket().notice({ type: 'format', id, video: h264, audio: null });
  set.socket().media('videoFragment', id, set.clock.wallMs());
  await settlePromises();
  set.show();
}

describe('a live tile', () => {
  let set: Stage;
  beforeEach(() => {
    set = stage();
  });

  test('asks for tracks while somebody listens, anew with each session, and never otherwise', async () => {
    await playing(set);
    const asked = () =>
      set
        .socket()
        .requests('follow')
        .map(({ tracks }) => tracks);
    expect(asked()).toEqual([]);
    // Null: the clock of the next may be another one.
    const told: (number | null)[] = [];
    const stop = set.tile.onTracks((tracks) => told.push(tracks?.at ?? null));
    set.socket().notice({ type: 'tracks', id: 1, at: 5, tracks: [] });
    set.tile.open(set.source);
    await set.clock.advanceAsync(0);
    expect(asked()).toEqual([true]);
    set.socket().notice({ type: 'format', id: 2, video: h264, audio: null });
    set.socket().notice({ type: 'format', id: 2, video: h264, audio: null });
    set.socket().notice({ type: 'tracks', id: 2, at: 6, tracks: [] });
    stop();
    set.socket().notice({ type: 'tracks', id: 2, at: 7, tracks: [] });
    expect(asked()).toEqual([true, true, false]);
    expect(told).toEqual([5, null, 6]);
  });

  test('[LV-01] connecting, then live with what is shown', async () => {
    const states: string[] = [];
    set.tile.onChange(() => states.push(set.tile.state.kind));
    await playing(set);
    expect(states).toEqual(['connecting', 'live']);
    expect(set.tile.state).toMatchObject({
      kind: 'live',
      transport: 'webcodecs',
      because: 'fewTiles',
      codec: 'avc1.64001f',
      width: 640,
    });
  });

  test('after a lost socket it asks for a new ticket and plays on', async () => {
    await playing(set);
    set.socket().drop();
    expect(set.tile.state).toMatchObject({ kind: 'stalled', cause: 'connection' });
    await set.clock.advanceAsync(1000);
    expect(set.getTicket).toHaveBeenCalledTimes(2);
    expect(set.sockets).toHaveLength(2);
    expect(set.socket().requests('subscribe')).toHaveLength(1);
  });

  test('[FT-33] over a line that is too slow it asks for a smaller stream on a new socket, once, and says so', async () => {
    await playing(set);
    const first = set.socket();
    const takenMs = set.clock.wallMs();
    const arriveLate = async (id: number): Promise<void> => {
      for (let second = 0; second < 20; second++) {
        await set.clock.advanceAsync(1000);
        set.socket().media('videoFragment', id, takenMs + second * 250);
      }
    };
    await arriveLate(1);
    expect([first.isClosed, set.sockets.length]).toEqual([true, 2]);
    expect(set.getTicket).toHaveBeenCalledTimes(2);
    expect(set.getTicket.mock.lastCall?.[0].isLighter).toBe(true);
    const { id } = set.socket().requests('subscribe')[0] ?? { id: 0 };
    set.socket().notice({ type: 'format', id, video: h264, audio: null });
    await settlePromises();
    set.show();
    expect(set.tile.state).toMatchObject({ kind: 'live', lighterBecause: 'slowLine' });
    await arriveLate(id);
    expect(set.sockets).toHaveLength(2);
  });

  test('[PM-04] an ended share blanks the tile in the same message, for good', async () => {
    await playing(set);
    set.socket().notice({ type: 'end', id: 1, code: 1017 });
    expect(set.tile.lastFrameAt).toBeNull();
    expect(set.canvas.width).toBe(0);
    expect(set.tile.state).toMatchObject({ kind: 'ended', code: 1017 });
    expect(set.transports[0]?.transport.close).toHaveBeenCalled();
    await set.clock.advanceAsync(60_000);
    expect(set.getTicket).toHaveBeenCalledOnce();
  });

  test('a device that does not answer is tried again, later and later', async () => {
    const away = stage(() => ({ kind: 'refused', code: 2317, reason: 'timeout' }));
    away.tile.open(away.source);
    await away.clock.advanceAsync(0);
    expect(away.tile.state).toMatchObject({ kind: 'offline', reason: 'timeout' });
    await away.clock.advanceAsync(10_000);
    const calls = away.getTicket.mock.calls.length;
    expect(calls).toBeGreaterThan(2);
    expect(calls).toBeLessThan(8);
  });

  test('[LV-01] unplayable H.265 is replaced by another stream, else reported', async () => {
    let asked = 0;
    const other = stage(() => {
      asked++;
      return asked === 1 ? ticket : { kind: 'unsupported', codec: 'h265' };
    });
    other.tile.open(other.source);
    await other.clock.advanceAsync(0);
    other.socket().notice({ type: 'format', id: 1, video: h265, audio: null });
    await other.clock.advanceAsync(10);
    expect(asked).toBe(2);
    expect(other.tile.state).toEqual({ kind: 'unsupported', codec: 'h265' });
  });

  const fault = async (): Promise<void> => {
    set.transports.at(-1)?.options.onFault({ kind: 'decode', message: 'bad bytes' });
    await settlePromises();
  };
  const kinds = (): string[] => set.transports.map(({ transport }) => transport.kind);

  test('a decoder fault restarts from a keyframe, the next one switches transport, the last requests a lighter stream', async () => {
    await playing(set);
    await fault();
    expect(set.socket().requests('resume')).toHaveLength(1);
    expect(kinds()).toEqual(['webcodecs', 'webcodecs']);
    await fault();
    expect(kinds()).toEqual(['webcodecs', 'webcodecs', 'mse']);
    set.show();
    expect(set.tile.state).toMatchObject({ transport: 'mse', because: 'failed' });
    await fault();
    expect(set.getTicket).toHaveBeenCalledOnce();
    await fault();
    await set.clock.advanceAsync(2000);
    expect(set.getTicket).toHaveBeenCalledTimes(2);
    expect(set.getTicket.mock.lastCall?.[0].isLighter).toBe(true);
  });

  test('[LV-01] a stream that no transport can play is reported and retried, after the lighter stream failed too', async () => {
    await playing(set);
    for (let times = 0; times < 4; times++) await fault();
    await set.clock.advanceAsync(2000);
    expect(set.tile.state.kind).toBe('stalled');
    set.socket().notice({ type: 'format', id: 2, video: h264, audio: null });
    await settlePromises();
    for (let times = 0; times < 4; times++) await fault();
    expect(set.tile.state).toMatchObject({ kind: 'offline', reason: 'undecodable' });
    const calls = set.getTicket.mock.calls.length;
    await set.clock.advanceAsync(20_000);
    expect(set.getTicket.mock.calls.length).toBeGreaterThan(calls);
    set.socket().notice({ type: 'format', id: 3, video: h264, audio: null });
    await settlePromises();
    set.show();
    expect(set.tile.state.kind).toBe('live');
  });

  test('a decoder that falls behind is replaced by MSE, and its last frame stays until the next one', async () => {
    await playing(set);
    const quick = set.transports[0]?.transport;
    set.transports[0]?.options.onFault({ kind: 'lag' });
    await settlePromises();
    expect(kinds()).toEqual(['webcodecs', 'mse']);
    expect(set.socket().requests('resume')).toHaveLength(1);
    expect(quick?.hold).toHaveBeenCalled();
    expect(quick?.close).not.toHaveBeenCalled();
    expect(set.tile.state.kind).toBe('live');
    set.show();
    expect(quick?.close).toHaveBeenCalled();
    expect(set.tile.state).toMatchObject({ transport: 'mse', because: 'lagged' });
    expect(set.getTicket).toHaveBeenCalledOnce();
  });

  test('falls back to HLS while the media socket fails, and returns to it later', async () => {
    const blocked = stage();
    blocked.sockets.length = 0;
    blocked.refuseSockets = true;
    blocked.tile.open(blocked.source);
    await blocked.clock.advanceAsync(5000);
    expect(blocked.transports.map(({ transport }) => transport.kind)).toEqual(['hls']);
    expect(blocked.transports[0]?.options.hlsUrl).toBe(ticket.hlsUrl);
    blocked.show();
    expect(blocked.tile.state).toMatchObject({ kind: 'live', transport: 'hls', because: 'noSocket' });
    blocked.refuseSockets = false;
    await blocked.clock.advanceAsync(15_000);
    expect(blocked.getTicket).toHaveBeenCalledTimes(2);
    expect(blocked.socket().requests('subscribe')).toHaveLength(1);
  });

  test('audio is switched on without a video break, and played in sync', async () => {
    await playing(set);
    const pcma = { codec: 'pcma', codecString: 'alaw', sampleRate: 8000, channels: 1 } as const;
    set.socket().notice({ type: 'format', id: 1, video: h264, audio: pcma });
    set.tile.setAudio(true);
    await settlePromises();
    expect(set.socket().requests('listen')).toEqual([{ type: 'listen', id: 1, audio: true }]);
    set.socket().media('audioRaw', 1, set.clock.wallMs() - 30, new Uint8Array(160).fill(0xd5));
    expect(set.soundOutput.orders.map(({ type }) => type)).toEqual(['format', 'samples']);
    expect(set.tile.audioState).toEqual({ kind: 'playing' });
    set.tile.setVolume(0.5);
    expect(set.soundOutput.volume).toBe(0.5);
    set.tile.setAudio(false);
    await settlePromises();
    expect(set.tile.audioState).toEqual({ kind: 'off' });
    expect(set.soundOutput.openSinks).toBe(0);
    expect(set.transports).toHaveLength(1);
    expect(set.getTicket).toHaveBeenCalledOnce();
  });

  test('over HLS the element plays the audio, and the tile says where there is none', async () => {
    const blocked = stage();
    blocked.refuseSockets = true;
    blocked.tile.open(blocked.source, { audio: true });
    await blocked.clock.advanceAsync(10_000);
    const tellAudio = blocked.transports.at(-1)?.options.onAudioInVideo;
    blocked.show();
    expect(blocked.tile.audioState).toEqual({ kind: 'starting' });
    tellAudio?.(false);
    expect(blocked.tile.audioState).toEqual({ kind: 'unavailable', because: 'notInHls' });
    tellAudio?.(true);
    expect(blocked.tile.audioState).toEqual({ kind: 'playing' });
    expect(blocked.soundOutput.openSinks).toBe(0);
    blocked.tile.close();
  });

  test('a hidden tile pauses the media and resumes without a new ticket', async () => {
    await playing(set);
    set.tile.setVisible(false);
    expect(set.tile.state).toEqual({ kind: 'paused' });
    await set.clock.advanceAsync(30_000);
    expect(set.socket().requests('pause')).toHaveLength(1);
    set.tile.setVisible(true);
    expect(set.socket().requests('resume')).toHaveLength(1);
    set.show();
    expect(set.tile.state.kind).toBe('live');
  });

  test('a silent stream stalls the tile and finally restarts it', async () => {
    await playing(set);
    await set.clock.advanceAsync(6000);
    expect(set.tile.state).toMatchObject({ kind: 'stalled', cause: 'stream' });
    await set.clock.advanceAsync(20_000);
    expect(set.getTicket.mock.calls.length).toBeGreaterThan(1);
  });

  test('closing while the ticket is pending leaves no subscription', async () => {
    set.tile.open(set.source);
    set.tile.close();
    await set.clock.advanceAsync(100);
    expect(set.tile.state).toEqual({ kind: 'idle' });
    expect(set.sockets[0]?.requests('subscribe') ?? []).toHaveLength(0);
  });

  test('JPEG frames need no MediaSource', async () => {
    set.tile.open(set.source);
    await set.clock.advanceAsync(0);
    set.socket().media('jpeg', 1, set.clock.wallMs());
    set.show();
    expect(set.tile.state).toMatchObject({ kind: 'live', transport: 'jpeg' });
  });
});
