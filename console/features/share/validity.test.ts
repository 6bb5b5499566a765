// Tests of how long a share holds.
import { describe, expect, it } from 'vitest';
import { validityBounds } from './validity.ts';

const NOTHING = { startTime: null, endTime: null };
const now = new Date(2026, 10, 23, 14, 5, 9).getTime();

describe('[SH-01] the validity of a share', () => {
  it('is an hour, or ends with the day, a week later or never', () => {
    expect(validityBounds('hour', now, NOTHING)).toEqual({ startTime: null, endTime: now + 3_600_000 });
    expect(validityBounds('today', now, NOTHING)?.endTime).toBe(new Date(2026, 10, 24).getTime());
    expect(validityBounds('week', now, NOTHING)?.endTime).toBe(new Date(2026, 11, 1).getTime());
    expect(validityBounds('always', now, NOTHING)).toEqual(NOTHING);
  });
  it('accepts a typed time that lies in the future', () => {
    const typed = { startTime: now + 1000, endTime: now + 2000 };
    expect(validityBounds('custom', now, typed)).toEqual(typed);
    expect(validityBounds('custom', now, { startTime: now + 3000, endTime: now + 2000 })).toBeNull();
    expect(validityBounds('custom', now, { startTime: null, endTime: now - 1 })).toBeNull();
    expect(validityBounds('custom', now, { startTime: now + 1, endTime: null })).toEqual({
      startTime: now + 1,
      endTime: null,
    });
  });
});
