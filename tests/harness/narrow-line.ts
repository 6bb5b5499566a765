// A narrow line to a product: a relay that is slow, far away and loses packets, as TCP over such a line shows it to both ends.
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';

const BITS_PER_SECOND = 1_000_000;
/** Of one direction: 200 ms there and back. */
const DELAY_MS = 100;
/** Every fiftieth segment is lost: it comes a round trip later, and all behind it wait. */
const LOST_EVERY = 50;
const SEGMENT_BYTES = 1448;

export class NarrowLine {
  /** Of the line, on 127.0.0.1. */
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #shape: Shape;

  private constructor(server: Server, sockets: Set<Socket>, shape: Shape) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#server = server;
    this.#sockets = sockets;
    this.#shape = shape;
  }

  /** Wide until `narrow`. @param to address of the product, plain */
  static async to(to: string): Promise<NarrowLine> {
    const shape = new Shape();
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      const far = connect(Number(new URL(to).port), '127.0.0.1');
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => sockets.delete(socket));
      }
      void carry(near, far, shape);
      void carry(far, near, shape);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new NarrowLine(server, sockets, shape);
  }

  narrow(): void {
    this.#shape.isNarrow = true;
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }
}

/** One for both directions and all connections. */
class Shape {
  isNarrow = false;
  #freeAt = 0;
  #segments = 0;

  /** Resolves once the line has taken so many bytes. */
  async take(bytes: number): Promise<void> {
    const now = performance.now();
    this.#freeAt = Math.max(this.#freeAt, now) + (bytes * 8000) / BITS_PER_SECOND;
    this.#segments += 1;
    const lostMs = this.#segments % LOST_EVERY === 0 ? 2 * DELAY_MS : 0;
    await after(this.#freeAt - now + lostMs);
  }
}

/** Ends with either: what waits is dropped with a connection that is closed. */
async function carry(from: Socket, to: Socket, shape: Shape): Promise<void> {
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (!shape.isNarrow) to.write(chunk);
      else await trickle(chunk, to, shape);
    }
  } catch {
    // Whoever cut the connection is told by the other end.
  }
  to.destroy();
}

async function trickle(chunk: Buffer, to: Socket, shape: Shape): Promise<void> {
  for (let at = 0; at < chunk.length && !to.destroyed; at += SEGMENT_BYTES) {
    const segment = chunk.subarray(at, at + SEGMENT_BYTES);
    await shape.take(segment.length);
    setTimeout(() => void (to.destroyed || to.write(segment)), DELAY_MS);
  }
}
