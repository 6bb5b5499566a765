// Begins a work that has a start and a close of its own, as work of a lease.
import type { LeasedWork } from './work-leases.ts';

export function begun(work: LeasedWork & { start(): void }): LeasedWork {
  work.start();
  return work;
}
