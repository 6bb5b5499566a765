// Weekly hours of a share: whether they are open at an instant, and until when.
import type { PlanEntry } from '../time-plan/week-plan.ts';
import { PlanClock, type PlannedNow } from '../time-plan/plan-clock.ts';
import { DAY_SECONDS, parseTimeOfDay } from '../time-plan/time-of-day.ts';

export interface WeeklyHours {
  /** 1 Monday to 7 Sunday; a day that is missing is closed. */
  readonly plan: readonly { readonly day: number; readonly entryList: readonly PlanEntry[] }[];
  /** IANA name. */
  readonly timeZone: string;
}

export interface WindowNow {
  readonly isOpen: boolean;
  /** The answer holds from the instant that was asked up to this one, ms; null: for good. */
  readonly until: number | null;
}

const WEEK_MS = 8 * 24 * 3_600_000;
const WEEK_DAYS = 7;

export class ShareWindow {
  readonly #clock: PlanClock;
  #known: { readonly from: number; readonly now: WindowNow } | null = null;

  /** Throws RangeError for an unknown time zone. */
  constructor(hours: WeeklyHours) {
    this.#clock = new PlanClock({ days: hours.plan, holidays: [], timeZone: hours.timeZone });
  }

  at(now: number): WindowNow {
    const known = this.#known;
    if (known && now >= known.from && (known.now.until === null || now < known.now.until)) return known.now;
    const found = this.#read(now);
    this.#known = { from: now, now: found };
    return found;
  }

  /** The plan's clock answers in short steps; hours that touch across midnight are one. */
  #read(now: number): WindowNow {
    const first = this.#clock.at(now);
    const isOpen = isOpenThen(first);
    let { until } = first;
    while (until < now + WEEK_MS) {
      const next = this.#clock.at(until);
      if (isOpenThen(next) !== isOpen) return { isOpen, until };
      until = next.until;
    }
    return { isOpen, until: null };
  }
}

function isOpenThen(planned: PlannedNow): boolean {
  return planned.type !== null;
}

/** Hours that leave nothing out are no bound at all. */
export function isWholeWeek({ plan }: WeeklyHours): boolean {
  const whole = plan.filter(({ entryList }) => {
    const spans = entryList
      .map(({ StartTime, EndTime }) => ({ start: parseTimeOfDay(StartTime) ?? 0, end: endOf(EndTime) }))
      .toSorted((one, other) => one.start - other.start);
    let reached = 0;
    for (const { start, end } of spans) if (start <= reached) reached = Math.max(reached, end);
    return reached >= DAY_SECONDS;
  });
  return new Set(whole.map(({ day }) => day)).size === WEEK_DAYS;
}

function endOf(time: string): number {
  return time === '23:59:59' ? DAY_SECONDS : (parseTimeOfDay(time) ?? 0);
}
