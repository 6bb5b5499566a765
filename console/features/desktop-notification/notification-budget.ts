// How many of the alarms that come close together get a notification of their own; the others are counted in one.

const SPAN_MS = 10_000;
const SINGLE = 3;

export interface NotificationPlan<T> {
  readonly singles: readonly T[];
  /** Of this span so far; 0: every one got its own. */
  readonly more: number;
}

export class NotificationBudget {
  #since = Number.NEGATIVE_INFINITY;
  #shown = 0;
  #more = 0;

  /** `news`: the newest first. `now` in ms of any steady clock. */
  plan<T>(news: readonly T[], now: number): NotificationPlan<T> {
    if (now - this.#since >= SPAN_MS) {
      this.#since = now;
      this.#shown = 0;
      this.#more = 0;
    }
    const singles = news.slice(0, SINGLE - this.#shown);
    this.#shown += singles.length;
    this.#more += news.length - singles.length;
    return { singles, more: singles.length === news.length ? 0 : this.#more };
  }
}
