// Connection limiter of one media endpoint: per address before a ticket is accepted, per account afterwards; sweeps overdue connections.
import {
  type ConnectionSlot,
  type ConnectionLimits,
  ConnectionSlots,
} from '@vedette/rules/admission/connection-slots.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Bytes a connection may send before its ticket is accepted. */
export const UNAUTHENTICATED_MAX_BYTES = 4096;

/** Sweep interval: with it a connection has at most five seconds. */
const WITHIN_MS = 4500;
const SWEEP_EVERY_MS = 500;

export type EndpointLimits = Omit<ConnectionLimits, 'withinMs'>;

export class ConnectionLimiter {
  readonly #places: ConnectionSlots;
  readonly #clock: Clock;
  #cancelSweep: (() => void) | null = null;

  constructor(limits: EndpointLimits, clock: Clock) {
    this.#clock = clock;
    this.#places = new ConnectionSlots({ ...limits, withinMs: WITHIN_MS }, () => clock.monotonicMs());
  }

  /** `evict` closes the connection. */
  enter(address: string, evict: () => void): ConnectionSlot {
    const place = this.#places.acquire(address, evict);
    this.#scheduleSweep();
    return place;
  }

  close(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = null;
  }

  #scheduleSweep(): void {
    if (this.#cancelSweep !== null || this.#places.unauthenticated === 0) return;
    this.#cancelSweep = this.#clock.after(SWEEP_EVERY_MS, () => {
      this.#cancelSweep = null;
      this.#places.evictOverdue();
      this.#scheduleSweep();
    });
  }
}
