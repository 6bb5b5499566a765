// Asks each site that is connected to this server the same question now and then.
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import type { ConnectedSite, SitesPort } from './site-port.ts';

const LOOK_EVERY_MS = MINUTE_MS;
const ASK_EVERY_MS = 15 * MINUTE_MS;

export interface SitePollOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: Pick<SitesPort, 'here'>;
  readonly ask: (one: ConnectedSite) => Promise<void>;
  /** What is logged where it rejects. */
  readonly failure: string;
}

export class SitePoll {
  readonly #options: SitePollOptions;
  #cancel: () => void = () => undefined;
  #isClosed = false;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SitePollOptions) {
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

  /** If it is time. A site that does not answer is asked the next time. */
  async measure(): Promise<void> {
    const { clock, sites, log, ask, failure } = this.#options;
    const connected = sites.here();
    if (clock.monotonicMs() - this.#askedAt < ASK_EVERY_MS || connected.length === 0) return;
    this.#askedAt = clock.monotonicMs();
    for (const one of connected) {
      try {
        await ask(one);
      } catch (error) {
        log.info({ err: error, siteId: one.siteId }, failure);
      }
    }
  }
}
