// The time zone of this computer as a device is told it: minutes east of UTC, and when the clocks change.
import type { YearlyRule } from '@vedette/contract/config/fields.ts';

export interface BrowserZone {
  readonly offset: number;
  readonly dst: boolean;
  readonly dstStart?: YearlyRule;
  readonly dstEnd?: YearlyRule;
  readonly dstShift?: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** `offsetAt`: minutes east of UTC at an instant. */
export function browserZone(year: number, offsetAt: (utcMs: number) => number): BrowserZone {
  const changes: { readonly at: number; readonly before: number; readonly after: number }[] = [];
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += HOUR) {
    const before = offsetAt(at - HOUR);
    const after = offsetAt(at);
    if (before !== after) changes.push({ at: exactly(at, before, offsetAt), before, after });
  }
  const start = changes.find(({ before, after }) => after > before);
  const end = changes.find(({ before, after }) => after < before);
  if (start === undefined || end === undefined) return { offset: offsetAt(Date.UTC(year + 1, 0, 1)), dst: false };
  return {
    offset: start.before,
    dst: true,
    dstStart: ruleOf(start.at + start.before * MINUTE),
    dstEnd: ruleOf(end.at + end.before * MINUTE),
    dstShift: start.after - start.before,
  };
}

function exactly(at: number, before: number, offsetAt: (utcMs: number) => number): number {
  let exact = at - HOUR;
  while (offsetAt(exact) === before) exact += MINUTE;
  return exact;
}

/** On the wall clock of before the change, as if it were UTC. */
function ruleOf(wallMs: number): YearlyRule {
  const wall = new Date(wallMs);
  const day = wall.getUTCDate();
  const days = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
  return {
    month: wall.getUTCMonth() + 1,
    week: day + 7 > days ? 5 : Math.ceil(day / 7),
    weekday: wall.getUTCDay(),
    minute: wall.getUTCHours() * 60 + wall.getUTCMinutes(),
  };
}
