// Follows a table by its sequence number and reports new rows in order within a second; woken by NOTIFY, with polling as the fallback.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';

const POLL_MS = 1000;
const RECONNECT_MS = 500;

export interface NewRows<Row> {
  readonly rows: readonly Row[];
  /** Number of the newest row, including filtered ones. */
  readonly newest: number;
}

export interface SequenceFollowerOptions<Row> {
  /** Channel of NOTIFY. */
  readonly channel: string;
  readonly newClient: () => pg.Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newest: () => Promise<number>;
  readonly after: (seq: number) => Promise<NewRows<Row>>;
  /** After a failure the rows are reported again in the next round. */
  readonly onRows: (rows: readonly Row[]) => Promise<void>;
}

export class SequenceFollower<Row> {
  readonly #options: SequenceFollowerOptions<Row>;
  #client: pg.Client | null = null;
  #seq = 0;
  #isClosed = false;
  readonly #rounds = new SerialQueue();
  /** A scheduled round that has not begun: wake-ups until then are covered. */
  #isWaiting = false;
  #cancelPoll: (() => void) | null = null;

  constructor(options: SequenceFollowerOptions<Row>) {
    this.#options = options;
  }

  /** Starts after the newest stored row: earlier rows concern only earlier runs. */
  async start(): Promise<void> {
    this.#seq = await this.#options.newest();
    await this.#listen();
    this.#poll();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelPoll?.();
    const client = this.#client;
    this.#client = null;
    await client?.end();
    await this.#rounds.drained();
  }

  /** Rounds run one after the other. */
  wake(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#rounds.run(async () => {
      this.#isWaiting = false;
      await this.#readNew();
    });
  }

  async #readNew(): Promise<void> {
    if (this.#isClosed) return;
    const { channel, log, after, onRows } = this.#options;
    try {
      for (;;) {
        const { rows, newest } = await after(this.#seq);
        if (newest === this.#seq) return;
        await onRows(rows);
        this.#seq = newest;
      }
    } catch (error) {
      log.error({ err: error, channel }, 'new rows could not be followed; the next round tries again');
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
    await client.query(`LISTEN ${this.#options.channel}`);
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
