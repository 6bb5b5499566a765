// Days and clock times in one time zone, with days of 23 and 25 hours where the clocks change.

export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

export function localTime(zone: string, at: number): CalendarDay & ClockTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/** Zone's clock minus UTC at an instant, ms. */
export function offsetAt(zone: string, at: number): number {
  const { year, month, day, hour, minute, second } = localTime(zone, at);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** The instant at which the zone's clock shows this time; one that is skipped becomes the first one after the gap. */
export function instantOf(zone: string, day: CalendarDay, clock: Partial<ClockTime> = {}): number {
  const wanted = Date.UTC(day.year, day.month - 1, day.day, clock.hour ?? 0, clock.minute ?? 0, clock.second ?? 0);
  // Each offset is tried that holds around the day; the earlier instant wins where the clock shows a time twice.
  const candidates = [wanted - offsetAt(zone, wanted - 86_400_000), wanted - offsetAt(zone, wanted + 86_400_000)];
  const exact = candidates.filter((at) => at + offsetAt(zone, at) === wanted);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}

export function dayOf(zone: string, at: number): CalendarDay {
  const { year, month, day } = localTime(zone, at);
  return { year, month, day };
}

export function addDays(day: CalendarDay, count: number): CalendarDay {
  const moved = new Date(Date.UTC(day.year, day.month - 1, day.day + count));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/** First instant of a day and of the next one: 23, 24 or 25 hours apart. */
export function dayBounds(zone: string, day: CalendarDay): { readonly start: number; readonly end: number } {
  return { start: instantOf(zone, day), end: instantOf(zone, addDays(day, 1)) };
}

export function dayKey({ year, month, day }: CalendarDay): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** 1 Monday to 7 Sunday, as the specification numbers week days. */
export function weekDay({ year, month, day }: CalendarDay): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
