// Offsets from UTC as people read and choose them.
import type { RangeLimits } from '@vedette/contract/config/fields.ts';

/** Where zones are a quarter of an hour off: Nepal, Eucla and the Chatham Islands (IANA time zone database). */
const QUARTERS = [5 * 60 + 45, 8 * 60 + 45, 12 * 60 + 45, 13 * 60 + 45];
const HALF_HOUR = 30;

/** @param offset minutes east of UTC */
export function utcOffsetText(offset: number): string {
  const whole = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `UTC${offset < 0 ? '−' : '+'}${two(Math.floor(whole / 60))}:${two(whole % 60)}`;
}

/** What a device can be set to, from west to east, and what it is set to now. */
export function utcOffsets({ min, max }: RangeLimits, now: number): readonly number[] {
  const halves: number[] = [];
  for (let offset = Math.ceil(min / HALF_HOUR) * HALF_HOUR; offset <= max; offset += HALF_HOUR) halves.push(offset);
  const quarters = QUARTERS.filter((offset) => offset >= min && offset <= max);
  return [...new Set([...halves, ...quarters, now])].toSorted((a, b) => a - b);
}
