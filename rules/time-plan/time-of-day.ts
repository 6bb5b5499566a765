// Times of day of a weekly plan: HH:mm:ss text to whole seconds and back.
import { ALL_DAY } from '@vedette/contract/limits.ts';

export const DAY_SECONDS = 86_400;

/** Seconds since midnight of `HH:mm:ss` between 00:00:00 and 23:59:59; null for anything else. */
export function parseTimeOfDay(text: string): number | null {
  const match = /^(\d{2}):(\d{2}):(\d{2})$/.exec(text);
  if (!match) return null;
  const [hours, minutes, seconds] = match.slice(1).map(Number) as [number, number, number];
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return hours * 3600 + minutes * 60 + seconds;
}

/** @param seconds since midnight, 0 to 86400; 86400 (24:00:00) becomes 23:59:59 */
export function formatTimeOfDay(seconds: number): string {
  if (seconds >= DAY_SECONDS) return ALL_DAY.endFull;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
