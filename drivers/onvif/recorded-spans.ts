// Computes recorded spans from the bounds of a recording and its data state changes.
import type { RecordedSpan } from '../kit/driver.ts';

export interface TrackState {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly hasData: boolean;
}

/** Without any state the recording counts as continuous between its bounds. */
export function spansOf(whole: RecordedSpan, states: readonly TrackState[], range: RecordedSpan): RecordedSpan[] {
  const bounds = { from: Math.max(whole.from, range.from), to: Math.min(whole.to, range.to) };
  if (bounds.to <= bounds.from) return [];
  const sorted = states.toSorted((a, b) => a.at - b.at);
  let since: number | null = hadDataAt(bounds.from, sorted[0]) ? bounds.from : null;
  const spans: RecordedSpan[] = [];
  for (const { at, hasData } of sorted) {
    const when = Math.min(Math.max(at, bounds.from), bounds.to);
    if (hasData) since ??= when;
    else if (since !== null) {
      if (when > since) spans.push({ from: since, to: when });
      since = null;
    }
  }
  if (since !== null && since < bounds.to) spans.push({ from: since, to: bounds.to });
  return spans;
}

/** Before the first change the state was the opposite. */
function hadDataAt(from: number, first: TrackState | undefined): boolean {
  return first === undefined || !first.hasData || first.at <= from;
}
