// Judges the recordings of a stretch: every gap needs a reason, and the reason must be true.
import type { GapReason } from '@vedette/contract/enumerations.ts';
import type { Outage } from './outages.ts';

export interface Stretch {
  readonly startTime: number;
  readonly endTime: number;
}

export interface FoundGap extends Stretch {
  readonly reason: GapReason;
}

export interface JudgedGap extends Stretch {
  /** `untold`: nothing is recorded, and the product says nothing of it. */
  readonly reason: GapReason | 'untold';
  readonly isExplained: boolean;
}

/** Recordings closer than this are one (SPAN_GAP_MS of the recordings). */
const NO_GAP_MS = 2000;
/** What was not on the disk when the site was killed (FT-17), and until a camera that is played again is written. */
const BEFORE_MS = 2000;
const AFTER_MS = 10_000;
/** What a restarted site may say of the time in which it was away. */
const REASONS_OF_SITE: readonly GapReason[] = ['siteDown', 'streamLost', 'awaitingKeyframe'];

/** All gaps within `range`, oldest first. */
export function judgedGaps(
  range: Stretch,
  recorded: readonly Stretch[],
  told: readonly FoundGap[],
  outages: readonly Outage[],
): JudgedGap[] {
  const inside = told.filter(({ startTime, endTime }) => endTime > range.startTime && startTime < range.endTime);
  const known = inside.map((gap) => ({ ...gap, isExplained: isTrue(gap, outages) }));
  const untold = holes(range, [...recorded, ...inside]).map((hole) => ({
    ...hole,
    reason: 'untold' as const,
    isExplained: false,
  }));
  return [...known, ...untold].toSorted((one, other) => one.startTime - other.startTime);
}

/** Restarts of the server and the gateway are no excuse: they cost no frame (GO-03). */
function isTrue({ startTime, endTime, reason }: FoundGap, outages: readonly Outage[]): boolean {
  if (!REASONS_OF_SITE.includes(reason)) return false;
  return outages.some(
    ({ part, fromMs, toMs }) => part === 'site' && startTime >= fromMs - BEFORE_MS && endTime <= toMs + AFTER_MS,
  );
}

function holes({ startTime, endTime }: Stretch, covered: readonly Stretch[]): Stretch[] {
  const found: Stretch[] = [];
  let at = startTime;
  const end = { startTime: endTime, endTime };
  for (const one of [...covered.toSorted((a, b) => a.startTime - b.startTime), end]) {
    if (one.startTime - at >= NO_GAP_MS) found.push({ startTime: at, endTime: one.startTime });
    at = Math.max(at, one.endTime);
  }
  return found;
}
