// Runs planned deliveries of alarm rules: claims them from the table, retries with backoff, ends each once.
import { SEND_LIMITS } from '@vedette/contract/limits.ts';
import { retryAfter } from '@vedette/rules/alarm/rule-match.ts';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import {
  claimDeliveries,
  dropOldDeliveries,
  endDelivery,
  releaseClaimed,
} from '../database/alarm/alarm-delivery.queries.ts';
import { alarmsByCursor, type AlarmWithNames } from '../database/alarm/alarm-read.queries.ts';
import type { AlarmDeliveryRow } from '../database/schema/alarm-schema.ts';
import type { Database } from '../database/connection.ts';
import { NO_ANSWER } from '../outbound/outbound-fault.ts';
import type { RuleActionResult, RuleActionRunner } from './rule-action-runner.ts';

export interface DeliveryRunnerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly actions: RuleActionRunner;
  /** Throws once another server may run deliveries. */
  readonly assertHeld: () => void;
}

const POLL_EVERY_MS = 1000;
const AT_ONCE = 64;
/** Fewer for one account, so that its unreachable receivers leave places for others. */
const AT_ONCE_OF_ACCOUNT = 8;
/** An action that takes longer counts as failed. */
const ACT_WITHIN_MS = 45_000;
/** Claims expire after this time, longer than any action: a crashed run's actions are taken again. */
const CLAIMED_MS = 60_000;
/** Longest pause that a receiver can request. */
const PAUSE_MAX_MS = 3_600_000;
const REMOVE_OLD_EVERY_ROUNDS = 3600;
const KEPT_MS = 30 * 24 * 3_600_000;
/** Of what is under way when the runner is closed; what is not over by then is taken again by the next one. */
const CLOSE_WITHIN_MS = 2000;

const TOO_LONG: RuleActionResult = {
  isDone: false,
  isSkipped: false,
  reason: 'unreachable',
  detail: NO_ANSWER,
  isFinal: false,
  retryAfterMs: null,
};

export class DeliveryRunner {
  readonly #options: DeliveryRunnerOptions;
  #cancel: (() => void) | null = null;
  #isClosed = false;
  #isClaiming = false;
  readonly #underWay = new Set<Promise<void>>();
  /** Running actions by account. */
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #isWanted = false;
  #rounds = 0;

  constructor(options: DeliveryRunnerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { database, clock } = this.#options;
    await releaseClaimed(database, clock.wallMs());
    this.#pollLater();
  }

  #pollLater(): void {
    this.#cancel = this.#options.clock.after(POLL_EVERY_MS, () => {
      this.wake();
      if (!this.#isClosed) this.#pollLater();
    });
  }

  /** Begins nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await finishesWithin(this.#options.clock, CLOSE_WITHIN_MS, Promise.all(this.#underWay));
  }

  /** A slow receiver delays nobody: each freed place is filled at once. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isClaiming || this.#isClosed || this.#running >= AT_ONCE) return;
    this.#isClaiming = true;
    const claimed = this.#claim()
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'rules could not act; the next round tries again'),
      )
      .finally(() => {
        this.#isClaiming = false;
        if (this.#isWanted && this.#running < AT_ONCE) this.wake();
      });
    this.#track(claimed);
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  async #claim(): Promise<void> {
    const { database, clock, log } = this.#options;
    this.#isWanted = false;
    this.#rounds += 1;
    if (this.#rounds % REMOVE_OLD_EVERY_ROUNDS === 0) await dropOldDeliveries(database, clock.wallMs() - KEPT_MS);
    const now = clock.wallMs();
    const limit = AT_ONCE - this.#running;
    const share = { limit, perAccount: AT_ONCE_OF_ACCOUNT, running: this.#runningOf };
    const claimed = await claimDeliveries(database, { now, until: now + CLAIMED_MS, ...share });
    // Accounts at their limit may have hidden others in the last query.
    if (claimed.length > 0) this.#isWanted = true;
    const cursors = claimed.map((row) => ({ startTime: row.start_time, alarmId: row.alarm_id }));
    const alarms = new Map((await alarmsByCursor(database, cursors)).map((alarm) => [alarm.alarm_id, alarm]));
    for (const row of claimed) {
      this.#count(row.account_id, 1);
      const acted = this.#one(row, alarms.get(row.alarm_id))
        .catch((error: unknown) => log.warn({ err: error }, 'the end of an act could not be stored'))
        .finally(() => {
          this.#count(row.account_id, -1);
          this.wake();
        });
      this.#track(acted);
    }
  }

  #count(accountId: string, change: 1 | -1): void {
    this.#running += change;
    const count = (this.#runningOf.get(accountId) ?? 0) + change;
    if (count === 0) this.#runningOf.delete(accountId);
    else this.#runningOf.set(accountId, count);
  }

  async #inTime(run: Promise<RuleActionResult>): Promise<RuleActionResult> {
    let cancel = (): void => undefined;
    const late = new Promise<RuleActionResult>((resolve) => {
      cancel = this.#options.clock.after(ACT_WITHIN_MS, () => resolve(TOO_LONG));
    });
    return await Promise.race([run, late]).finally(() => cancel());
  }

  async #one(row: AlarmDeliveryRow, alarm: AlarmWithNames | undefined): Promise<void> {
    const { database, clock, actions, log, assertHeld } = this.#options;
    const { delivery_id: deliveryId, account_id: accountId, action, folded_count: foldedCount } = row;
    // The device was deleted, or the alarm expired.
    if (alarm === undefined) {
      const end = { state: 'skipped', reason: 'gone', detail: '', at: clock.wallMs(), dueAt: null } as const;
      return await endDelivery(database, deliveryId, end);
    }
    const run = actions.run({ deliveryId, accountId, action, alarm, foldedCount, isTest: false, assertHeld });
    const end = await this.#inTime(run);
    const at = clock.wallMs();
    // Waiting for the rate limit is not a failure of the receiver.
    const isHeld = end.reason === 'budget' && at - row.created_at < SEND_LIMITS.heldMs;
    const wait = isHeld ? 0 : waitAfter(end, row.attempts);
    const state = stateAfter(end, wait);
    const dueAt = wait === null ? null : at + Math.round(Math.max(wait, Math.min(end.retryAfterMs ?? 0, PAUSE_MAX_MS)));
    if (state === 'failed') log.warn({ deliveryId, reason: end.reason }, 'a rule could not act');
    const { reason, detail } = end;
    await endDelivery(database, deliveryId, { state, reason, detail, at, dueAt, isHeld });
  }
}

/** Null if it is not retried. */
function waitAfter({ isDone, isSkipped, isFinal, reason }: RuleActionResult, attempts: number): number | null {
  const isOver = isDone || isSkipped || isFinal || reason === 'budget';
  return isOver ? null : retryAfter(attempts);
}

function stateAfter({ isDone, isSkipped }: RuleActionResult, wait: number | null) {
  if (isDone) return 'done';
  if (isSkipped) return 'skipped';
  return wait === null ? 'failed' : 'waiting';
}
