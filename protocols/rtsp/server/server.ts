// An RTSP server: listens, keeps its connections, serves whatever mounts its owner knows (RFC 2326).
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { PortRange } from '../datagram-pair.ts';
import { RtspServerConnection, type RtspServerConnectionOptions } from './server-connection.ts';
import type { RtspServerSocket } from './server-socket.ts';
import type { DatagramFault } from './server-mount.ts';
import { ServerDatagrams } from './server-datagrams.ts';

export interface RtspServerOptions extends Omit<RtspServerConnectionOptions, 'socket' | 'onClose' | 'datagrams'> {
  /** UDP ports for media: `any` lets the system choose, null refuses UDP. */
  readonly udpPorts: PortRange | 'any' | null;
  readonly datagramFaultOf?: () => DatagramFault | null;
  /** Told of each client that comes, before it is heard. */
  readonly onClient?: (client: RtspServerConnection, socket: RtspServerSocket) => void;
}

export class RtspServer {
  readonly #options: RtspServerOptions;
  readonly #connections = new Set<RtspServerConnection>();
  readonly #datagrams: ServerDatagrams | null;
  #server: Server | null = null;

  constructor(options: RtspServerOptions) {
    this.#options = options;
    const { udpPorts, datagramFaultOf } = options;
    const range = udpPorts === 'any' || udpPorts === null ? undefined : udpPorts;
    this.#datagrams = udpPorts === null ? null : new ServerDatagrams(range, datagramFaultOf);
  }

  /** Resolves with the port; 0 asks the system for a free one, an empty host means every address. */
  listen(port: number, host: string): Promise<number> {
    const server = createServer((socket) => this.accept(socket));
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, ...(host !== '' && { host }) }, () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** Serves a client that came another way than over the port. */
  accept(socket: RtspServerSocket): void {
    const connection: RtspServerConnection = new RtspServerConnection({
      ...this.#options,
      socket,
      datagrams: this.#datagrams,
      onClose: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    this.#options.onClient?.(connection, socket);
  }

  get connections(): ReadonlySet<RtspServerConnection> {
    return this.#connections;
  }

  /** Stops listening and cuts every connection. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = new Promise<void>((resolve) => {
      if (server === null) resolve();
      else server.close(() => resolve());
    });
    for (const connection of this.#connections) connection.destroy();
    await closed;
    await this.#datagrams?.close();
  }
}
