// An RTSP server over TCP: listens, keeps its connections, serves whatever mounts its owner knows (RFC 2326).
import { createServer, type AddressInfo, type Server } from 'node:net';
import { RtspServerConnection, type RtspServerConnectionOptions } from './server-connection.ts';

export type RtspServerOptions = Omit<RtspServerConnectionOptions, 'socket' | 'onClose'>;

export class RtspServer {
  readonly #options: RtspServerOptions;
  readonly #connections = new Set<RtspServerConnection>();
  #server: Server | null = null;

  constructor(options: RtspServerOptions) {
    this.#options = options;
  }

  /** Resolves with the port; 0 asks the system for a free one. */
  listen(port: number, host: string): Promise<number> {
    const server = createServer((socket) => {
      const connection: RtspServerConnection = new RtspServerConnection({
        ...this.#options,
        socket,
        onClose: () => this.#connections.delete(connection),
      });
      this.#connections.add(connection);
    });
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  get connections(): ReadonlySet<RtspServerConnection> {
    return this.#connections;
  }

  /** Stops listening and cuts every connection. */
  close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return Promise.resolve();
    return new Promise((resolve) => {
      server.close(() => resolve());
      for (const connection of this.#connections) connection.destroy();
    });
  }
}
