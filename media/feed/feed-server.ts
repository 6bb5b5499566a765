// The site's feed: every gateway that connects gets one copy of each stream that its viewers watch.
import type { Socket } from 'node:net';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { AuthoriseLive, LiveGrant } from '../live/live-grant.ts';
import type { StreamHub } from '../stream/hub.ts';
import { FeedConnection } from './feed-connection.ts';
import type { FeedCounters } from './feed-stream.ts';

export interface FeedServerOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly authorise: AuthoriseLive;
  readonly onFailure: (error: unknown) => void;
}

export class FeedServer {
  readonly #options: FeedServerOptions;
  readonly #connections = new Set<FeedConnection>();
  readonly #counters: FeedCounters = { units: 0, bytes: 0, skippedUnits: 0, skips: 0 };

  constructor(options: FeedServerOptions) {
    this.#options = options;
  }

  get counters(): Readonly<FeedCounters> {
    return this.#counters;
  }

  /** A gateway has connected. */
  accept(socket: Socket): void {
    const connection = new FeedConnection({ ...this.#options, socket, counters: this.#counters });
    this.#connections.add(connection);
    socket.on('close', () => this.#connections.delete(connection));
  }

  /** Ends matching subscriptions with a code for the tile; returns how many. */
  endWhere(test: (grant: LiveGrant) => boolean, code: number, reason?: string): number {
    let ended = 0;
    for (const connection of this.#connections) ended += connection.endWhere(test, code, reason);
    return ended;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}
