// Request deadline: bounds the time a call waits for or holds a connection of the database, and when it stops waiting for a site, so that it answers in time.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** The database is overloaded (1012). An abandoned statement may have been executed. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/** After this time a call starts no more statements. */
const BEGINS_WITHIN_MS = 4000;
/** After this time running statements are abandoned, so that a call stays within ten seconds including its audit entry. */
const ENDS_WITHIN_MS = 6000;
/** Minimum wait for a sent COMMIT: abandoned, its outcome would be unknown. */
const COMMIT_MS = 1500;
/** So long after its start a call waits for sites and their devices, all of them together; then it answers. */
const SITES_WITHIN_MS = 8500;
/** For background work: longer than the statement timeout of the database. */
const OWN_WORK_MS = 40_000;

export class RequestDeadline {
  /** Null: nobody waits for the end. */
  readonly #startedMs: number | null;
  #spentMs = 0;
  /** Connections that it waits for or holds. */
  #open = 0;
  #openSince = 0;

  constructor(startedMs: number | null = null) {
    this.#startedMs = startedMs;
  }

  /** How long to wait for a site that is asked now; null: as long as it takes. */
  siteMs(now: number): number | null {
    return this.#startedMs === null ? null : Math.max(0, this.#startedMs + SITES_WITHIN_MS - now);
  }

  begin(now: number): void {
    if (this.#open === 0) this.#openSince = now;
    this.#open += 1;
  }

  end(now: number): void {
    this.#open -= 1;
    if (this.#open === 0) this.#spentMs += now - this.#openSince;
  }

  mayStartStatement(now: number): boolean {
    return this.#spentAt(now) <= BEGINS_WITHIN_MS;
  }

  remainingMs(now: number): number {
    return ENDS_WITHIN_MS - this.#spentAt(now);
  }

  #spentAt(now: number): number {
    return this.#spentMs + (this.#open === 0 ? 0 : now - this.#openSince);
  }
}

const budgets = new AsyncLocalStorage<RequestDeadline | 'unbounded'>();

/** Bounds what the call may spend. `startedMs`: of a call that must answer in time whatever a site does. */
export function withRequestDeadline<T>(run: () => T, startedMs: number | null = null): T {
  return budgets.run(new RequestDeadline(startedMs), run);
}

/** For work that outlives the call that started it. */
export function withoutRequestDeadline<T>(run: () => T): T {
  return budgets.exit(run);
}

/** A clock whose timers run outside any call: an interval would otherwise inherit the deadline of the call that started it. */
export function clockWithoutDeadline(clock: Clock): Clock {
  return { ...clock, after: (delayMs, callback) => withoutRequestDeadline(() => clock.after(delayMs, callback)) };
}

/** Without a limit, for statements such as building an index. */
export function withoutStatementTimeout<T>(run: () => T): T {
  return budgets.run('unbounded', run);
}

/** Deadline of the current call, if any. */
export function currentDeadline(): RequestDeadline | null {
  const held = budgets.getStore();
  return held instanceof RequestDeadline ? held : null;
}

/** Timeout of a statement that starts now; null: none. */
export function statementTimeoutMs(text: string, now: number): number | null {
  const held = budgets.getStore();
  if (held === 'unbounded') return null;
  const left = held === undefined ? OWN_WORK_MS : held.remainingMs(now);
  return left > 0 && text === 'commit' ? Math.max(left, COMMIT_MS) : left;
}
