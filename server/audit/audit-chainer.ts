// Chains the lines of the audit log that all servers have stored, in batches; runs on one server at a time, under a lease.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import { addLinks, newestLink, unchainedLines } from '../database/account/audit-chain.queries.ts';
import type { Database } from '../database/connection.ts';
import { RareLog } from '../site-link/rare-log.ts';
import { EMPTY_CHAIN, linksOf } from './audit-chain.ts';

const LOOK_EVERY_MS = 500;
/** A transaction of some 50 ms, which is as long as giving up the lease may wait. */
const BATCH = 2000;

export interface AuditChainerOptions {
  /** Of the lease: two that chain at once would be one too many. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export class AuditChainer {
  readonly #options: AuditChainerOptions;
  readonly #rareLog: RareLog;
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: AuditChainerOptions) {
    this.#options = options;
    this.#rareLog = new RareLog(options.log, options.clock);
  }

  start(): void {
    this.#cancel = this.#options.clock.after(LOOK_EVERY_MS, () => {
      this.#running = this.#chainAll()
        .catch((error: unknown) => this.#rareLog.warn({ err: error }, 'lines of the audit log could not be chained'))
        .finally(() => {
          if (!this.#isClosed) this.start();
        });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#running;
  }

  async #chainAll(): Promise<void> {
    let isMore = true;
    while (isMore && !this.#isClosed) isMore = (await chainBatch(this.#options.database)) === BATCH;
  }
}

/** Answers how many lines it chained. The number of a link is unique: what another server chained meanwhile rolls this back. */
export async function chainBatch(database: Database): Promise<number> {
  const lines = await unchainedLines(database, BATCH);
  if (lines.length === 0) return 0;
  await database.transaction().execute(async (transaction) => {
    const end = (await newestLink(transaction)) ?? EMPTY_CHAIN;
    await addLinks(transaction, linksOf(lines, end));
  });
  return lines.length;
}
