// Keeps the statistics up to date: counts hours, and sums days and months of them.
import { HOUR_MS, MINUTE_MS, DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { STATISTICS_KEPT_MS, unitsHolding } from '@vedette/rules/statistics/period.ts';
import type { Logger } from 'pino';
import { readPosition, writePosition } from '../database/alarm/alarm-delivery.queries.ts';
import type { Database } from '../database/connection.ts';
import type { StatisticTopic } from '../database/schema/statistic-schema.ts';
import {
  changedAlarmHours,
  countAlarmHours,
  countDeviceHours,
  deleteStatusChangesBefore,
  lastCountedHour,
} from '../database/statistic/hour-count.queries.ts';
import { hourOf, lockStatistics, takeDue } from '../database/statistic/statistic-due.queries.ts';
import { deleteStatisticsBefore, sumUp } from '../database/statistic/sum-up.queries.ts';

const COUNT_EVERY_MS = MINUTE_MS;
/** Hours are not counted anew once they are older: what a site reports later than that is left out of them. */
const RECOUNTED_MS = 8 * DAY_MS;
const ALARM_POSITION = 'statistics';

export interface StatisticJobsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** IANA name of the zone of the installation. */
  readonly timeZone: string;
}

export class StatisticJobs {
  readonly #options: StatisticJobsOptions;
  #cancel: () => void = () => undefined;
  #isClosed = false;
  #tidiedHour = 0;

  constructor(options: StatisticJobsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#turn(0);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** Counts everything that is not counted yet. */
  async run(): Promise<void> {
    const now = this.#options.clock.wallMs();
    await this.#count('device', (transaction) => recountDevices(transaction, now));
    await this.#count('alarm', recountAlarms);
    await this.#count('storage', (transaction) => takeDue(transaction, 'storage'));
    await this.#count('traffic', (transaction) => takeDue(transaction, 'traffic'));
    await this.#removeOld(now);
  }

  #turn(afterMs: number): void {
    this.#cancel = this.#options.clock.after(afterMs, () => {
      this.run()
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'the statistics could not be counted'))
        .finally(() => {
          if (!this.#isClosed) this.#turn(COUNT_EVERY_MS);
        });
    });
  }

  /** `hoursOf` counts the hours that changed, and names them. A commit of its own, since reports wait for it. */
  async #count(topic: StatisticTopic, hoursOf: (database: Database) => Promise<number[]>): Promise<void> {
    const { database, timeZone } = this.#options;
    await database.transaction().execute(async (transaction) => {
      await lockStatistics(transaction);
      const hours = await hoursOf(transaction);
      if (hours.length === 0) return;
      for (const grain of ['day', 'month'] as const) {
        await sumUp(transaction, topic, { grain, units: unitsHolding(grain, hours, timeZone) });
      }
    });
  }

  async #removeOld(now: number): Promise<void> {
    if (this.#tidiedHour === hourOf(now)) return;
    const { database } = this.#options;
    await deleteStatusChangesBefore(database, now - RECOUNTED_MS - HOUR_MS);
    for (const grain of ['hour', 'day', 'month'] as const) {
      await deleteStatisticsBefore(database, grain, now - STATISTICS_KEPT_MS[grain]);
    }
    this.#tidiedHour = hourOf(now);
  }
}

/** The hours that were counted: all since the first one that changed or was not over when it was counted last. */
async function recountDevices(database: Database, now: number): Promise<number[]> {
  const [changed = now] = await takeDue(database, 'device');
  const counted = (await lastCountedHour(database)) ?? now;
  const from = Math.max(hourOf(Math.min(changed, counted, now)), hourOf(now - RECOUNTED_MS));
  await countDeviceHours(database, from, now);
  return Array.from({ length: (hourOf(now) - from) / HOUR_MS + 1 }, (_none, index) => from + index * HOUR_MS);
}

async function recountAlarms(database: Database): Promise<number[]> {
  const { hours, newest } = await changedAlarmHours(database, await readPosition(database, ALARM_POSITION));
  await countAlarmHours(database, hours);
  await writePosition(database, ALARM_POSITION, newest);
  return hours;
}
