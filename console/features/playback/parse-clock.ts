// Reads a time of day as people type it.
import type { ClockTime } from '../calendar/zone-time.ts';

/** `9`, `905`, `9:05`, `14:30:20`, `143020`; null for anything that is no time of day. */
export function parseClock(text: string): ClockTime | null {
  const trimmed = text.trim();
  const parts = /^\d{1,6}$/.test(trimmed) ? splitDigits(trimmed) : trimmed.split(/[:.：]/);
  if (parts.length > 3 || !parts.every((part) => /^\d{1,2}$/.test(part))) return null;
  const [hour = 0, minute = 0, second = 0] = parts.map(Number);
  return hour < 24 && minute < 60 && second < 60 ? { hour, minute, second } : null;
}

/** Pairs from the right: 905 is 9:05. */
function splitDigits(digits: string): string[] {
  if (digits.length <= 2) return [digits];
  const even = digits.padStart(digits.length + (digits.length % 2), '0');
  return even.match(/\d\d/g) ?? [];
}
