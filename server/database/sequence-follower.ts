// Follows the revocation table and tells its listeners, in order, within a second; NOTIFY wakes it, a slow poll is the safety net.
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock/clock.ts';
import type { Database } from '../database/connection.ts';
import { newestRevocation, type RevocationRow, revocationsAfter } from '../database/revocation.queries.ts';

const POLL_MS = 1000;
const RECONNECT_MS = 500;

export interface RevocationFollowerOptions {
  readonly database: Database;
  readonly newClient: () => pg.Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** A failure leaves the rows for the next round: they are told again. */
  readonly onRevocations: (rows: readonly RevocationRow[]) => Promise<void>;
}

export class RevocationFollower {
  readonly #options: RevocationFollowerOptions;
  #client: pg.Client | null = null;
  #seq = 0;
  #isClosed = false;
  #round: Promise<void> = Promise.resolve();
  #cancelPoll: (() => void) | null = null;

  constructor(options: RevocationFollowerOptions) {
    this.#options = options;
  }

  /** Starts after what is stored now: sessions and tickets of a former run are checked on the site's connect. */
  async start(): Promise<void> {
    this.#seq = await newestRevocation(this.#options.database);
    await this.#listen();
    this.#poll();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelPoll?.();
    const client = this.#client;
    this.#client = null;
    await client?.end();
    await this.#round;
  }

  /** Rounds never overlap; each starts after the one before. */
  wake(): void {
    this.#round = this.#round.then(() => this.#takeNew());
  }

  async #takeNew(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const rows = await revocationsAfter(this.#options.database, this.#seq);
      if (rows.length === 0) return;
      await this.#options.onRevocations(rows);
      this.#seq = rows.at(-1)?.seq ?? this.#seq;
    } catch (error) {
      this.#options.log.error({ err: error }, 'revocations could not be followed; the next round tries again');
    }
  }

  #poll(): void {
    this.#cancelPoll = this.#options.clock.after(POLL_MS, () => {
      this.wake();
      if (!this.#isClosed) this.#poll();
    });
  }

  async #listen(): Promise<void> {
    const client = this.#options.newClient();
    client.on('notification', () => this.wake());
    client.on('error', (error) => this.#reconnect(client, error));
    client.on('end', () => this.#reconnect(client, null));
    await client.connect();
    await client.query('LISTEN vedette_revocation');
    this.#client = client;
    this.wake();
  }

  #reconnect(client: pg.Client, error: Error | null): void {
    if (this.#isClosed || this.#client !== client) return;
    this.#client = null;
    this.#options.log.warn({ err: error }, 'the listening connection is gone; polling goes on');
    this.#retryListen();
  }

  #retryListen(): void {
    this.#options.clock.after(RECONNECT_MS, () => {
      if (this.#isClosed) return;
      this.#listen().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'the database does not take a listener yet');
        this.#retryListen();
      });
    });
  }
}
