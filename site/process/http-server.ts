// The site's HTTP server on its unix socket: requests and WebSocket upgrades under /media/.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { chmod, rm } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { withoutNodeTicket } from '@vedette/contract/node-ticket.ts';
import { refuseUpgrade } from '@vedette/media/live/refuse-upgrade.ts';

export interface HttpServerOptions {
  readonly socketPath: string;
  /** False: the path belongs to another handler. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** By path. */
  readonly onUpgrade: Readonly<Record<string, (request: IncomingMessage, socket: Duplex, head: Buffer) => void>>;
  /** Called before; false: handle it here. */
  readonly relayUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
}

/** On every response: no other site may embed media. */
const NO_FRAME = { 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'DENY' } as const;

export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 30_000 }, (request, response) => {
      for (const [name, value] of Object.entries(NO_FRAME)) response.setHeader(name, value);
      if (options.onRequest(request, response)) return;
      response.writeHead(404, { 'content-type': 'application/json', 'cache-control': 'no-store, private' });
      response.end('{"code":1007,"message":"notFound"}');
    });
    this.#server.on('upgrade', (request, socket, head) => {
      if (options.relayUpgrade?.(request, socket, head)) return;
      const path = withoutNodeTicket((request.url ?? '').split('?')[0] ?? '');
      const upgrade = new Map(Object.entries(options.onUpgrade)).get(path);
      if (upgrade) upgrade(request, socket, head);
      else refuseUpgrade(socket, '404 Not Found');
    });
  }

  async listen(): Promise<void> {
    const { socketPath } = this.#options;
    // A killed process leaves its socket file.
    await rm(socketPath, { force: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(socketPath, resolve);
    await promise;
    await chmod(socketPath, 0o660);
  }

  /** Serves a viewer that did not come over the socket. */
  take(stream: Duplex): void {
    this.#server.emit('connection', stream);
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}
