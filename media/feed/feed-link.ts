// The gateway's end of a feed while it stands: asks for tickets, opens streams, and hands out what the site sends.
import type { Duplex } from 'node:stream';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import type { LiveGrant, LiveRefusal } from '../live/live-grant.ts';
import type { OpenSource } from '../stream/source.ts';
import { FeedError, FeedReader } from './feed-reader.ts';
import { FeedSource } from './feed-source.ts';
import { encodeMessage, type FeedGrant, type FeedNotice, type FeedRequest } from './feed-wire.ts';

export interface FeedLinkOptions {
  readonly socket: Duplex;
  /** Before the names of streams, which are apart for each site only; absent: nothing. */
  readonly scope?: string;
  /** The right of a running subscription has ended. */
  readonly onEnded: (grant: LiveGrant, refusal: LiveRefusal) => void;
}

interface Granted {
  readonly grant: LiveGrant;
  refusal: LiveRefusal | null;
  /** Null while the viewer does not follow tracks. */
  onTracks: ((tracks: LiveTracks) => void) | null;
}

/** What was sent to a viewer is reported by this amount: seldom enough to cost nothing, and little where a gateway dies. */
const REPORTED_BYTES = 256 * 1024;

export class FeedLink {
  readonly #options: FeedLinkOptions;
  readonly #reader: FeedReader;
  readonly #waiting = new Map<number, (answer: LiveGrant | LiveRefusal) => void>();
  readonly #granted = new Map<number, Granted>();
  readonly #sources = new Map<number, FeedSource>();
  #lastId = 0;
  #lastStream = 0;

  constructor(options: FeedLinkOptions) {
    this.#options = options;
    this.#reader = new FeedReader({
      message: (message) => this.#notice(message as FeedNotice),
      unit: ({ stream }) => this.#sources.get(stream) ?? null,
    });
  }

  /** @throws FeedError */
  read(bytes: Buffer): void {
    this.#reader.read(bytes);
  }

  authorise(ticket: string): Promise<LiveGrant | LiveRefusal> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<LiveGrant | LiveRefusal>();
    this.#waiting.set(id, resolve);
    this.#send({ type: 'authorise', id, ticket });
    return promise;
  }

  #notice(notice: FeedNotice): void {
    if ('stream' in notice) this.#sources.get(notice.stream)?.notice(notice);
    else if (notice.type === 'granted') this.#answer(notice.id, this.#grantOf(notice.id, notice.grant));
    else if (notice.type === 'refused') this.#answer(notice.id, notice.refusal);
    else if (notice.type === 'ended') this.#ended(notice);
    else if (notice.type === 'tracks') {
      this.#granted.get(notice.id)?.onTracks?.({ at: notice.at, tracks: notice.tracks });
    } else throw new FeedError('no notice of a site');
  }

  #answer(id: number, answer: LiveGrant | LiveRefusal): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  #grantOf(id: number, grant: FeedGrant): LiveGrant {
    let unreported = 0;
    const report = (least: number): void => {
      if (unreported < least) return;
      this.#send({ type: 'sent', id, bytes: unreported });
      unreported = 0;
    };
    const granted: Granted = {
      refusal: null,
      onTracks: null,
      grant: {
        ...grant,
        streamKey: `${this.#options.scope ?? ''}${grant.streamKey}`,
        allowed: true,
        open: this.#opener(id),
        ended: () => granted.refusal,
        followTracks: (onTracks) => {
          granted.onTracks = onTracks;
          this.#send({ type: 'follow', id, tracks: true });
          return () => {
            granted.onTracks = null;
            this.#send({ type: 'follow', id, tracks: false });
          };
        },
        onSent: (bytes) => {
          unreported += bytes;
          report(REPORTED_BYTES);
        },
        onEnded: () => {
          this.#granted.delete(id);
          report(1);
          this.#send({ type: 'release', id });
        },
      },
    };
    this.#granted.set(id, granted);
    return granted.grant;
  }

  #opener(id: number): OpenSource {
    return (consumer) => {
      this.#lastStream += 1;
      const stream = this.#lastStream;
      const source = new FeedSource({
        consumer,
        requestKeyframe: () => this.#send({ type: 'keyframe', stream }),
        onClosed: () => {
          this.#sources.delete(stream);
          this.#send({ type: 'close', stream });
        },
      });
      this.#sources.set(stream, source);
      this.#send({ type: 'open', stream, id });
      return source;
    };
  }

  /** A grant that is still on its way to its viewer says so itself. */
  #ended({ id, code, reason }: Extract<FeedNotice, { type: 'ended' }>): void {
    const granted = this.#granted.get(id);
    if (!granted) return;
    granted.refusal = { allowed: false, code, ...(reason !== undefined && { reason }) };
    this.#options.onEnded(granted.grant, granted.refusal);
  }

  /** After the connection is gone; answers the grants that ended with it. */
  end(): LiveGrant[] {
    const refusal: LiveRefusal = { allowed: false, code: ERROR_CODES.serviceBusy };
    for (const id of this.#waiting.keys()) this.#answer(id, refusal);
    const grants = [...this.#granted.values()].map(({ grant }) => grant);
    this.#granted.clear();
    this.#sources.clear();
    return grants;
  }

  #send(request: FeedRequest): void {
    if (!this.#options.socket.destroyed) this.#options.socket.write(encodeMessage(request));
  }
}
