// Proves that the wall clock of a picture stays with its arrival whatever the device's RTP times do, over and over again.
import { expect, test } from 'vitest';
import { TrackTimeline } from './track-timeline.ts';
import { CaptureClock } from './capture-clock.ts';

const START = 1_800_000_000_000;
const EVERY_MS = 100;
const TICKS = 9000;
const HOUR = 3600 * 90_000;

/** What each event does to the times: of one picture, or of all from it on. */
const EVENTS: readonly ((index: number) => { readonly once?: number; readonly count?: number })[] = [
  () => ({ once: HOUR }),
  () => ({ once: -HOUR }),
  () => ({ once: 5 * 90_000 }),
  (index) => ({ count: -index * TICKS }),
  // The wrap of 32 bits is half a second away.
  (index) => ({ count: 2 ** 32 - 45_000 - index * TICKS }),
  (index) => ({ count: 24 * HOUR - index * TICKS }),
];

/** Wall clock minus the instant of each picture, ms. */
function wallErrors(pictures: number, lateMs: (index: number) => number): number[] {
  const line = new TrackTimeline({ clockRate: 90_000, outputRate: 90_000, followsArrival: true });
  line.stateReorder(0);
  const wall = new CaptureClock();
  let count = 0;
  let last = -1;
  return Array.from({ length: pictures }, (_, index) => {
    const event = index > 0 && index % 8 === 0 ? EVENTS[(index / 8) % EVENTS.length]?.(index) : undefined;
    count = event?.count ?? count;
    const rtp = (index * TICKS + count + (event?.once ?? 0)) >>> 0;
    const now = index * EVERY_MS + lateMs(index);
    const jumps = line.jumps(rtp, now);
    if (!line.isAnchored) line.anchor(rtp, now);
    if (jumps) {
      line.restart();
      wall.forgetReport();
      line.rejoin(rtp, now);
    }
    line.next(rtp, index % 20 === 0, now, true);
    expect(line.dts).toBeGreaterThan(last);
    last = line.dts;
    return wall.wallMs(line.mediaMs, START + now) - START - index * EVERY_MS;
  });
}

test('[FT-06] three hundred timestamp jumps leave no accumulated error', () => {
  const most = (errors: readonly number[]): number => Math.max(...errors.map(Math.abs));
  expect(most(wallErrors(2400, (index) => (index * 7) % 5))).toBeLessThan(20);
  // Of 100 ms of jitter, and half a second now and then.
  const busy = wallErrors(2400, (index) => ((index * 37) % 90) + (index % 61 === 0 ? 400 : 0));
  expect(most(busy)).toBeLessThan(700);
});

test('frame reordering is not a timestamp jump', () => {
  const line = new TrackTimeline({ clockRate: 90_000, outputRate: 90_000, followsArrival: true });
  line.stateReorder(2);
  line.anchor(0, 0);
  // I P B B at five pictures a second.
  const order = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8];
  const jumps = order.map((shown, index) => {
    const found = line.jumps(shown * 18_000, index * 200);
    line.next(shown * 18_000, index === 0, index * 200, true);
    return found;
  });
  expect(jumps).not.toContain(true);
});
