// Multiplexes many streams over one WebSocket: the local site opens them, the remote site serves them; each has its own flow control.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { STREAM_USES, type StreamUse } from '@vedette/contract/remote-site.ts';
import type { RawData, WebSocket } from 'ws';
import { type FrameKind, readFrame, writeFrame } from './tunnel-frame.ts';
import { TunnelStream } from './tunnel-stream.ts';

export interface TunnelOptions {
  readonly socket: WebSocket;
  readonly clock: Clock;
  /** What the peer serves; absent on the side that opens no streams. */
  readonly uses?: ReadonlySet<StreamUse>;
  /** Called for streams opened by the peer; absent on the side that opens them. */
  readonly onStream?: (use: StreamUse, stream: TunnelStream) => void;
  readonly onClosed: () => void;
}

const PING_EVERY_MS = 5000;
const STREAMS_MAX = 2000;
const BAD_FRAME = 4400;

export class Tunnel {
  readonly #options: TunnelOptions;
  readonly #streams = new Map<number, TunnelStream>();
  #nextId = 1;
  #isHeard = true;
  #isClosed = false;
  #cancelPing: () => void = () => undefined;

  constructor(options: TunnelOptions) {
    this.#options = options;
    const { socket } = options;
    socket.on('message', (message: RawData, isBinary: boolean) => {
      this.#isHeard = true;
      if (!isBinary || !this.#receive(message as Buffer)) socket.close(BAD_FRAME);
    });
    socket.on('pong', () => {
      this.#isHeard = true;
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#closed());
    this.#ping();
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Null if the tunnel is closed or full, or its peer does not serve this use. */
  open(use: StreamUse): TunnelStream | null {
    if (this.#isClosed || this.#streams.size >= STREAMS_MAX) return null;
    if (this.#options.uses?.has(use) !== true) return null;
    const id = this.#nextId;
    this.#nextId = (this.#nextId % 0xffff_ffff) + 1;
    this.#send('open', id, Buffer.from(use));
    return this.#add(id);
  }

  close(): void {
    this.#options.socket.terminate();
    this.#closed();
  }

  /** False for a protocol error. */
  #receive(message: Buffer): boolean {
    const frame = readFrame(message);
    if (!frame) return false;
    const { kind, id, body } = frame;
    if (kind === 'open') return this.#opened(id, body.toString('latin1'));
    const stream = this.#streams.get(id);
    // Data under way when the stream was reset.
    if (!stream) return true;
    if (kind === 'data') return stream.arrive(body);
    if (kind === 'room') stream.addRoom(body.readUInt32BE(0));
    else if (kind === 'end') stream.arriveEnd();
    else stream.destroy();
    return true;
  }

  #opened(id: number, word: string): boolean {
    const { onStream } = this.#options;
    const use = STREAM_USES.find((one) => one === word);
    if (!onStream || use === undefined || this.#streams.has(id)) return false;
    if (this.#streams.size >= STREAMS_MAX) this.#send('reset', id);
    else onStream(use, this.#add(id));
    return true;
  }

  #add(id: number): TunnelStream {
    const { socket } = this.#options;
    const stream = new TunnelStream({
      data: (piece, sent) => {
        if (socket.readyState === socket.OPEN)
          socket.send(writeFrame('data', id, piece), (error) => sent(error ?? null));
        else sent(new Error('the line is gone'));
      },
      room: (bytes) => {
        const body = Buffer.alloc(4);
        body.writeUInt32BE(bytes);
        this.#send('room', id, body);
      },
      end: () => this.#send('end', id),
      reset: () => this.#send('reset', id),
      closed: () => this.#streams.delete(id),
    });
    // The user of the stream is told by `close`.
    stream.on('error', () => undefined);
    this.#streams.set(id, stream);
    return stream;
  }

  #send(kind: FrameKind, id: number, body?: Buffer): void {
    const { socket } = this.#options;
    if (socket.readyState === socket.OPEN) socket.send(writeFrame(kind, id, body));
  }

  /** A frozen peer keeps its socket open for minutes. */
  #ping(): void {
    this.#cancelPing = this.#options.clock.after(PING_EVERY_MS, () => {
      if (!this.#isHeard) {
        this.#options.socket.terminate();
        return;
      }
      this.#isHeard = false;
      this.#options.socket.ping();
      this.#ping();
    });
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelPing();
    for (const stream of this.#streams.values()) stream.destroy();
    this.#options.onClosed();
  }
}
