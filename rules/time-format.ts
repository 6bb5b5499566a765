// Dates and times as people read them: year first in China, month first overseas (LM-03) or as an account chose; all-day spans (LM-05).
import type { ClockHours, DateOrder } from '@vedette/contract/enumerations.ts';
import { ALL_DAY } from '@vedette/contract/limits.ts';

export interface TimeFormat {
  readonly order: DateOrder;
  readonly hours: ClockHours;
  /** IANA name; the machine's own zone where absent. */
  readonly timeZone?: string;
}

/** What an account chose; null where it leaves the choice to the installation. */
export interface TimePreference {
  readonly dateOrder: DateOrder | null;
  readonly clockHours: ClockHours | null;
}

/** Year first in any country: names of files sort by time. */
export const SORTABLE_TIME: TimeFormat = { order: 'yearFirst', hours: 24 };

/** `isOverseas`: `isOverseasFlag` of the server's configuration, which the account's choice overrides. */
export function timeFormatOf(isOverseas: boolean, { dateOrder, clockHours }: TimePreference): TimeFormat {
  return { order: dateOrder ?? (isOverseas ? 'monthFirst' : 'yearFirst'), hours: clockHours ?? 24 };
}

interface Parts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const key = timeZone ?? '';
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  formats.set(key, made);
  return made;
}

function partsOf(atMs: number, timeZone: string | undefined): Parts {
  const found = formatOf(timeZone).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes): string => found.find((one) => one.type === type)?.value ?? '';
  return {
    year: part('year').padStart(4, '0'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}

export function formatDate(atMs: number, format: TimeFormat): string {
  const { year, month, day } = partsOf(atMs, format.timeZone);
  switch (format.order) {
    case 'yearFirst':
      return `${year}-${month}-${day}`;
    case 'monthFirst':
      return `${month}/${day}/${year}`;
    case 'dayFirst':
      return `${day}/${month}/${year}`;
  }
}

/** HH:mm:ss, or HH:mm; with AM or PM where the clock has twelve hours. */
export function formatClock(atMs: number, format: TimeFormat, hasSeconds = true): string {
  const { hour, minute, second } = partsOf(atMs, format.timeZone);
  const rest = hasSeconds ? `${minute}:${second}` : minute;
  if (format.hours === 24) return `${hour}:${rest}`;
  const ofDay = Number(hour);
  return `${ofDay % 12 || 12}:${rest} ${ofDay < 12 ? 'AM' : 'PM'}`;
}

export function formatDateTime(atMs: number, format: TimeFormat, hasSeconds = true): string {
  return `${formatDate(atMs, format)} ${formatClock(atMs, format, hasSeconds)}`;
}

/** A span from midnight to midnight, in either spelling of the specification. */
export function isAllDay(start: string, end: string): boolean {
  return (start === ALL_DAY.start && end === ALL_DAY.end) || (start === ALL_DAY.startFull && end === ALL_DAY.endFull);
}
