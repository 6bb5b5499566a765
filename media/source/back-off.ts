// How long a source waits before it tries its device again.
import type { SourceFailure } from '../stream/stream.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** After a refused sign-in every try may bring the device nearer to locking the account. */
const SIGN_IN_MS = 60_000;
const SIGN_IN_LONGEST_MS = 300_000;
/** The share of the delay that is left to chance, so that a hundred cameras do not come back in one instant. */
const JITTER = 0.25;

/** `attempt` counts from 1 since the last good connection; `random` lies in [0, 1). */
export function retryDelayMs(reason: SourceFailure, attempt: number, random: number): number {
  const doubled = (first: number, longest: number): number => Math.min(longest, first * 2 ** Math.min(20, attempt - 1));
  const delay = reason === 'authentication' ? doubled(SIGN_IN_MS, SIGN_IN_LONGEST_MS) : doubled(FIRST_MS, LONGEST_MS);
  return Math.round(delay * (1 + JITTER * random));
}
