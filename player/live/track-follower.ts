// Follows the objects of a channel whose picture is played elsewhere: a subscription whose media pause from its beginning.
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import { VIDEO_FAMILIES } from '../decode/decoder-support.ts';
import type { LiveConnection, LiveSubscription, TileNotice } from '../transports/live-connection.ts';
import type { TileSource } from './tile-source.ts';

export interface TrackFollowerOptions {
  readonly connection: LiveConnection;
  readonly clock: PlayerClock;
  readonly source: TileSource;
  /** Null: nothing is known any more. */
  readonly onTracks: (tracks: LiveTracks | null) => void;
}

const RETRY = { firstMs: 1000, maxMs: 15_000, jitter: 0.5 };

export class TrackFollower {
  readonly #options: TrackFollowerOptions;
  readonly #abort = new AbortController();
  readonly #retry: Backoff;
  #subscription: LiveSubscription | null = null;
  #isFollowing = false;

  constructor(options: TrackFollowerOptions) {
    this.#options = options;
    this.#retry = new Backoff(RETRY, () => options.clock.random());
    void this.#begin();
  }

  close(): void {
    this.#abort.abort(new DOMException('nobody looks any more', 'AbortError'));
    this.#subscription?.close();
  }

  async #begin(): Promise<void> {
    const { connection, source } = this.#options;
    const { signal } = this.#abort;
    try {
      // Nothing is decoded here: any stream will do.
      const answer = await source.getTicket({ codecs: VIDEO_FAMILIES, isLighter: false, signal });
      await connection.whenOpen(signal);
      // Who may not see the channel gets no picture either.
      if (answer.kind === 'ticket' && !signal.aborted) this.#subscribe(answer.ticket);
    } catch {
      // The server is away, or nobody looks any more.
      this.#again();
    }
  }

  #subscribe(ticket: string): void {
    this.#isFollowing = false;
    this.#subscription = this.#options.connection.subscribe({
      ticket,
      audio: false,
      onNotice: (notice) => this.#notice(notice),
      onMedia: () => undefined,
      onLost: () => this.#again(),
    });
    this.#subscription.pause();
  }

  #notice(notice: TileNotice): void {
    if (this.#abort.signal.aborted) return;
    if (notice.type === 'end') this.#again();
    else if (notice.type === 'tracks') {
      this.#retry.reset();
      this.#options.onTracks({ at: notice.at, tracks: notice.tracks });
    } else if (notice.type === 'format' && !this.#isFollowing) {
      this.#isFollowing = true;
      this.#subscription?.follow(true);
    }
  }

  #again(): void {
    this.#subscription = null;
    if (this.#abort.signal.aborted) return;
    const { clock, onTracks } = this.#options;
    onTracks(null);
    clock.after(this.#retry.next(), () => {
      if (!this.#abort.signal.aborted) void this.#begin();
    });
  }
}
