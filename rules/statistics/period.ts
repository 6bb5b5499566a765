// Periods of statistics: an asked range as hours, days or months of a time zone, and the period before it of the same length.
export type Grain = 'hour' | 'day' | 'month';

export interface Period {
  readonly grain: Grain;
  /** When each hour, day or month of it begins, ms; at least one. */
  readonly starts: readonly number[];
  /** When the last of them ends. */
  readonly endTime: number;
}

export interface AskedRange {
  readonly range: 'day' | 'week' | 'month' | 'custom';
  /** Of a custom range. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS_OF_DAY = 24;
const DAYS = { week: 7, month: 30 } as const;
/** How long each is stored: months for the longest range and the one before it. */
export const STATISTICS_KEPT_MS = { hour: 40 * DAY_MS, day: 3 * 366 * DAY_MS, month: 21 * 366 * DAY_MS } as const;
/** Custom ranges up to these lengths are told by hours and by days while these are stored; others by months. */
const LONGEST_MS = { hour: 3 * DAY_MS, day: 93 * DAY_MS } as const;

/** A day ends with the current hour, week and month with the current day; a custom range is widened to whole units. */
export function periodOf({ range, startTime = 0, endTime = 0 }: AskedRange, now: number, timeZone: string): Period {
  const zone = new ZoneClock(timeZone);
  if (range === 'day') {
    const last = startOf('hour', now, zone);
    return unitsUntil('hour', next('hour', last, zone), HOURS_OF_DAY, zone);
  }
  if (range !== 'custom') return unitsUntil('day', next('day', startOf('day', now, zone), zone), DAYS[range], zone);
  const grain = grainOf(endTime - startTime, now - startTime);
  const starts: number[] = [];
  let at = startOf(grain, startTime, zone);
  do {
    starts.push(at);
    at = next(grain, at, zone);
  } while (at < endTime);
  return { grain, starts, endTime: at };
}

/** As many hours, days or months, up to the start of the period. */
export function periodBefore({ grain, starts }: Period, timeZone: string): Period {
  return unitsUntil(grain, starts[0] ?? 0, starts.length, new ZoneClock(timeZone));
}

export interface Unit {
  readonly startTime: number;
  readonly endTime: number;
}

/** The days, or months, that hold any of the instants, which ascend. */
export function unitsHolding(grain: 'day' | 'month', instants: readonly number[], timeZone: string): Unit[] {
  const zone = new ZoneClock(timeZone);
  const units: Unit[] = [];
  for (const at of instants) {
    if (at < (units.at(-1)?.endTime ?? -Infinity)) continue;
    const startTime = startOf(grain, at, zone);
    units.push({ startTime, endTime: next(grain, startTime, zone) });
  }
  return units;
}

function grainOf(lengthMs: number, ageMs: number): Grain {
  const grains = ['hour', 'day'] as const;
  return grains.find((grain) => lengthMs <= LONGEST_MS[grain] && ageMs <= STATISTICS_KEPT_MS[grain]) ?? 'month';
}

function unitsUntil(grain: Grain, endTime: number, count: number, zone: ZoneClock): Period {
  const starts: number[] = [];
  for (let at = endTime; starts.length < count; ) {
    // Any instant of the unit before leads to its start.
    at = startOf(grain, at - 1, zone);
    starts.unshift(at);
  }
  return { grain, starts, endTime };
}

function startOf(grain: Grain, at: number, zone: ZoneClock): number {
  // Hours are those of UTC, which have the same length on every day.
  if (grain === 'hour') return Math.floor(at / HOUR_MS) * HOUR_MS;
  const { year, month, day } = zone.dateOf(at);
  return zone.startOfDay(year, month, grain === 'day' ? day : 1);
}

function next(grain: Grain, start: number, zone: ZoneClock): number {
  if (grain === 'hour') return start + HOUR_MS;
  const { year, month, day } = zone.dateOf(start);
  return grain === 'day' ? zone.startOfDay(year, month, day + 1) : zone.startOfDay(year, month + 1, 1);
}

/** Names the hour of the week that an instant lies in, as `<day> <hour>`: 1 is Monday, hours from 0 to 23. */
export function hourOfWeek(timeZone: string): (at: number) => string {
  const zone = new ZoneClock(timeZone);
  return (at) => {
    const local = zone.localTime(at);
    return `${local.getUTCDay() || 7} ${local.getUTCHours()}`;
  };
}

interface ZoneDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** Dates of a time zone. Throws RangeError for an unknown one. */
class ZoneClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    const two = '2-digit';
    const clock = { hour: two, minute: two, second: two, hourCycle: 'h23' } as const;
    this.#format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: two, day: two, ...clock });
  }

  /** Its UTC parts are the local ones. */
  localTime(at: number): Date {
    return new Date(at + this.#offsetAt(at));
  }

  dateOf(at: number): ZoneDate {
    const local = this.localTime(at);
    return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
  }

  /** The first instant of the date; where clocks skip midnight, the first one after it. Day and month may overflow. */
  startOfDay(year: number, month: number, day: number): number {
    const local = Date.UTC(year, month - 1, day);
    const offsets = [this.#offsetAt(local - DAY_MS), this.#offsetAt(local + DAY_MS)];
    const candidates = offsets.map((offset) => local - offset).toSorted((a, b) => a - b);
    return candidates.find((at) => at + this.#offsetAt(at) >= local) ?? local;
  }

  /** Milliseconds by which the zone is ahead of UTC. */
  #offsetAt(at: number): number {
    const whole = Math.floor(at / 1000) * 1000;
    const parts = new Map(this.#format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const date = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return date - whole;
  }
}
