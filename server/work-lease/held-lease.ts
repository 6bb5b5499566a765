// A lease while it is held: tells its work whether it may go on, and ends it when the lease is lost.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { LeaseLost } from '../database/fenced-dialect.ts';

/** What the work of a lease gets. */
export interface Held {
  /** Stores only while the lease is held, and throws LeaseLost else. */
  readonly database: Database;
  /** Aborted when the lease is lost or given up. */
  readonly signal: AbortSignal;
  /** Throws LeaseLost. Asked right before something that no database can take back; exact also in a process that stood still. */
  readonly assertHeld: () => void;
}

export interface HeldLeaseOptions {
  readonly name: string;
  readonly epoch: number;
  readonly database: Database;
  readonly clock: Clock;
  /** Monotonic: nobody else can have it before. */
  readonly safeUntil: number;
  /** Once, when it is lost; not when it is given up. */
  readonly onLost: () => void;
}

export class HeldLease implements Held {
  readonly #options: HeldLeaseOptions;
  readonly #ended = new AbortController();
  #safeUntil: number;
  #cancel: () => void = () => undefined;

  constructor(options: HeldLeaseOptions) {
    this.#options = options;
    this.#safeUntil = options.safeUntil;
    this.#expireLater();
  }

  get database(): Database {
    return this.#options.database;
  }

  get epoch(): number {
    return this.#options.epoch;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  readonly assertHeld = (): void => {
    const isHeld = !this.signal.aborted && this.#options.clock.monotonicMs() < this.#safeUntil;
    if (!isHeld) throw new LeaseLost(`the lease of ${this.#options.name} is not held any more`);
  };

  renewed(safeUntil: number): void {
    if (this.signal.aborted) return;
    this.#safeUntil = safeUntil;
    this.#expireLater();
  }

  lose(): void {
    if (this.signal.aborted) return;
    this.end();
    this.#options.onLost();
  }

  end(): void {
    this.#cancel();
    this.#ended.abort();
  }

  #expireLater(): void {
    this.#cancel();
    const { clock } = this.#options;
    this.#cancel = clock.after(this.#safeUntil - clock.monotonicMs(), () => this.lose());
  }
}
