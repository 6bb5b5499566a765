// The local site's socket for its gateway: live streams and the tickets of their viewers.
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { FeedServer, type FeedServerOptions } from '@vedette/media/feed/feed-server.ts';

export interface FeedListenerOptions extends FeedServerOptions {
  /** Null where there is no gateway: on a remote site. */
  readonly socketPath: string | null;
}

export class FeedListener {
  readonly feed: FeedServer;
  readonly #socketPath: string | null;
  readonly #server: Server;

  constructor({ socketPath, ...options }: FeedListenerOptions) {
    this.#socketPath = socketPath;
    this.feed = new FeedServer(options);
    this.#server = createServer((socket) => this.feed.accept(socket));
  }

  async open(): Promise<void> {
    if (this.#socketPath === null) return;
    // A killed process leaves its socket file.
    await rm(this.#socketPath, { force: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(this.#socketPath, resolve);
    await promise;
    await chmod(this.#socketPath, 0o660);
  }

  close(): void {
    this.feed.close();
    this.#server.close();
  }
}
