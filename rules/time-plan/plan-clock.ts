// Type of a weekly plan at an instant, in the device's time zone, so that clock changes neither lose nor double an hour.
import { ALL_DAY, HOLIDAY_ROW } from '@vedette/contract/limits.ts';
import type { PlanSegment } from './paint.ts';
import { DAY_SECONDS, parseTimeOfDay } from './time-of-day.ts';

export interface PlanTable {
  readonly days: readonly {
    readonly day: number;
    readonly entryList: readonly { readonly StartTime: string; readonly EndTime: string; readonly Type: number }[];
  }[];
  /** YYYY-MM-DD on which the holiday row holds instead of the week day's. */
  readonly holidays: readonly string[];
  /** IANA name. */
  readonly timeZone: string;
}

export interface PlannedNow {
  /** Type of the entry; null where there is none. */
  readonly type: number | null;
  /** The answer holds from the instant that was asked to this one, ms; it may go on. */
  readonly until: number;
}

/** Clocks of a zone change at a full quarter of an hour of UTC, never between. */
const QUARTER_MS = 15 * 60_000;

export class PlanClock {
  readonly #segments = new Map<number, readonly PlanSegment[]>();
  readonly #holidays: ReadonlySet<string>;
  readonly #format: Intl.DateTimeFormat;
  #known: { readonly from: number; readonly now: PlannedNow } | null = null;

  /** Throws RangeError for an unknown time zone; rows that `checkPlanRows` refuses are left out. */
  constructor({ days, holidays, timeZone }: PlanTable) {
    for (const { day, entryList } of days) {
      const segments = entryList.flatMap(({ StartTime, EndTime, Type }) => {
        const start = parseTimeOfDay(StartTime);
        const end = EndTime === ALL_DAY.endFull ? DAY_SECONDS : parseTimeOfDay(EndTime);
        return start === null || end === null || start >= end ? [] : [{ start, end, type: Type }];
      });
      this.#segments.set(day, segments);
    }
    this.#holidays = new Set(holidays);
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
  }

  at(wallMs: number): PlannedNow {
    const known = this.#known;
    if (known && wallMs >= known.from && wallMs < known.now.until) return known.now;
    const now = this.#read(wallMs);
    this.#known = { from: wallMs, now };
    return now;
  }

  #read(wallMs: number): PlannedNow {
    const { date, second } = this.#local(wallMs);
    const segments = this.#segments.get(this.#row(date)) ?? [];
    const found = segments.find(({ start, end }) => start <= second && second < end);
    let boundary = found?.end ?? DAY_SECONDS;
    if (!found) for (const { start } of segments) if (start > second) boundary = Math.min(boundary, start);
    const inSecond = ((wallMs % 1000) + 1000) % 1000;
    const nextBoundary = wallMs - inSecond + (boundary - second) * 1000;
    const nextQuarter = (Math.floor(wallMs / QUARTER_MS) + 1) * QUARTER_MS;
    return { type: found?.type ?? null, until: Math.min(nextBoundary, nextQuarter) };
  }

  #row(date: string): number {
    if (this.#holidays.has(date)) return HOLIDAY_ROW;
    const weekDay = new Date(`${date}T00:00:00Z`).getUTCDay();
    return weekDay === 0 ? 7 : weekDay;
  }

  #local(wallMs: number): { date: string; second: number } {
    const parts = new Map(this.#format.formatToParts(wallMs).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    return {
      date: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`,
      second: number('hour') * 3600 + number('minute') * 60 + number('second'),
    };
  }
}
