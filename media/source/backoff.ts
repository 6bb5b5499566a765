// Backoff of a source before it reconnects.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import type { SourceFailure } from '../stream/stream.ts';

const FIRST_MS = 1000;
/** Keeps recording within 5 s (p95) of the device's return, however long it was offline; an attempt costs one packet. */
const AWAY_LONGEST_MS = 3000;
/** A device that answers without media may still be starting. */
const REFUSED_LONGEST_MS = 12_000;
/** Faults that only a person can fix. */
const SETTLED_LONGEST_MS = 60_000;
/** After refused credentials each attempt may bring the device closer to locking the account. */
const SIGN_IN_MS = 60_000;
const SIGN_IN_LONGEST_MS = 300_000;
const LONGEST_MS: Readonly<Record<SourceFailure, number>> = {
  unreachable: AWAY_LONGEST_MS,
  timeout: AWAY_LONGEST_MS,
  authentication: SIGN_IN_LONGEST_MS,
  'not-found': REFUSED_LONGEST_MS,
  protocol: REFUSED_LONGEST_MS,
  'no-video': SETTLED_LONGEST_MS,
  'unsupported-codec': SETTLED_LONGEST_MS,
  'no-key-picture': REFUSED_LONGEST_MS,
  'refused-address': SETTLED_LONGEST_MS,
  untrusted: SETTLED_LONGEST_MS,
  misbehaving: SETTLED_LONGEST_MS,
};

/** `attempt` counts from 1 since the last successful connection; `random` is in [0, 1). */
export function retryDelayMs(reason: SourceFailure, attempt: number, random: number): number {
  const first = reason === 'authentication' ? SIGN_IN_MS : FIRST_MS;
  return backoffDelayMs(attempt - 1, random, { firstMs: first, maxMs: LONGEST_MS[reason] });
}
