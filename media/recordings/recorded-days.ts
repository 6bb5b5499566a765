// Which calendar days of a time zone a list of spans touches; days are of 23 to 25 hours where clocks change.
import type { RecordedSpan } from '@vedette/contract/site/site.ts';

const STEP_MS = 3_600_000;

/** Sorted `YYYY-MM-DD`. Throws RangeError for an unknown time zone. */
export function recordedDays(spans: readonly RecordedSpan[], timeZone: string): string[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const days = new Set<string>();
  for (const { startTime, endTime } of spans) {
    // No day is shorter than the step, so none is skipped.
    for (let at = startTime; at < endTime; at += STEP_MS) days.add(format.format(at));
    if (endTime > startTime) days.add(format.format(endTime - 1));
  }
  return [...days].sort();
}
