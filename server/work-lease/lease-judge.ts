// Judges which leases a server may take: given up, its own of before, or run out while it watched the database all the time.
import type { WorkLeaseRow } from '../database/schema/work-lease-schema.ts';

/** How long a lease lasts without being renewed. */
export const LEASE_MS = 15_000;
export const RENEW_EVERY_MS = 5000;
/** After so long without a look the database may have been away for all, and holders could not renew. */
const BLIND_MS = 5000;
/** The clock of the database was set, or another machine is the database now. */
const CLOCK_STEP_MS = 2000;

/** When a server looked at the leases: by the clock of the database, and by its own, which nobody sets. */
export interface Instant {
  readonly now: number;
  readonly monotonicMs: number;
}

/** Since when a server has looked at the leases without a break. */
export interface Watch {
  readonly since: Instant;
  readonly last: Instant;
}

/** Begins anew after a break: then each holder has the time of a whole lease to renew. */
export function watchAfter(watch: Watch | null, at: Instant): Watch {
  if (watch === null) return { since: at, last: at };
  const byDatabase = at.now - watch.last.now;
  const byOwn = at.monotonicMs - watch.last.monotonicMs;
  const isBroken = byOwn > BLIND_MS || Math.abs(byDatabase - byOwn) > CLOCK_STEP_MS;
  return { since: isBroken ? at : watch.since, last: at };
}

/** `nodeId`: of the server that asks; what ran under it before is gone. */
export function mayTake({ holder, until }: WorkLeaseRow, { since, last }: Watch, nodeId: string): boolean {
  if (holder === null || holder === nodeId) return true;
  // No living holder has a lease for longer than one lasts: the clock was set back.
  const isOver = until <= last.now || until > last.now + LEASE_MS + CLOCK_STEP_MS;
  const watchedMs = Math.min(last.now - since.now, last.monotonicMs - since.monotonicMs);
  return isOver && watchedMs >= LEASE_MS;
}
