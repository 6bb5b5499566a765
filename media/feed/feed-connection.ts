// The site's end of a feed: one gateway, the tickets that its viewers showed, and the streams that it takes for them.
import type { Socket } from 'node:net';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { AuthoriseLive, LiveGrant } from '../live/live-grant.ts';
import type { StreamHub, StreamLease } from '../stream/hub.ts';
import { FeedError, FeedReader } from './feed-reader.ts';
import { FEED_QUEUE_LIMIT_BYTES, type FeedCounters, FeedStream } from './feed-stream.ts';
import { encodeMessage, type FeedGrant, type FeedNotice, type FeedRequest } from './feed-wire.ts';

export interface FeedConnectionOptions {
  readonly socket: Socket;
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly authorise: AuthoriseLive;
  readonly counters: FeedCounters;
  /** Called for unexpected exceptions and for what no gateway sends. */
  readonly onFailure: (error: unknown) => void;
}

interface OpenStream {
  readonly feed: FeedStream;
  readonly lease: StreamLease;
}

export class FeedConnection {
  readonly #options: FeedConnectionOptions;
  /** Until the viewer has left, also after the right has ended: its stream may be open for others. */
  readonly #grants = new Map<number, LiveGrant>();
  readonly #ended = new Set<number>();
  /** Ends what tickets follow. */
  readonly #followed = new Map<number, () => void>();
  /** Viewers that left while their ticket was checked. */
  readonly #asking = new Set<number>();
  readonly #streams = new Map<number, OpenStream>();

  constructor(options: FeedConnectionOptions) {
    this.#options = options;
    const { socket } = options;
    const reader = new FeedReader({
      message: (message) => this.#serve(message as FeedRequest),
      unit: () => {
        throw new FeedError('a gateway sends no units');
      },
    });
    socket.on('data', (bytes) => {
      try {
        reader.read(bytes);
      } catch (error) {
        options.onFailure(error);
        socket.destroy();
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
  }

  /** Ends matching grants; returns how many. */
  endWhere(test: (grant: LiveGrant) => boolean, code: number, reason?: string): number {
    const matching = [...this.#grants].filter(([id, grant]) => !this.#ended.has(id) && test(grant));
    for (const [id] of matching) {
      this.#ended.add(id);
      this.#unfollow(id);
      this.#send({ type: 'ended', id, code, ...(reason !== undefined && { reason }) });
    }
    return matching.length;
  }

  close(): void {
    this.#options.socket.destroy();
  }

  #serve(request: FeedRequest): void {
    switch (request.type) {
      case 'authorise':
        void this.#authorise(request.id, request.ticket).catch((error: unknown) => {
          this.#options.onFailure(error);
          this.close();
        });
        break;
      case 'sent':
        this.#grants.get(request.id)?.onSent?.(request.bytes);
        break;
      case 'follow':
        this.#follow(request.id, request.tracks);
        break;
      case 'release':
        this.#release(request.id);
        break;
      case 'open':
        this.#open(request.stream, request.id);
        break;
      case 'keyframe':
        this.#streams.get(request.stream)?.feed.requestKeyframe();
        break;
      case 'close':
        this.#close(request.stream);
        break;
      default:
        throw new FeedError('no request of a gateway');
    }
  }

  async #authorise(id: number, ticket: string): Promise<void> {
    this.#asking.add(id);
    const answer = await this.#options.authorise(ticket);
    // Gone: the viewer, or the gateway.
    const isWanted = this.#asking.delete(id);
    if (!answer.allowed) this.#send({ type: 'refused', id, refusal: answer });
    else if (isWanted) {
      this.#grants.set(id, answer);
      this.#send({ type: 'granted', id, grant: toFeedGrant(answer) });
    } else answer.onEnded?.();
  }

  #follow(id: number, tracks: boolean): void {
    this.#unfollow(id);
    const followTracks = this.#ended.has(id) ? undefined : this.#grants.get(id)?.followTracks;
    if (!tracks || followTracks === undefined) return;
    this.#followed.set(
      id,
      followTracks((now) => this.#tellTracks(id, now)),
    );
  }

  /** A gateway that does not read misses some: each message says all that is followed. */
  #tellTracks(id: number, now: LiveTracks): void {
    if (this.#options.socket.writableLength <= FEED_QUEUE_LIMIT_BYTES) this.#send({ type: 'tracks', id, ...now });
  }

  #unfollow(id: number): void {
    this.#followed.get(id)?.();
    this.#followed.delete(id);
  }

  #release(id: number): void {
    this.#unfollow(id);
    this.#asking.delete(id);
    this.#ended.delete(id);
    const grant = this.#grants.get(id);
    this.#grants.delete(id);
    grant?.onEnded?.();
  }

  #open(no: number, id: number): void {
    const grant = this.#grants.get(id);
    if (!grant || this.#streams.has(no)) throw new FeedError('a stream is opened by one granted ticket, once');
    const { hub, socket, clock, counters } = this.#options;
    const lease = hub.acquire(grant.streamKey, grant.open, grant.lingerMs);
    const feed = new FeedStream({ no, stream: lease.stream, socket, clock, counters });
    this.#streams.set(no, { feed, lease });
    feed.start();
  }

  #close(no: number): void {
    const open = this.#streams.get(no);
    this.#streams.delete(no);
    open?.feed.close();
    open?.lease.release();
  }

  #end(): void {
    this.#asking.clear();
    for (const id of this.#grants.keys()) this.#release(id);
    for (const no of this.#streams.keys()) this.#close(no);
  }

  #send(notice: FeedNotice): void {
    this.#options.socket.write(encodeMessage(notice));
  }
}

function toFeedGrant({ sessionId, holder, streamKey, mayHear, pageOrigin, until }: LiveGrant): FeedGrant {
  return {
    sessionId,
    holder,
    streamKey,
    ...(mayHear !== undefined && { mayHear }),
    ...(pageOrigin && { pageOrigin }),
    ...(until && { until }),
  };
}
