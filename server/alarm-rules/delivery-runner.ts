// Runs what rules planned: claimed from the table, tried again further and further apart, ended once.
import { SEND_LIMITS } from '@vedette/contract/limits.ts';
import { retryAfter } from '@vedette/rules/alarms/rule-match.ts';
import type { Logger } from 'pino';
import type { Clock } from '../clock/clock.ts';
import { claimDeliveries, dropOldDeliveries, endDelivery, releaseClaimed } from '../database/alarm-delivery.queries.ts';
import { byPlaces, type PlacedAlarm } from '../database/alarm-read.queries.ts';
import type { AlarmDeliveryRow } from '../database/alarm-schema.ts';
import type { Database } from '../database/connection.ts';
import type { RuleActor } from './rule-actor.ts';

export interface DeliveryRunnerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly actor: RuleActor;
}

const LOOK_EVERY_MS = 1000;
const AT_ONCE = 16;
/** No act takes so long: who dies in the middle leaves it to be taken again then. */
const CLAIMED_MS = 60_000;
const TIDY_EVERY_ROUNDS = 3600;
const KEPT_MS = 30 * 24 * 3_600_000;

export class DeliveryRunner {
  readonly #options: DeliveryRunnerOptions;
  #cancel: (() => void) | null = null;
  #isClosed = false;
  #isClaiming = false;
  /** Acts under way. */
  #running = 0;
  #isWanted = false;
  #rounds = 0;

  constructor(options: DeliveryRunnerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { database, clock } = this.#options;
    await releaseClaimed(database, clock.now());
    this.#lookLater();
  }

  #lookLater(): void {
    this.#cancel = this.#options.clock.after(LOOK_EVERY_MS, () => {
      this.wake();
      if (!this.#isClosed) this.#lookLater();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  /** Who is slow to answer holds up nobody else: each place that gets free is taken again. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isClaiming || this.#isClosed || this.#running >= AT_ONCE) return;
    this.#isClaiming = true;
    this.#claim()
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'rules could not act; the next round tries again'),
      )
      .finally(() => {
        this.#isClaiming = false;
        if (this.#isWanted && this.#running < AT_ONCE) this.wake();
      });
  }

  async #claim(): Promise<void> {
    const { database, clock, log } = this.#options;
    this.#isWanted = false;
    this.#rounds += 1;
    if (this.#rounds % TIDY_EVERY_ROUNDS === 0) await dropOldDeliveries(database, clock.now() - KEPT_MS);
    const now = clock.now();
    const limit = AT_ONCE - this.#running;
    const claimed = await claimDeliveries(database, { now, until: now + CLAIMED_MS, limit });
    const cursors = claimed.map((row) => ({ startTime: row.start_time, alarmId: row.alarm_id }));
    const alarms = new Map((await byPlaces(database, cursors)).map((alarm) => [alarm.alarm_id, alarm]));
    this.#running += claimed.length;
    for (const row of claimed) {
      this.#one(row, alarms.get(row.alarm_id))
        .catch((error: unknown) => log.warn({ err: error }, 'the end of an act could not be stored'))
        .finally(() => {
          this.#running -= 1;
          this.wake();
        });
    }
  }

  async #one(row: AlarmDeliveryRow, alarm: PlacedAlarm | undefined): Promise<void> {
    const { database, clock, actor, log } = this.#options;
    const { delivery_id: deliveryId, account_id: accountId, action, folded_count: foldedCount } = row;
    // The device left, or retention took it.
    if (alarm === undefined) {
      const end = { state: 'skipped', reason: 'gone', detail: '', at: clock.now(), dueAt: null } as const;
      return await endDelivery(database, deliveryId, end);
    }
    const end = await actor.run({ deliveryId, accountId, action, alarm, foldedCount, isTest: false });
    const at = clock.now();
    // Held back for a place in the budgets, which is no failure of the other side.
    const isHeld = end.reason === 'budget' && at - row.created_at < SEND_LIMITS.heldMs;
    const isOver = end.isDone || end.isSkipped || end.isFinal || end.reason === 'budget';
    const wait = isHeld ? 0 : isOver ? null : retryAfter(row.attempts);
    const state = end.isDone ? 'done' : end.isSkipped ? 'skipped' : wait === null ? 'failed' : 'waiting';
    const dueAt = wait === null ? null : at + Math.max(wait, end.retryAfterMs ?? 0);
    if (state === 'failed') log.warn({ deliveryId, reason: end.reason }, 'a rule could not act');
    const { reason, detail } = end;
    await endDelivery(database, deliveryId, { state, reason, detail, at, dueAt, isHeld });
  }
}
