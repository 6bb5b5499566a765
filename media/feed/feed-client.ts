// Connects a gateway to the feed of a site, when a viewer needs it.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { AuthoriseLive, LiveGrant } from '../live/live-grant.ts';
import { FeedLink, type FeedLinkOptions } from './feed-link.ts';

/** Resolves with the open connection, whose bytes go to `read` from the first one on; rejects where the site is not there. */
export type DialFeed = (read: (bytes: Buffer) => void) => Promise<Duplex>;

export interface FeedClientOptions {
  readonly dial: DialFeed;
  readonly scope?: FeedLinkOptions['scope'];
  readonly onEnded: FeedLinkOptions['onEnded'];
  /** The site is gone, and with it what the viewers of these grants watched. */
  readonly onLost: (grants: readonly LiveGrant[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Bytes read at a time, into the same memory: units are copied from it once. */
const READ_BYTES = 256 * 1024;

/** To a site of this machine. */
export function localFeed(socketPath: string): DialFeed {
  const memory = Buffer.allocUnsafeSlow(READ_BYTES);
  return async (read) => {
    const callback = (count: number): boolean => {
      read(memory.subarray(0, count));
      return true;
    };
    const socket = connect({ path: socketPath, onread: { buffer: memory, callback } });
    await once(socket, 'connect');
    return socket;
  };
}

export class FeedClient {
  readonly #options: FeedClientOptions;
  #link: FeedLink | null = null;
  #dialling: Promise<boolean> | null = null;
  #close: () => void = () => undefined;
  #isClosed = false;

  constructor(options: FeedClientOptions) {
    this.#options = options;
  }

  /** Whether the feed stands, after dialling if need be. */
  whenConnected(): Promise<boolean> {
    if (this.#link) return Promise.resolve(true);
    this.#dialling ??= this.#dial().finally(() => {
      this.#dialling = null;
    });
    return this.#dialling;
  }

  readonly authorise: AuthoriseLive = (ticket) =>
    this.#link?.authorise(ticket) ?? Promise.resolve({ allowed: false, code: ERROR_CODES.serviceBusy });

  close(): void {
    this.#isClosed = true;
    this.#close();
  }

  async #dial(): Promise<boolean> {
    const { dial, scope, onEnded, onLost, onFailure } = this.#options;
    const state: { link: FeedLink | null } = { link: null };
    try {
      const socket = await dial((bytes) => {
        try {
          state.link?.read(bytes);
        } catch (error) {
          onFailure(error);
          this.#close();
        }
      });
      this.#close = () => socket.destroy();
      socket.on('error', () => socket.destroy());
      if (this.#isClosed) socket.destroy();
      if (socket.destroyed) return false;
      const link = new FeedLink({ socket, onEnded, ...(scope !== undefined && { scope }) });
      state.link = link;
      this.#link = link;
      socket.on('close', () => {
        if (this.#link !== link) return;
        this.#link = null;
        onLost(link.end());
      });
      return true;
    } catch {
      // The site is not there; whoever asked says so.
      return false;
    }
  }
}
