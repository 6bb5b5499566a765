// Request deadline for the database: bounds the time a call waits for or holds a connection, so that it answers in time.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** The database does not keep up (1012). Of a statement that was given up, nobody knows whether it took hold. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/** A call that has spent so long with the database begins nothing more. */
const BEGINS_WITHIN_MS = 4000;
/** What it has begun is given up then. With the wait for a connection and the line of the audit log a call stays within ten seconds. */
const ENDS_WITHIN_MS = 6000;
/** A commit that was sent is waited for so long in any case: given up, its outcome would be unknown. */
const COMMIT_MS = 1500;
/** Work of our own: longer than the database lets a statement take. */
const OWN_WORK_MS = 40_000;

export class RequestDeadline {
  #spentMs = 0;
  /** Connections that it waits for or holds. */
  #open = 0;
  #openSince = 0;

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

/** Bounds what the call may spend. */
export function withRequestDeadline<T>(run: () => T): T {
  return budgets.run(new RequestDeadline(), run);
}

/** For work that goes on after the call that began it: the call's bounds are not its own. */
export function withoutRequestDeadline<T>(run: () => T): T {
  return budgets.exit(run);
}

/** A clock whose timers are nobody's call: what comes back every second would otherwise end with the bounds of whoever began it. */
export function clockWithoutDeadline(clock: Clock): Clock {
  return { ...clock, after: (delayMs, callback) => withoutRequestDeadline(() => clock.after(delayMs, callback)) };
}

/** For statements that take as long as they must: a new index over millions of rows. */
export function withoutStatementTimeout<T>(run: () => T): T {
  return budgets.run('unbounded', run);
}

/** Of the call that this runs for, if any. */
export function currentDeadline(): RequestDeadline | null {
  const held = budgets.getStore();
  return held instanceof RequestDeadline ? held : null;
}

/** How long a statement that begins now is waited for; null: for ever. */
export function statementTimeoutMs(text: string, now: number): number | null {
  const held = budgets.getStore();
  if (held === 'unbounded') return null;
  const left = held === undefined ? OWN_WORK_MS : held.remainingMs(now);
  return left > 0 && text === 'commit' ? Math.max(left, COMMIT_MS) : left;
}
