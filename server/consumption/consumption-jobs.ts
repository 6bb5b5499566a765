// Keeps the ledger of consumption: meters each hour what recordings take, and sums new entries into days.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { STATISTICS_KEPT_MS, unitsHolding } from '@vedette/rules/statistics/period.ts';
import type { Logger } from 'pino';
import type { Database } from '../database/connection.ts';
import {
  addRecordingHour,
  deleteDaysBefore,
  deleteEntriesBefore,
  sumDay,
  unsummedQuarters,
} from '../database/consumption/ledger.queries.ts';
import { hourOf } from '../database/statistic/statistic-due.queries.ts';

const TURN_EVERY_MS = MINUTE_MS;
/** A measurement that was under way when its hour ended has come by then. */
const SETTLED_MS = 20 * MINUTE_MS;
/** What was measured before the server went away is metered when it is back. */
const CAUGHT_UP_MS = 8 * DAY_MS;
/** Longer than a spool waits for its server. */
const ENTRIES_KEPT_MS = 100 * DAY_MS;

export interface ConsumptionJobsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** IANA name of the zone of the installation. */
  readonly timeZone: string;
  /** Looks for budgets that are used up, once all is summed. */
  readonly warnings: { run(): Promise<void> };
}

export class ConsumptionJobs {
  readonly #options: ConsumptionJobsOptions;
  #cancel: () => void = () => undefined;
  #isClosed = false;
  /** The last hour whose recordings are metered; at first, none that this process knows of. */
  #recordingHour: number | null = null;
  #tidiedHour = 0;

  constructor(options: ConsumptionJobsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#turn(0);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** Meters and sums everything that is due. */
  async run(): Promise<void> {
    const now = this.#options.clock.wallMs();
    await this.#meterRecordings(now);
    await this.sum();
    await this.#options.warnings.run();
    await this.#removeOld(now);
  }

  /** Each day in a commit of its own: however it is cut off, an entry is summed once. */
  async sum(): Promise<void> {
    const { database, timeZone } = this.#options;
    for (const day of unitsHolding('day', await unsummedQuarters(database), timeZone)) await sumDay(database, day);
  }

  #turn(afterMs: number): void {
    this.#cancel = this.#options.clock.after(afterMs, () => {
      this.run()
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'consumption could not be metered'))
        .finally(() => {
          if (!this.#isClosed) this.#turn(TURN_EVERY_MS);
        });
    });
  }

  async #meterRecordings(now: number): Promise<void> {
    const newest = hourOf(now - SETTLED_MS) - HOUR_MS;
    const first = this.#recordingHour === null ? hourOf(now - CAUGHT_UP_MS) : this.#recordingHour + HOUR_MS;
    for (let hour = first; hour <= newest; hour += HOUR_MS) {
      await addRecordingHour(this.#options.database, hour);
      this.#recordingHour = hour;
    }
  }

  async #removeOld(now: number): Promise<void> {
    if (this.#tidiedHour === hourOf(now)) return;
    await deleteEntriesBefore(this.#options.database, now - ENTRIES_KEPT_MS);
    await deleteDaysBefore(this.#options.database, now - STATISTICS_KEPT_MS.month);
    this.#tidiedHour = hourOf(now);
  }
}
