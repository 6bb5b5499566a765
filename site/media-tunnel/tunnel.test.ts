// A tunnel delivers bytes whole, a slow reader stops its own stream alone, and a protocol error ends the tunnel.
import { EventEmitter, once } from 'node:events';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { afterEach, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { Tunnel } from './tunnel.ts';
import { type TunnelStream, WINDOW_BYTES } from './tunnel-stream.ts';

/** The part of a WebSocket that a tunnel uses; what is sent arrives at the other one a turn later. */
class PairedSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  closedWith: number | null = null;
  other: PairedSocket | null = null;

  send(message: Buffer, sent?: (error?: Error) => void): void {
    setImmediate(() => {
      this.other?.emit('message', message, true);
      sent?.();
    });
  }

  ping(): void {
    setImmediate(() => this.emit('pong'));
  }

  close(code: number): void {
    this.closedWith = code;
    this.terminate();
  }

  terminate(): void {
    if (this.readyState !== 1) return;
    this.readyState = 3;
    setImmediate(() => this.emit('close'));
    this.other?.terminate();
  }
}

const tunnels: Tunnel[] = [];
afterEach(() => {
  for (const tunnel of tunnels.splice(0)) tunnel.close();
});

function pair(): { near: Tunnel; served: TunnelStream[]; farSocket: PairedSocket } {
  const [nearSocket, farSocket] = [new PairedSocket(), new PairedSocket()];
  nearSocket.other = farSocket;
  farSocket.other = nearSocket;
  const served: TunnelStream[] = [];
  const common = { clock: systemClock, onClosed: () => undefined };
  const near = new Tunnel({ ...common, socket: nearSocket as unknown as WebSocket, uses: new Set(['http', 'rtsp']) });
  const far = new Tunnel({
    ...common,
    socket: farSocket as unknown as WebSocket,
    onStream: (_use, stream) => served.push(stream),
  });
  tunnels.push(near, far);
  return { near, served, farSocket };
}

async function open(near: Tunnel, served: TunnelStream[]): Promise<[TunnelStream, TunnelStream]> {
  const stream = near.open('http');
  if (!stream) throw new Error('no stream');
  const before = served.length;
  while (served.length === before) await new Promise((resolve) => setImmediate(resolve));
  return [stream, served[before] as TunnelStream];
}

it('carries bytes both ways, whole and in order, and ends as a socket does', async () => {
  const { near, served } = pair();
  const [stream, other] = await open(near, served);
  const sent = Buffer.from(Array.from({ length: 300_000 }, (_none, index) => index % 251));
  other.pipe(other);
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  const closed = once(stream, 'close');
  stream.end(sent);
  await once(stream, 'end');
  expect(Buffer.concat(pieces).equals(sent)).toBe(true);
  await closed;
  expect(near.streams).toBe(0);
});

it('a reader that does not read stalls its own stream and no other', async () => {
  const { near, served } = pair();
  const [slow, unread] = await open(near, served);
  let written = 0;
  const piece = Buffer.alloc(64 * 1024);
  const pump = (): void => {
    if (written < 4 * WINDOW_BYTES) slow.write(piece, () => ((written += piece.length), pump()));
  };
  pump();
  const [quick, read] = await open(near, served);
  read.resume();
  for (let count = 0; count < 64; count++) await new Promise((resolve) => quick.write(piece, resolve));
  expect(written).toBeLessThanOrEqual(WINDOW_BYTES);
  unread.resume();
  while (written < 4 * WINDOW_BYTES) await new Promise((resolve) => setImmediate(resolve));
});

it.each([
  ['no frame', Buffer.from([1])],
  ['an unknown kind', Buffer.from([9, 0, 0, 0, 1])],
  ['a stream for an unknown use', Buffer.concat([Buffer.from([0, 0, 0, 0, 9]), Buffer.from('shell')])],
  ['more than the window', null],
])('%s ends the tunnel', async (_name, message) => {
  const { near, served, farSocket } = pair();
  await open(near, served);
  const bytes = Buffer.alloc(WINDOW_BYTES + 5 + 200_000, 1);
  bytes.writeUInt32BE(1, 1);
  farSocket.emit('message', message ?? bytes, true);
  expect(farSocket.closedWith).toBe(4400);
});

it('a broken tunnel ends all its streams', async () => {
  const { near, served, farSocket } = pair();
  const [stream, other] = await open(near, served);
  const closed = Promise.all([once(stream, 'close'), once(other, 'close')]);
  farSocket.terminate();
  await closed;
  expect(near.open('rtsp')).toBeNull();
});
