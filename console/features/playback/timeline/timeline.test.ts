// Geometry, ticks, days and spans of the timeline.
import { RecordItem } from '@vedette/contract/entities.ts';
import { SORTABLE_TIME } from '@vedette/rules/time-format.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinSpans, neighbourStart, spanBars } from './recorded-spans.ts';
import { clockLabel, LABEL_GAP_PX, minorTicks, tickStep, ticks } from './timeline-ticks.ts';
import {
  follow,
  OPENING_SPAN_MS,
  openingView,
  pan,
  SPAN_MAX_MS,
  SPAN_MIN_MS,
  timeAt,
  untilPresent,
  viewEnd,
  viewOf,
  viewStart,
  xOf,
  zoomAbout,
} from './timeline-view.ts';
import { dayBounds, instantOf, localTime } from '../../calendar/zone-time.ts';

const HOUR = 3_600_000;
const BERLIN = 'Europe/Berlin';
const SPRING = { year: 2026, month: 3, day: 29 };
const AUTUMN = { year: 2026, month: 10, day: 25 };

test('on a day when the clocks change every time names its offset', () => {
  const format = { ...SORTABLE_TIME, timeZone: BERLIN };
  const first = instantOf(BERLIN, AUTUMN, { hour: 2, minute: 30 });
  expect([first, first + HOUR].map((at) => clockLabel(at, format, false))).toEqual(['02:30 +02:00', '02:30 +01:00']);
  expect(clockLabel(first - 24 * HOUR, format, false)).toBe('02:30');
  expect(clockLabel(Date.UTC(2026, 2, 8, 15), { ...format, timeZone: 'America/New_York' }, false)).toBe('11:00 −04:00');
});

describe('the view', () => {
  const view = viewOf(0, 24 * HOUR);

  test('pixels and instants map onto each other', () => {
    expect(xOf(view, 960, 6 * HOUR)).toBe(240);
    expect(timeAt(view, 960, 240)).toBe(6 * HOUR);
  });

  test('zooming holds the instant under the pointer, within 30 s and a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.double({ min: 0.01, max: 20, noNaN: true }), (x, factor) => {
        const zoomed = zoomAbout(view, 1000, x, factor);
        expect(zoomed.span).toBeGreaterThanOrEqual(SPAN_MIN_MS);
        expect(zoomed.span).toBeLessThanOrEqual(SPAN_MAX_MS);
        expect(timeAt(zoomed, 1000, x)).toBeCloseTo(timeAt(view, 1000, x), 3);
      }),
    );
  });

  test('panning moves by pixels, following turns the page', () => {
    expect(timeAt(pan(view, 960, 40), 960, 40)).toBe(0);
    expect(follow(view, 12 * HOUR, 99 * HOUR)).toBe(view);
    const turned = follow(view, 23 * HOUR, 99 * HOUR);
    expect(xOf(turned, 100, 23 * HOUR)).toBeCloseTo(10);
  });
});

describe('the present', () => {
  test('is the right edge at most, whatever was asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: -48, max: 48 }), fc.double({ min: 0.001, max: 25, noNaN: true }), (from, hours) => {
        const view = untilPresent(viewOf(from * HOUR, (from + hours) * HOUR), HOUR);
        expect(viewEnd(view)).toBeLessThanOrEqual(HOUR);
        expect(view.span).toBe(viewOf(from * HOUR, (from + hours) * HOUR).span);
      }),
    );
    const past = viewOf(-5 * HOUR, -HOUR);
    expect(untilPresent(past, HOUR)).toBe(past);
  });

  test('the last hours fill the view that the timeline opens with', () => {
    const view = openingView(9 * HOUR);
    expect([viewStart(view), viewEnd(view)]).toEqual([9 * HOUR - OPENING_SPAN_MS, 9 * HOUR]);
  });

  test('a playhead near it stays in sight without turning the page with every picture', () => {
    const view = openingView(9 * HOUR);
    expect(follow(view, 9 * HOUR - 60_000, 9 * HOUR + 1000)).toBe(view);
    const later = follow(view, 9 * HOUR + 60_000, 9 * HOUR + 120_000);
    expect(viewEnd(later)).toBe(9 * HOUR + 120_000);
  });
});

describe('ticks', () => {
  const format = { ...SORTABLE_TIME, timeZone: BERLIN };

  test('labels are at least 90 px apart at every zoom', () => {
    const { start } = dayBounds(BERLIN, AUTUMN);
    fc.assert(
      fc.property(
        fc.double({ min: SPAN_MIN_MS, max: SPAN_MAX_MS, noNaN: true }),
        fc.integer({ min: 400, max: 2400 }),
        fc.integer({ min: 0, max: 48 }),
        (span, width, hour) => {
          const view = { center: start + hour * HOUR, span };
          const found = ticks(view, width, format);
          for (const [at, tick] of found.entries()) {
            const next = found[at + 1];
            if (next)
              expect(xOf(view, width, next.at) - xOf(view, width, tick.at)).toBeGreaterThan(LABEL_GAP_PX * 0.66);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('the step follows the zoom, seconds are shown when they matter', () => {
    expect(tickStep(viewOf(0, 24 * HOUR), 1440)).toBe(10_800);
    expect(tickStep(viewOf(0, 30_000), 1440)).toBe(5);
    const { start } = dayBounds(BERLIN, AUTUMN);
    expect(ticks(viewOf(start + 1000, start + 61_000), 1000, format)[0]?.label).toMatch(/^\d\d:\d\d:\d\d$/);
  });

  test.each([
    [SPRING, ['00:00', '03:00', '06:00', '09:00']],
    [AUTUMN, ['00:00', '03:00', '06:00', '09:00']],
  ])('on %o long steps keep to the clock on the wall', (day, clocks) => {
    const { start, end } = dayBounds(BERLIN, day);
    const shown = ticks(viewOf(start, end), 1000, format);
    const found = shown.slice(0, 4).map(({ at }) => {
      const { hour } = localTime(BERLIN, at);
      return `${String(hour).padStart(2, '0')}:00`;
    });
    expect(found).toEqual(clocks);
    expect(shown[0]?.isDay).toBe(true);
  });

  test('minor marks stand between, never crowded', () => {
    const view = viewOf(0, HOUR);
    const marks = minorTicks(view, 1000, 'UTC');
    expect(marks.length).toBeGreaterThan(ticks(view, 1000, { ...format, timeZone: 'UTC' }).length);
    for (const [at, mark] of marks.entries()) {
      const next = marks[at + 1];
      if (next !== undefined) expect(xOf(view, 1000, next) - xOf(view, 1000, mark)).toBeGreaterThanOrEqual(6.9);
    }
  });
});

describe('recorded spans', () => {
  const row = (startTime: number, endTime: number, recordType = 1) => ({ startTime, endTime, recordType });

  test('adjacent spans are merged, kinds kept apart', () => {
    expect(joinSpans([row(5000, 9000), row(0, 4000), row(20_000, 30_000), row(6000, 7000, 2)])).toEqual([
      { start: 0, end: 9000, kind: 'normal' },
      { start: 6000, end: 7000, kind: 'alarm' },
      { start: 20_000, end: 30_000, kind: 'normal' },
    ]);
  });

  test('[EN-04] a type outside its table is taken, and shown as unknown', () => {
    const { recordType } = RecordItem.pick({ recordType: true }).parse({ recordType: 99 });
    expect(joinSpans([row(0, 4000, recordType), row(4000, 9000)])).toEqual([
      { start: 0, end: 4000, kind: 'unknown' },
      { start: 4000, end: 9000, kind: 'normal' },
    ]);
  });

  test('next and previous starts', () => {
    const spans = joinSpans([row(0, 5000), row(20_000, 30_000), row(60_000, 90_000)]);
    expect(neighbourStart(spans, 25_000, 1)).toBe(60_000);
    expect(neighbourStart(spans, 25_000, -1)).toBe(20_000);
    expect(neighbourStart(spans, 21_000, -1)).toBe(0);
    expect(neighbourStart(spans, 95_000, 1)).toBeNull();
  });

  test('however many spans, never more bars than pixels, and none is lost', () => {
    const many = Array.from({ length: 30_000 }, (_, at) => ({
      start: at * 2880,
      end: at * 2880 + 100,
      kind: 'normal' as const,
    }));
    const bars = spanBars(many, 'normal', (at) => at / 86_400, 1000);
    expect(bars.length).toBeLessThanOrEqual(1000);
    expect(spanBars([{ start: 50, end: 51, kind: 'alarm' }], 'alarm', (at) => at, 100)).toEqual([{ x: 50, width: 1 }]);
  });
});
