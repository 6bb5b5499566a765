// Re-streams live streams to native RTSP clients at `rtsp://host:port/<ticket>`: one pull of the camera for all clients, no publishing.
import type { PortRange } from '@vedette/protocols/rtsp/datagram-pair.ts';
import type { RtspServerConnection } from '@vedette/protocols/rtsp/server/server-connection.ts';
import type { RtspServerSocket } from '@vedette/protocols/rtsp/server/server-socket.ts';
import { RtspServer } from '@vedette/protocols/rtsp/server/server.ts';
import { type RtspMount, RtspRefusal, type RtspVisitor } from '@vedette/protocols/rtsp/server/server-mount.ts';
import type { ConnectionSlot } from '@vedette/rules/admission/connection-slots.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type ConnectionLimiter, UNAUTHENTICATED_MAX_BYTES } from '../endpoint/connection-limiter.ts';
import type { StreamHub, StreamLease } from '../stream/hub.ts';
import { type RestreamCounters, RestreamFeed } from './restream-feed.ts';
import type { AuthoriseRestream, RestreamGrant } from './restream-grant.ts';

export interface RestreamServerOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly authorise: AuthoriseRestream;
  readonly random32: () => number;
  /** Null: clients come through the media tunnel. */
  readonly limiter: ConnectionLimiter | null;
  /** Null: media over TCP only. */
  readonly udpPorts: PortRange | 'any' | null;
  /** Called for internal errors; never with addresses, which contain tickets. */
  readonly onFailure: (error: unknown) => void;
}

/** A camera may still need to connect and send its first keyframe. */
const FORMAT_WITHIN_MS = 10_000;
const TIMEOUT_SECONDS = 60;
/** After so many wrong tickets a connection is closed: it guesses. */
const MAX_REFUSALS = 3;

interface SharedFeed {
  readonly feed: RestreamFeed;
  readonly lease: StreamLease;
  users: number;
}

interface Visit {
  readonly mounts: Map<string, Promise<RtspMount>>;
  /** Null without an RTSP listener. */
  readonly place: ConnectionSlot | null;
  isKnown: boolean;
  refusals: number;
}

export class RestreamServer {
  readonly counters: RestreamCounters = { packets: 0, bytes: 0, skippedUnits: 0, unsendableUnits: 0 };
  readonly #options: RestreamServerOptions;
  readonly #server: RtspServer;
  readonly #feeds = new Map<string, SharedFeed>();
  readonly #visits = new WeakMap<RtspVisitor, Visit>();

  constructor(options: RestreamServerOptions) {
    this.#options = options;
    this.#server = new RtspServer({
      // The ticket in the address authenticates.
      authentication: { realm: 'Vedette', schemes: () => [], passwordOf: () => null },
      serverName: 'Vedette',
      mountOf: (path, visitor) => this.#mountOf(path, visitor),
      timeoutSeconds: () => TIMEOUT_SECONDS,
      udpPorts: options.udpPorts,
      onClient: (client, socket) => this.#enter(client, socket),
      onFailure: options.onFailure,
    });
  }

  /** Connections at present. */
  get clients(): number {
    return this.#server.connections.size;
  }

  /** Resolves with the port; 0 asks the system for a free one. Rejects when the port is taken. */
  listen(port: number, host: string): Promise<number> {
    return this.#server.listen(port, host);
  }

  /** Serves one client of the media tunnel. */
  accept(socket: RtspServerSocket): void {
    this.#server.accept(socket);
  }

  /** Ends the sessions of matching streams, for example of a removed device. */
  endWhere(isOver: (streamKey: string) => boolean): void {
    for (const [streamKey, { feed }] of this.#feeds) if (isOver(streamKey)) feed.endClients();
  }

  async close(): Promise<void> {
    this.#options.limiter?.close();
    await this.#server.close();
    for (const { feed, lease } of this.#feeds.values()) {
      feed.close();
      lease.release();
    }
    this.#feeds.clear();
  }

  #mountOf(path: string, visitor: RtspVisitor): Promise<RtspMount> | null {
    const ticket = /^\/([\w-]{16,128})\/?$/.exec(path)?.[1];
    if (ticket === undefined) return null;
    const visit = this.#visits.get(visitor);
    const known = visit?.mounts.get(ticket);
    if (known || !visit) return known ?? null;
    const grant = this.#options.authorise(ticket);
    if (!grant.allowed) {
      visit.refusals += 1;
      if (visit.refusals >= MAX_REFUSALS) visitor.end();
      throw new RtspRefusal(grant.isKnown ? 403 : 404);
    }
    if (!this.#welcome(visit, grant)) {
      grant.onEnded();
      visitor.end();
      throw new RtspRefusal(503);
    }
    const mount = this.#open(grant, visitor);
    visit.mounts.set(ticket, mount);
    // The camera may return, so the same connection may ask again.
    mount.catch(() => visit.mounts.delete(ticket));
    return mount;
  }

  #enter(client: RtspServerConnection, socket: RtspServerSocket): void {
    const { visitor } = client;
    const place = this.#options.limiter?.enter(visitor.remoteAddress, () => client.destroy()) ?? null;
    const visit: Visit = { mounts: new Map(), place, isKnown: place === null, refusals: 0 };
    this.#visits.set(visitor, visit);
    visitor.closed.addEventListener('abort', () => place?.release(), { once: true });
    let strangeBytes = 0;
    const count = (bytes: Buffer): void => {
      strangeBytes += bytes.length;
      if (visit.isKnown) socket.off('data', count);
      else if (strangeBytes > UNAUTHENTICATED_MAX_BYTES) client.destroy();
    };
    if (place) socket.on('data', count);
  }

  /** The first ticket determines the owner of the connection slot; false if none is free. */
  #welcome(visit: Visit, { holder }: RestreamGrant): boolean {
    visit.isKnown ||= visit.place?.assignTo(holder) ?? true;
    return visit.isKnown;
  }

  async #open(grant: RestreamGrant, visitor: RtspVisitor): Promise<RtspMount> {
    const shared = this.#use(grant);
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      this.#release(grant.streamKey, shared);
      grant.onEnded();
    };
    const end = (): void => {
      over();
      visitor.end();
    };
    visitor.closed.addEventListener('abort', over, { once: true });
    grant.ended.addEventListener('abort', end, { once: true });
    if (visitor.closed.aborted) over();
    if (grant.ended.aborted) end();
    try {
      await this.#withinTime(shared.feed.ready);
    } catch (error) {
      over();
      throw error;
    }
    const { feed } = shared;
    return {
      // As first described: what the client has set up must not change.
      controls: feed.controls,
      sdp: () => feed.sdp(),
      requestKeyframe: () => shared.lease.stream.requestKeyframe(),
      play: (sender) => (isOver ? null : feed.play(sender, { onEnd: end, onSent: grant.onSent })),
    };
  }

  #use({ streamKey, open }: RestreamGrant): SharedFeed {
    const known = this.#feeds.get(streamKey);
    if (known) {
      known.users += 1;
      return known;
    }
    const { hub, clock, random32 } = this.#options;
    const lease = hub.acquire(streamKey, open);
    const monotonicMs = (): number => clock.monotonicMs();
    const feed = new RestreamFeed({ stream: lease.stream, random32, monotonicMs, counters: this.counters });
    const shared = { feed, lease, users: 1 };
    this.#feeds.set(streamKey, shared);
    feed.attach();
    return shared;
  }

  #release(streamKey: string, shared: SharedFeed): void {
    shared.users -= 1;
    if (shared.users > 0 || this.#feeds.get(streamKey) !== shared) return;
    this.#feeds.delete(streamKey);
    shared.feed.close();
    shared.lease.release();
  }

  async #withinTime(ready: Promise<void>): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = this.#options.clock.after(FORMAT_WITHIN_MS, () => reject(new RtspRefusal(503)));
    try {
      await Promise.race([ready, promise]);
    } finally {
      cancel();
    }
  }
}
