// Meters each hour what copies in object stores take, at the sites that are connected to this server.
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import type { Database } from '../database/connection.ts';
import { addCopyHour } from '../database/consumption/ledger.queries.ts';
import { hourOf } from '../database/statistic/statistic-due.queries.ts';
import type { SitesPort } from '../site-link/site-port.ts';

const LOOK_EVERY_MS = MINUTE_MS;
/** The first answer of an hour counts: a site that does not answer is asked again within it. */
const ASK_EVERY_MS = 15 * MINUTE_MS;

export interface CopyHoursOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: Pick<SitesPort, 'online'>;
}

export class CopyHours {
  readonly #options: CopyHoursOptions;
  #cancel: () => void = () => undefined;
  #isClosed = false;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CopyHoursOptions) {
    this.#options = options;
  }

  start(): void {
    this.#turn(0);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #turn(afterMs: number): void {
    this.#cancel = this.#options.clock.after(afterMs, () => {
      void this.measure().finally(() => {
        if (!this.#isClosed) this.#turn(LOOK_EVERY_MS);
      });
    });
  }

  /** A site that does not answer is asked the next time. */
  async measure(): Promise<void> {
    const { clock, database, sites, log } = this.#options;
    const connected = sites.online();
    if (clock.monotonicMs() - this.#askedAt < ASK_EVERY_MS || connected.length === 0) return;
    this.#askedAt = clock.monotonicMs();
    for (const { siteId, site } of connected) {
      try {
        const { channels } = await site.call('cloudBacklog', {});
        await addCopyHour(database, { siteId, hour: hourOf(clock.wallMs()), channels });
      } catch (error) {
        log.info({ err: error, siteId }, 'a site did not tell what its copies take');
      }
    }
  }
}
