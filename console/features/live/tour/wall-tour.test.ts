// A tour on a clock of its own: dwell, warming, waiting for late pictures, holding, stepping by hand.
import { describe, expect, test } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { pagesOf, type TourState, WallTour } from './wall-tour.ts';

const channels = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ deviceSerial: 'A', channelNo: at + 1 }));
const DWELL_MS = 10_000;

function setUp(pageCount = 3) {
  const clock = new FakeClock();
  const seen: string[] = [];
  let isReady = true;
  let state: TourState = { kind: 'off' };
  const first = (content: { tiles: readonly { channelNo: number }[] }) => content.tiles[0]?.channelNo;
  const tour = new WallTour({
    clock,
    show: (content) => seen.push(`show ${first(content)}`),
    warm: (content) => seen.push(`warm ${first(content)}`),
    cool: () => seen.push('cool'),
    isReady: () => isReady,
    onState: (next) => {
      state = next;
    },
  });
  tour.start(pagesOf('Yard', 4, channels(pageCount * 4)), DWELL_MS);
  return {
    clock,
    tour,
    seen,
    state: () => state,
    setReady: (ready: boolean) => {
      isReady = ready;
    },
  };
}

describe('a tour', () => {
  test('cuts channels into pages of the wall', () => {
    const pages = pagesOf('Yard', 4, channels(9));
    expect(pages.map(({ content }) => content.tiles.length)).toEqual([4, 4, 1]);
    expect(pages[2]?.content.tiles).toEqual([{ position: 0, deviceSerial: 'A', channelNo: 9 }]);
  });

  test('warms the next page before it shows it, and begins again after the last', () => {
    const { clock, seen, state } = setUp();
    expect(seen).toEqual(['show 1']);
    clock.advance(5999);
    expect(seen).toEqual(['show 1']);
    clock.advance(1);
    expect(seen).toEqual(['show 1', 'warm 5']);
    clock.advance(4000);
    expect(seen).toEqual(['show 1', 'warm 5', 'show 5']);
    for (let second = 0; second < 20; second++) clock.advance(1000);
    expect(seen.slice(3)).toEqual(['warm 9', 'show 9', 'warm 1', 'show 1']);
    expect(state()).toMatchObject({ kind: 'running', at: 0 });
  });

  test('waits a bounded time for late video', () => {
    const { clock, seen, setReady } = setUp();
    setReady(false);
    clock.advance(6000);
    clock.advance(4000);
    clock.advance(200);
    expect(seen).toEqual(['show 1', 'warm 5']);
    setReady(true);
    clock.advance(200);
    expect(seen.at(-1)).toBe('show 5');
    setReady(false);
    clock.advance(6000);
    clock.advance(4000);
    for (let check = 0; check < 24; check++) clock.advance(200);
    expect(seen.at(-1)).toBe('warm 9');
    clock.advance(200);
    expect(seen.at(-1)).toBe('show 9');
  });

  test('pauses on hover or on request, and then goes on with the rest of its time', () => {
    const { clock, tour, seen, state } = setUp();
    clock.advance(3000);
    tour.hold('pointer');
    tour.hold('asked');
    clock.advance(60_000);
    tour.release('pointer');
    clock.advance(60_000);
    expect(seen).toEqual(['show 1']);
    expect(state()).toMatchObject({ kind: 'held', leftMs: 7000, reasons: ['asked'] });
    tour.release('asked');
    clock.advance(3000);
    clock.advance(3999);
    expect(seen).toEqual(['show 1', 'warm 5']);
    clock.advance(1);
    expect(seen.at(-1)).toBe('show 5');
  });

  test('steps by hand both ways, and stops where it is', () => {
    const { clock, tour, seen, state } = setUp();
    tour.step(-1);
    expect(seen.at(-1)).toBe('show 9');
    tour.step(1);
    expect(seen.at(-1)).toBe('show 1');
    tour.hold('asked');
    tour.step(1);
    expect(state()).toMatchObject({ kind: 'held', at: 1 });
    tour.stop();
    clock.advance(100_000);
    expect(seen.at(-1)).toBe('cool');
    expect(state()).toEqual({ kind: 'off' });
  });

  test('resumes at its page, paused if it was, or at the last page that still exists', () => {
    const { tour, seen, state } = setUp();
    tour.start(pagesOf('Yard', 4, channels(12)), DWELL_MS, { at: 1, reasons: ['asked'] });
    expect(seen.at(-1)).toBe('show 5');
    expect(state()).toMatchObject({ kind: 'held', at: 1, reasons: ['asked'] });
    tour.start(pagesOf('Yard', 4, channels(8)), DWELL_MS, { at: 2, reasons: [] });
    expect(seen.at(-1)).toBe('show 5');
    expect(state()).toMatchObject({ kind: 'running', at: 1 });
  });

  test('a single page never changes', () => {
    const { clock, seen } = setUp(1);
    for (let second = 0; second < 60; second++) clock.advance(1000);
    expect(seen).toEqual(['show 1']);
  });
});
