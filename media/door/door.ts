// Connection limiter of one media endpoint: per address before a ticket is accepted, per account afterwards; sweeps overdue connections.
import { type ConnectionSlot, type ConnectionLimits, ConnectionSlots } from '@vedette/rules/places/places.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Before its ticket a connection may say so much in all. */
export const STRANGER_MAX_BYTES = 4096;

/** Five seconds at most, with the look. */
const WITHIN_MS = 4500;
const LOOK_EVERY_MS = 500;

export type DoorLimits = Omit<ConnectionLimits, 'withinMs'>;

export class Door {
  readonly #places: ConnectionSlots;
  readonly #clock: Clock;
  #cancelLook: (() => void) | null = null;

  constructor(limits: DoorLimits, clock: Clock) {
    this.#clock = clock;
    this.#places = new ConnectionSlots({ ...limits, withinMs: WITHIN_MS }, () => clock.monotonicMs());
  }

  /** `evict` closes the connection. */
  enter(address: string, evict: () => void): ConnectionSlot {
    const place = this.#places.acquire(address, evict);
    this.#look();
    return place;
  }

  close(): void {
    this.#cancelLook?.();
    this.#cancelLook = null;
  }

  #look(): void {
    if (this.#cancelLook !== null || this.#places.unauthenticated === 0) return;
    this.#cancelLook = this.#clock.after(LOOK_EVERY_MS, () => {
      this.#cancelLook = null;
      this.#places.evictOverdue();
      this.#look();
    });
  }
}
