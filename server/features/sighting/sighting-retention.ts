// Deletes sightings when the recordings of their channel are deleted too, every hour.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { Logger } from 'pino';
import type { Database } from '../../database/connection.ts';
import { deleteOldSightingHours, deleteOldSightings } from '../../database/sighting/sighting-store.queries.ts';

/** Where neither the channel nor the installation says how long recordings are kept. */
const USUAL_DAYS = 30;
/** Of each channel and class in one statement. */
const AT_ONCE = 1000;

export interface SightingRetentionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export class SightingRetention {
  readonly #deps: SightingRetentionDeps;
  #cancel: (() => void) | null = null;

  constructor(deps: SightingRetentionDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#later(0);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #later(delayMs: number): void {
    const { clock, log } = this.#deps;
    this.#cancel = clock.after(delayMs, () => {
      this.#later(HOUR_MS);
      this.#deleteOld().catch((error: unknown) => log.warn({ err: error }, 'old sightings could not be deleted'));
    });
  }

  async #deleteOld(): Promise<void> {
    const { database, clock } = this.#deps;
    const order = { now: clock.wallMs(), usualDays: USUAL_DAYS, limit: AT_ONCE };
    while (this.#cancel !== null && (await deleteOldSightings(database, order)) > 0);
    if (this.#cancel !== null) await deleteOldSightingHours(database, order);
  }
}
