// Spans of time in words, and instants as the browser's own field for date and time writes them.
import { formatClock, formatDate, formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';

/** `YYYY-MM-DDTHH:mm:ss` of the machine's zone. */
export function toInput(at: number): string {
  const local = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(local.getFullYear()).padStart(4, '0')}-${two(local.getMonth() + 1)}-${two(local.getDate())}`;
  return `${date}T${two(local.getHours())}:${two(local.getMinutes())}:${two(local.getSeconds())}`;
}

/** Null where it is no date and time. */
export function fromInput(text: string): number | null {
  const at = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isFinite(at) && at >= 0 ? at : null;
}

/** The date of the end is said only where it is another one. */
export function spanText(start: number, end: number, format: TimeFormat): string {
  const from = formatDateTime(start, format);
  if (end <= start) return from;
  const isSameDay = formatDate(start, format) === formatDate(end, format);
  return `${from} – ${isSameDay ? formatClock(end, format) : formatDateTime(end, format)}`;
}

/** Two units at most: `1 hr 5 min`, `2 min 10 sec`. */
export function lengthText(language: string, ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const parts = [
    { unit: 'hour', value: Math.floor(seconds / 3600) },
    { unit: 'minute', value: Math.floor(seconds / 60) % 60 },
    { unit: 'second', value: seconds % 60 },
  ] as const;
  const first = parts.findIndex(({ value }) => value > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ value }) => value > 0)
    .map(({ unit, value }) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
    )
    .join(' ');
}
