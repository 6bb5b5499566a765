// Live video at the gateway: viewers' sockets, served from one copy of each stream that a site feeds, its own or that of another server.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { nodeOfTicket } from '@vedette/contract/node-ticket.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type DialFeed, FeedClient, localFeed } from '@vedette/media/feed/feed-client.ts';
import { createLiveEndpoint, type LiveEndpoint } from '@vedette/media/live/live-endpoint.ts';
import type { AuthoriseLive, LiveGrant } from '@vedette/media/live/live-grant.ts';
import { refuseUpgrade } from '@vedette/media/live/refuse-upgrade.ts';
import { StreamHub } from '@vedette/media/stream/hub.ts';
import type { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { foreignOrigin } from '@vedette/rules/foreign-origin.ts';
import type { Peer } from '../client/peer.ts';

export const LIVE_PATH = '/media/live';

/** Feeds of other servers; null where the installation has none. */
export interface FeedsElsewhere {
  readonly isOwn: (nodeId: string) => boolean;
  readonly isKnown: (nodeId: string) => boolean;
  readonly dialFeed: (nodeId: string) => Promise<Duplex>;
}

export interface LiveVideoOptions {
  /** The feed of the site of this machine. */
  readonly socketPath: string;
  readonly elsewhere: FeedsElsewhere | null;
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
  readonly #options: LiveVideoOptions;
  readonly #feed: FeedClient;
  /** By server. */
  readonly #feedsElsewhere = new Map<string, FeedClient>();
  readonly #endpoint: LiveEndpoint;

  constructor(options: LiveVideoOptions) {
    this.#options = options;
    const { socketPath, clock, slabs } = options;
    const onFailure = (error: unknown): void => this.#failed(error);
    // An unwatched stream is let go at once: the site keeps it connected, and its newest pictures with it.
    const hub = new StreamHub({ clock, slabs, lingerMs: 0, onConsumerFailure: (_key, error) => onFailure(error) });
    this.#feed = this.#newFeed(localFeed(socketPath), { onLost: () => this.#endpoint.disconnectAll() });
    this.#endpoint = createLiveEndpoint({
      hub,
      clock,
      authorise: this.#authorise,
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
    for (const feed of [this.#feed, ...this.#feedsElsewhere.values()]) feed.close();
  }

  readonly #authorise: AuthoriseLive = async (ticket) => {
    const { elsewhere } = this.#options;
    const nodeId = nodeOfTicket(ticket);
    if (elsewhere === null || nodeId === null || elsewhere.isOwn(nodeId)) return await this.#feed.authorise(ticket);
    // Anybody can make up a server.
    if (!elsewhere.isKnown(nodeId)) return { allowed: false, code: ERROR_CODES.serviceBusy };
    const feed = this.#feedOf(nodeId, elsewhere);
    await feed.whenConnected();
    return await feed.authorise(ticket);
  };

  #feedOf(nodeId: string, { dialFeed }: FeedsElsewhere): FeedClient {
    const known = this.#feedsElsewhere.get(nodeId);
    if (known !== undefined) return known;
    const dial: DialFeed = async (read) => {
      const socket = await dialFeed(nodeId).catch((error: unknown) => {
        this.#failed(error);
        throw error;
      });
      socket.on('data', read);
      return socket;
    };
    const feed = this.#newFeed(dial, { scope: `${nodeId}/`, onLost: (grants) => this.#endLost(grants) });
    this.#feedsElsewhere.set(nodeId, feed);
    return feed;
  }

  #newFeed(
    dial: DialFeed,
    own: { readonly scope?: string; readonly onLost: (grants: readonly LiveGrant[]) => void },
  ): FeedClient {
    return new FeedClient({
      dial,
      ...own,
      onEnded: (grant, { code, reason }) => this.#endpoint.endWhere((one) => one === grant, code, reason),
      onFailure: (error) => this.#failed(error),
    });
  }

  /** What is watched from other servers goes on. */
  #endLost(grants: readonly LiveGrant[]): void {
    const lost = new Set(grants);
    this.#endpoint.endWhere((one) => lost.has(one), ERROR_CODES.serviceBusy);
  }

  #failed(error: unknown): void {
    this.#options.log(`live video failed: ${String(error)}`);
  }
}
