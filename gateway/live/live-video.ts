// Live video at the gateway: viewers' sockets, served from one copy of each stream that the site feeds.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { FeedClient } from '@vedette/media/feed/feed-client.ts';
import { createLiveEndpoint, type LiveEndpoint } from '@vedette/media/live/live-endpoint.ts';
import { refuseUpgrade } from '@vedette/media/live/refuse-upgrade.ts';
import { StreamHub } from '@vedette/media/stream/hub.ts';
import type { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { foreignOrigin } from '@vedette/rules/foreign-origin.ts';
import type { Peer } from '../client/peer.ts';

export const LIVE_PATH = '/media/live';

export interface LiveVideoOptions {
  /** The site's feed. */
  readonly socketPath: string;
  readonly clock: Clock;
  readonly slabs: SlabPool;
  readonly log: (line: string) => void;
}

export interface Viewer {
  readonly peer: Peer;
  /** Called when the viewer is counted here. */
  readonly onAnswer: () => void;
}

export class LiveVideo {
  readonly #feed: FeedClient;
  readonly #endpoint: LiveEndpoint;

  constructor({ socketPath, clock, slabs, log }: LiveVideoOptions) {
    const onFailure = (error: unknown): void => log(`live video failed: ${String(error)}`);
    // An unwatched stream is let go at once: the site keeps it connected, and its newest pictures with it.
    const hub = new StreamHub({ clock, slabs, lingerMs: 0, onConsumerFailure: (_key, error) => onFailure(error) });
    this.#feed = new FeedClient({
      socketPath,
      onEnded: (grant, { code, reason }) => this.#endpoint.endWhere((one) => one === grant, code, reason),
      onLost: () => this.#endpoint.disconnectAll(),
      onFailure,
    });
    this.#endpoint = createLiveEndpoint({
      hub,
      clock,
      authorise: this.#feed.authorise,
      foreignOrigin: ({ headers }) => foreignOrigin(headers),
      onFailure,
    });
  }

  /** While the site is down it is answered as any other upgrade. */
  async serve(request: IncomingMessage, socket: Duplex, head: Buffer, { peer, onAnswer }: Viewer): Promise<void> {
    const drop = (): void => void socket.destroy();
    socket.on('error', drop);
    const isConnected = await this.#feed.whenConnected();
    socket.removeListener('error', drop);
    if (socket.destroyed) return;
    if (!isConnected) {
      refuseUpgrade(socket, '502 Bad Gateway');
      return;
    }
    onAnswer();
    this.#endpoint.handleUpgrade(request, socket, head, peer.address);
  }

  close(): void {
    this.#endpoint.close();
    this.#feed.close();
  }
}
