// How long a share holds, by the choices of its form.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';

export const VALIDITIES = ['hour', 'today', 'week', 'always', 'custom'] as const;
export type Validity = (typeof VALIDITIES)[number];

export interface ValidityBounds {
  readonly startTime: number | null;
  readonly endTime: number | null;
}

const WEEK_DAYS = 7;

/** `custom`: what was typed; null where that is no time to come. */
export function validityBounds(validity: Validity, now: number, typed: ValidityBounds): ValidityBounds | null {
  switch (validity) {
    case 'hour':
      return { startTime: null, endTime: now + HOUR_MS };
    case 'today':
      return { startTime: null, endTime: endOfDay(now, 0) };
    case 'week':
      return { startTime: null, endTime: endOfDay(now, WEEK_DAYS) };
    case 'always':
      return { startTime: null, endTime: null };
    case 'custom': {
      const { startTime, endTime } = typed;
      return endTime === null || endTime > Math.max(now, startTime ?? 0) ? typed : null;
    }
  }
}

/** The next midnight of this machine, `days` later. */
function endOfDay(now: number, days: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1 + days).getTime();
}
