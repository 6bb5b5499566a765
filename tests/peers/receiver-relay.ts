// A TCP relay before a receiver of messages: it passes everything on, says nothing, or sends without end.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface EndlessAnswer {
  readonly head: string | Buffer;
  /** Sent again and again, as fast as it is taken. */
  readonly part: string | Buffer;
}

export class ReceiverRelay {
  /** Of the connections from now on; null: nothing is ever said. */
  behaviour: 'relay' | EndlessAnswer | null = 'relay';
  readonly sockets: Socket[] = [];
  readonly #behind: number;
  readonly #server: Server;

  private constructor(behind: number) {
    this.#behind = behind;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async before(port: number): Promise<ReceiverRelay> {
    const relay = new ReceiverRelay(port);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get openCount(): number {
    return this.sockets.filter(({ destroyed }) => !destroyed).length;
  }

  get bytesSent(): number {
    return this.sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.sockets.push(socket);
    socket.on('error', () => socket.destroy());
    if (this.behaviour === 'relay') {
      const behind = connect(this.#behind, '127.0.0.1');
      behind.on('error', () => socket.destroy());
      socket.on('close', () => behind.destroy());
      socket.pipe(behind).pipe(socket);
      return;
    }
    // Whoever is not read never sees that the other side has hung up.
    socket.resume();
    if (this.behaviour !== null) sendEndlessly(socket, this.behaviour);
  }
}

function sendEndlessly(socket: Socket, { head, part }: EndlessAnswer): void {
  const push = (): void => {
    while (!socket.destroyed && socket.write(part)) continue;
  };
  socket.write(head);
  socket.on('drain', push);
  push();
}
