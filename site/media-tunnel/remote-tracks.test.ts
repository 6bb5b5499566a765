// Tracks of remote sites over real media tunnels: asked for once, in the times of the stream here, and never of a site that does not know them.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MEDIA_TUNNEL_PATH, STREAM_USES, STREAM_USES_HEADER, type StreamUse } from '@vedette/contract/remote-site.ts';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import type { TracksRequest } from '@vedette/contract/site/site-tracks.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { MediaTunnels } from './media-tunnels.ts';
import { RemoteTracks } from './remote-tracks.ts';
import { serveTracks } from './track-relay.ts';
import { Tunnel } from './tunnel.ts';
import { readFrame } from './tunnel-frame.ts';
import type { TunnelStream } from './tunnel-stream.ts';

const TOKEN = 't'.repeat(32);
const CHANNEL = { siteId: 'harbour', deviceSerial: 'D1', channelNo: 1 };
const clock = systemClock;
const track = { trackId: 1, objectClass: 'person', score: 0.8, box: [0.1, 0.2, 0.1, 0.3], isStill: false } as const;

let tunnels: MediaTunnels;
let url: string;
const open: (() => void)[] = [];

beforeEach(async () => {
  tunnels = new MediaTunnels({ clock, log: { info: () => undefined } });
  tunnels.expect({
    uplinks: [{ siteId: CHANNEL.siteId, tokenHash: createHash('sha256').update(TOKEN).digest('hex') }],
  });
  const server = createServer();
  server.on('upgrade', (request, socket, head) => tunnels.handleUpgrade(request, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}${MEDIA_TUNNEL_PATH}`;
  open.push(() => server.close());
});
afterEach(() => {
  for (const close of open.splice(0).toReversed()) close();
  tunnels.close();
});

/** `uses`: as it names them; null: a site that is older than the header. */
async function dial(uses: readonly StreamUse[] | null): Promise<WebSocket> {
  const named = uses === null ? {} : { [STREAM_USES_HEADER]: uses.join(',') };
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${TOKEN}`, ...named } });
  open.push(() => socket.terminate());
  await once(socket, 'open');
  // The server has the tunnel when it answers the upgrade, a turn before the site knows.
  return socket;
}

function site(socket: WebSocket) {
  const asked: TracksRequest[] = [];
  const listeners = new Set<(tracks: LiveTracks) => void>();
  const onStream = (_use: StreamUse, stream: TunnelStream): void =>
    serveTracks(stream, (channel) => {
      asked.push(channel);
      if (channel.deviceSerial !== CHANNEL.deviceSerial) return null;
      return (onTracks) => {
        listeners.add(onTracks);
        return () => listeners.delete(onTracks);
      };
    });
  const tunnel = new Tunnel({ socket, clock, onStream, onClosed: () => undefined });
  open.push(() => tunnel.close());
  return {
    asked,
    listeners,
    tell: (tracks: LiveTracks) => {
      for (const listener of listeners) listener(tracks);
    },
  };
}

it('asks once for all viewers, tells each in the times of its stream, and ends with the last', async () => {
  const far = site(await dial(STREAM_USES));
  const leads = new Map<string, number | null>([
    ['main', 500],
    ['second', null],
  ]);
  const tracks = new RemoteTracks({ clock, mediaTunnels: tunnels, leadMs: (key) => leads.get(key) ?? null });
  const told: Record<string, number[]> = { main: [], second: [] };
  const leaveMain = tracks.follow(CHANNEL, 'main', ({ at }) => told['main']?.push(at));
  await vi.waitFor(() => expect(far.listeners.size).toBe(1));
  far.tell({ at: 1000, tracks: [track] });
  await vi.waitFor(() => expect(told['main']).toEqual([1500]));
  // What stands in view is told to whoever comes later, as soon as its stream has its times.
  const leaveSecond = tracks.follow(CHANNEL, 'second', ({ at }) => told['second']?.push(at));
  expect(told['second']).toEqual([]);
  leads.set('second', -250);
  await vi.waitFor(() => expect(told['second']).toEqual([750]));
  expect(far.asked).toEqual([{ deviceSerial: 'D1', channelNo: 1 }]);
  leaveMain();
  expect(far.listeners.size).toBe(1);
  leaveSecond();
  await vi.waitFor(() => expect(far.listeners.size).toBe(0));
});

it('a site that does not know tracks is never asked for them, and keeps its tunnel', async () => {
  for (const uses of [null, ['http', 'rtsp']] as const) {
    const socket = await dial(uses);
    const opened: string[] = [];
    // As sites of that version do: an unknown use is a protocol error.
    socket.on('message', (message: Buffer) => {
      const frame = readFrame(message);
      if (frame?.kind !== 'open') return;
      opened.push(frame.body.toString());
      if (!['http', 'rtsp'].includes(frame.body.toString())) socket.close(4400);
    });
    const told: LiveTracks[] = [];
    const tracks = new RemoteTracks({ clock, mediaTunnels: tunnels, leadMs: () => 0 });
    const leave = tracks.follow(CHANNEL, 'main', (now) => told.push(now));
    expect(tunnels.open(CHANNEL.siteId, 'rtsp')).not.toBeNull();
    await vi.waitFor(() => expect(opened).toEqual(['rtsp']));
    leave();
    expect(socket.readyState).toBe(WebSocket.OPEN);
    expect(told).toEqual([]);
  }
});

it('follows again when the site is back with a newer version', async () => {
  const before = await dial(null);
  const told: number[] = [];
  const tracks = new RemoteTracks({ clock, mediaTunnels: tunnels, leadMs: () => 0 });
  open.push(tracks.follow(CHANNEL, 'main', ({ at }) => told.push(at)));
  before.terminate();
  const far = site(await dial(STREAM_USES));
  await vi.waitFor(() => expect(far.listeners.size).toBe(1), 5000);
  far.tell({ at: 7, tracks: [] });
  await vi.waitFor(() => expect(told).toEqual([7]));
});

it.each([
  ['no JSON', 'hello\n'],
  ['no tracks', '{"at":1}\n'],
  ['a box far away', JSON.stringify({ at: 1, tracks: [{ ...track, box: [9, 0, 0, 0] }] }).concat('\n')],
  ['a class that nobody knows', JSON.stringify({ at: 1, tracks: [{ ...track, objectClass: 'ghost' }] }).concat('\n')],
  ['a line without an end', 'x'.repeat(200_000)],
])('a site that sends %s loses the stream and nothing else', async (_name, text) => {
  const socket = await dial(STREAM_USES);
  const closed = vi.fn<() => void>();
  const tunnel = new Tunnel({
    socket,
    clock,
    onStream: (_use, stream) => {
      stream.resume();
      stream.once('close', closed);
      stream.write(text);
    },
    onClosed: () => undefined,
  });
  open.push(() => tunnel.close());
  const told: LiveTracks[] = [];
  const tracks = new RemoteTracks({ clock, mediaTunnels: tunnels, leadMs: () => 0 });
  const leave = tracks.follow(CHANNEL, 'main', (now) => told.push(now));
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(told).toEqual([]);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  leave();
});

it('a request that is none, or for a channel that is not there, is answered with the end', async () => {
  const far = site(await dial(STREAM_USES));
  for (const request of ['{"deviceSerial":1}\n', '{"deviceSerial":"D2","channelNo":1}\n', 'x'.repeat(10_000)]) {
    const stream = tunnels.open(CHANNEL.siteId, 'tracks');
    stream?.resume();
    stream?.write(request);
    await vi.waitFor(() => expect(stream?.destroyed).toBe(true));
  }
  expect(far.listeners.size).toBe(0);
});
