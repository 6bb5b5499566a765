// Decides by rule whether what was measured over a soak stays flat, rises, or cannot be told yet.
import { inBlocks, median, type Point, type Slope, theilSen } from './theil-sen.ts';

export interface FlatRule {
  /** Growth over all that was measured that is no matter, as a share of the median … */
  readonly share: number;
  /** … and in the unit of the series, whichever is more. */
  readonly floor: number;
  /** The floor of less than `hours`: what only settles meanwhile is no matter. */
  readonly settling?: { readonly hours: number; readonly floor: number };
}

/** `unclear`: it rises, and whether by more than is allowed only a longer run tells. `tooShort`: too few samples to judge. */
export const VERDICTS = ['flat', 'rises', 'unclear', 'tooShort'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Trend {
  readonly verdict: Verdict;
  readonly median: number;
  readonly slope: Slope | null;
  /** Of all stretches together, in hours. */
  readonly hours: number;
  /** Growth over these hours that counts as none. */
  readonly allowed: number;
}

/** A process's memory is collected in turns: fewer, longer runs are closer to independent than many short ones. */
const BLOCKS_OF_STRETCH = 40;
const BLOCKS_LEAST = 8;

/** @param stretches what may be compared: the samples of one life of a process, after its warm-up */
export function trendOf(stretches: readonly (readonly Point[])[], rule: FlatRule): Trend {
  const blocks = stretches.map((points) => inBlocks(points, BLOCKS_OF_STRETCH));
  const all = blocks.flat();
  const middle = median(all.map(({ value }) => value));
  const hours = stretches.reduce((sum, points) => sum + ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)), 0);
  const { floor, share, settling } = rule;
  const least = settling !== undefined && hours < settling.hours ? settling.floor : floor;
  const allowed = Math.max(least, share * Math.abs(middle));
  const slope = theilSen(blocks);
  const facts = { median: middle, slope, hours, allowed };
  if (slope === null || Math.max(...blocks.map(({ length }) => length)) < BLOCKS_LEAST)
    return { ...facts, verdict: 'tooShort' };
  return { ...facts, verdict: verdictOf(slope, hours, allowed) };
}

function verdictOf({ least, most }: Slope, hours: number, allowed: number): Verdict {
  if (least * hours > allowed) return 'rises';
  // Nothing speaks for growth, or even the most that it can be is no matter.
  return least <= 0 || most * hours <= allowed ? 'flat' : 'unclear';
}
