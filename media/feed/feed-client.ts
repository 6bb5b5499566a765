// Connects a gateway to the feed of its site, when a viewer needs it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { AuthoriseLive } from '../live/live-grant.ts';
import { FeedLink, type FeedLinkOptions } from './feed-link.ts';

export interface FeedClientOptions {
  readonly socketPath: string;
  readonly onEnded: FeedLinkOptions['onEnded'];
  /** The site is gone, and with it what every viewer watched. */
  readonly onLost: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Bytes read at a time, into the same memory: units are copied from it once. */
const READ_BYTES = 256 * 1024;

export class FeedClient {
  readonly #options: FeedClientOptions;
  readonly #memory = Buffer.allocUnsafeSlow(READ_BYTES);
  #link: FeedLink | null = null;
  #dialling: Promise<boolean> | null = null;
  #close: () => void = () => undefined;

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
    this.#close();
  }

  async #dial(): Promise<boolean> {
    const { socketPath, onEnded, onLost, onFailure } = this.#options;
    const read = (count: number): boolean => {
      try {
        link.read(this.#memory.subarray(0, count));
      } catch (error) {
        onFailure(error);
        socket.destroy();
      }
      return true;
    };
    const socket = connect({ path: socketPath, onread: { buffer: this.#memory, callback: read } });
    const link = new FeedLink({ socket, onEnded });
    socket.on('close', () => {
      if (this.#link !== link) return;
      this.#link = null;
      onLost();
    });
    this.#close = () => socket.destroy();
    socket.on('error', () => socket.destroy());
    try {
      await once(socket, 'connect');
    } catch {
      // The site is not there; whoever asked says so.
      return false;
    }
    if (socket.destroyed) return false;
    this.#link = link;
    return true;
  }
}
