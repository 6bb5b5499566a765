// Where the ruler of the timeline has its marks, and what stands beside them. Pure.
import { formatClock, formatDate, type TimeFormat } from '@vedette/rules/time-format.ts';
import { type TimelineView, viewEnd, viewStart } from './timeline-view.ts';
import { addDays, dayBounds, dayKey, dayOf, instantOf, localTime, offsetAt } from '../../calendar/zone-time.ts';

export interface Tick {
  readonly at: number;
  readonly label: string;
  /** Midnight: the label is the date. */
  readonly isDay: boolean;
}

/** Seconds. */
export const TICK_STEPS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600] as const;
export const LABEL_GAP_PX = 90;
const HOUR_S = 3600;

/** The smallest step whose labels are at least 90 px apart. */
export function tickStep(view: TimelineView, width: number): number {
  const pxPerSecond = (width / view.span) * 1000;
  return TICK_STEPS.find((step) => step * pxPerSecond >= LABEL_GAP_PX) ?? (TICK_STEPS.at(-1) as number);
}

export interface TickFormat extends TimeFormat {
  readonly timeZone: string;
}

export function ticks(view: TimelineView, width: number, format: TickFormat): readonly Tick[] {
  const step = tickStep(view, width);
  return instants(view, step, format.timeZone).map((at) => {
    const { hour, minute, second } = localTime(format.timeZone, at);
    const isDay = hour === 0 && minute === 0 && second === 0;
    return { at, isDay, label: isDay ? formatDate(at, format) : tickLabel(at, format, step) };
  });
}

/** With seconds there is no room for more; the flag of the playhead names the offset. */
function tickLabel(at: number, format: TickFormat, step: number): string {
  return step < 60 ? formatClock(at, format) : clockLabel(at, format, false);
}

/** The clock; with its offset from UTC on a day when the clocks change, where the same time may come twice. */
export function clockLabel(at: number, format: TickFormat, hasSeconds = true): string {
  const clock = formatClock(at, format, hasSeconds);
  return isChangeDay(format.timeZone, at) ? `${clock} ${offsetText(offsetAt(format.timeZone, at))}` : clock;
}

const changeDays = new Map<string, boolean>();

function isChangeDay(zone: string, at: number): boolean {
  const day = dayOf(zone, at);
  const key = `${zone} ${dayKey(day)}`;
  const known = changeDays.get(key);
  if (known !== undefined) return known;
  const { start, end } = dayBounds(zone, day);
  const isChange = end - start !== 24 * HOUR_S * 1000;
  changeDays.set(key, isChange);
  return isChange;
}

/** `+02:00`, with the minus sign of numbers. */
function offsetText(offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offsetMs < 0 ? '−' : '+'}${hours}:${rest}`;
}

/** Marks without label between the labelled ones; none where they would stand closer than 7 px. */
export function minorTicks(view: TimelineView, width: number, zone: string): readonly number[] {
  const step = tickStep(view, width);
  const minor = [...TICK_STEPS].reverse().find((one) => one < step && step % one === 0);
  if (minor === undefined) return [];
  const isRoomy = (minor * 1000 * width) / view.span >= 7;
  return isRoomy ? instants(view, minor, zone) : [];
}

function instants(view: TimelineView, step: number, zone: string): number[] {
  const [from, to] = [viewStart(view), viewEnd(view)];
  const found: number[] = [];
  let day = dayOf(zone, from);
  for (let bounds = dayBounds(zone, day); bounds.start <= to; bounds = dayBounds(zone, day)) {
    if (step > HOUR_S) {
      // Long steps follow the clock on the wall: 03:00 stays 03:00 on the day of a change.
      for (let hour = 0; hour < 24; hour += step / HOUR_S) found.push(instantOf(zone, day, { hour }));
    } else {
      const first = Math.max(0, Math.floor((from - bounds.start) / 1000 / step));
      const stop = Math.min(bounds.end, to + 1);
      for (let at = bounds.start + first * step * 1000; at < stop; at += step * 1000) found.push(at);
    }
    day = addDays(day, 1);
  }
  return found.filter((at) => at >= from && at <= to);
}
