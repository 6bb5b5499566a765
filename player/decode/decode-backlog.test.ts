// When a decoder counts as behind: never for a burst that it works off, always for a queue that stays.
import { describe, expect, test } from 'vitest';
import { DecodeBacklog } from './decode-backlog.ts';

/** Feeds queue lengths at 20 frames a second; answers the time of the first verdict, ms. */
function behindAt(queue: (ms: number) => number, lengthMs = 10_000): number | null {
  const backlog = new DecodeBacklog();
  for (let ms = 0; ms < lengthMs; ms += 50) if (backlog.isBehind(queue(ms), ms)) return ms;
  return null;
}

describe('the backlog of a decoder', () => {
  test('a steady queue of a few frames is no lag', () => {
    expect(behindAt(() => 4)).toBeNull();
  });
  test('the burst of a first GOP may take its time', () => {
    expect(behindAt((ms) => Math.max(0, 40 - ms / 50))).toBeNull();
  });
  test('a queue that grows from the start is noticed within three seconds', () => {
    expect(behindAt((ms) => ms / 100)).toBeLessThanOrEqual(3000);
  });
  test('a queue that grows later is noticed within two seconds', () => {
    expect(behindAt((ms) => Math.max(0, ms - 5000) / 50)).toBeLessThan(7000);
  });
  test('a stall of one second is no lag', () => {
    expect(behindAt((ms) => (ms > 3000 && ms < 4000 ? 20 : 0))).toBeNull();
  });
  test('a burst that is never decoded is a lag', () => {
    expect(behindAt(() => 40)).toBeLessThan(3000);
  });
});
