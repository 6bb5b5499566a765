// The `clock=` form of the Range header (RFC 2326 3.7, ONVIF Streaming 6.4).

import type { Span } from './recorded-pattern.ts';

const INSTANT = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\.\d{1,9})?Z$/;

function parseInstant(text: string): number | null {
  const found = INSTANT.exec(text);
  if (found === null) return null;
  const [, year, month, day, hour, minute, second, fraction] = found;
  const whole = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(whole) ? null : whole + Math.round(Number(fraction ?? 0) * 1000);
}

/** Without an end, or without a range at all, everything up to the present. Null: not a clock range. */
export function parseClockRange(value: string | undefined, nowMs: number): Span | null {
  if (value === undefined || /^npt=/i.test(value)) return { from: nowMs - 60_000, to: nowMs };
  const found = /^clock=([^-]+)-(.*)$/i.exec(value.trim());
  if (found === null) return null;
  const [, begin = '', end = ''] = found;
  const from = parseInstant(begin.trim());
  const to = end.trim() === '' ? nowMs : parseInstant(end.trim());
  return from === null || to === null || to <= from ? null : { from, to };
}

export function writeClockRange(span: Span): string {
  const instant = (ms: number) => new Date(ms).toISOString().replace(/[-:]/g, '');
  return `clock=${instant(span.from)}-${instant(span.to)}`;
}
