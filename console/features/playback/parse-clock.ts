// Reads a time of day as people type it.
import type { ClockTime } from '../calendar/zone-time.ts';

/** `9`, `905`, `9:05`, `14:30:20`, `143020`, `2:30 pm`; null for anything that is no time of day. */
export function parseClock(text: string): ClockTime | null {
  const { digits: trimmed, half } = splitHalf(text.trim());
  const parts = /^\d{1,6}$/.test(trimmed) ? splitDigits(trimmed) : trimmed.split(/[:.：]/);
  if (parts.length > 3 || !parts.every((part) => /^\d{1,2}$/.test(part))) return null;
  const [typed = 0, minute = 0, second = 0] = parts.map(Number);
  const hour = hourOfDay(typed, half);
  return hour !== null && minute < 60 && second < 60 ? { hour, minute, second } : null;
}

/** Null where there is no such hour on the clock. */
function hourOfDay(typed: number, half: HalfDay['half']): number | null {
  if (half === null) return typed < 24 ? typed : null;
  if (typed < 1 || typed > 12) return null;
  return (typed % 12) + (half === 'p' ? 12 : 0);
}

interface HalfDay {
  readonly digits: string;
  /** Null on a clock of 24 hours. */
  readonly half: 'a' | 'p' | null;
}

function splitHalf(text: string): HalfDay {
  const end = /[ap]m$/i.exec(text)?.[0].toLowerCase();
  if (end === undefined) return { digits: text, half: null };
  return { digits: text.slice(0, -2).trimEnd(), half: end === 'am' ? 'a' : 'p' };
}

/** Pairs from the right: 905 is 9:05. */
function splitDigits(digits: string): string[] {
  if (digits.length <= 2) return [digits];
  const even = digits.padStart(digits.length + (digits.length % 2), '0');
  return even.match(/\d\d/g) ?? [];
}
