// The connection over which leases are renewed, apart from the pool: it waits for nobody, and says that this identity is in use.
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import { lockIdentity, prepareLeaseSession } from '../database/work-lease.queries.ts';
import { RareLog } from '../site-link/rare-log.ts';

/** Another server with the identity of this data folder uses the database. */
export class IdentityInUse extends Error {
  override readonly name = 'IdentityInUse';
}

export interface LeaseSessionOptions {
  readonly nodeId: string;
  readonly newClient: () => pg.Client;
  readonly clock: Clock;
  readonly log: Logger;
}

/** PostgreSQL notices within that a server is gone: at once where it was killed, after 11 s where its machine vanished. */
const PREDECESSOR_MS = 20_000;
const TRY_EVERY_MS = 200;
const CLOSE_WITHIN_MS = 1000;

export class LeaseSession {
  readonly #options: LeaseSessionOptions;
  readonly #rareLog: RareLog;
  #client: pg.Client | null = null;
  #wasOpen = false;
  #isAlone = false;

  constructor(options: LeaseSessionOptions) {
    this.#options = options;
    this.#rareLog = new RareLog(options.log, options.clock);
  }

  /** No other connected server has this identity. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** Opens it where it is not open. The first time it waits for a predecessor to be gone, and throws IdentityInUse where it stays. */
  async open(): Promise<pg.Client> {
    const client = this.#client ?? (await this.#connect());
    if (!this.#isAlone) await this.#claimIdentity(client);
    this.#wasOpen = true;
    return client;
  }

  /** What failed may have left an answer behind that would meet the next question. */
  failed(error: unknown): void {
    this.#rareLog.warn({ err: error }, 'leases could not be looked after; the next turn tries again');
    this.#drop()
      ?.end()
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    const client = this.#drop();
    if (client !== null) await finishesWithin(this.#options.clock, CLOSE_WITHIN_MS, client.end());
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#options.newClient();
    const onGone = () => this.#client === client && void this.#drop();
    client.on('error', onGone);
    client.on('end', onGone);
    await client.connect();
    await prepareLeaseSession(client);
    this.#client = client;
    return client;
  }

  async #claimIdentity(client: pg.Client): Promise<void> {
    const { nodeId, clock } = this.#options;
    const until = clock.monotonicMs() + (this.#wasOpen ? 0 : PREDECESSOR_MS);
    this.#isAlone = await lockIdentity(client, nodeId);
    while (!this.#isAlone && clock.monotonicMs() < until) {
      await wait(clock, TRY_EVERY_MS);
      this.#isAlone = await lockIdentity(client, nodeId);
    }
    if (this.#isAlone) return;
    if (!this.#wasOpen) throw new IdentityInUse(nodeId);
    this.#rareLog.warn(
      { nodeId },
      'another server has the identity of this data folder; give each a data folder of its own',
    );
  }

  #drop(): pg.Client | null {
    const client = this.#client;
    this.#client = null;
    this.#isAlone = false;
    return client;
  }
}
