// The interface by which drivers and channels send requests to the drivers' loop, also across its restarts.
import type { Transferable } from 'node:worker_threads';
import type { LoopConnection } from './loop-connection.ts';
import type { Order } from './wire.ts';

/** Number of the context in the current loop. */
export interface Established {
  readonly connection: LoopConnection;
  readonly context: number;
}

export interface LoopRequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onMessage?: (told: unknown, reply: (told: unknown, transfer?: Transferable[]) => void) => void;
  readonly isPatient?: boolean;
  /** Whether to repeat it after a restart of the loop. */
  readonly isRepeatable?: boolean;
}

export interface LoopRequests {
  /** Its number in the current loop; null if the loop does not have it. */
  readonly standing: Established | null;
  /** `order` is built for that number. Rejects with DeviceFault. */
  ask(order: (at: Established) => Order, options: LoopRequestOptions): Promise<unknown>;
}
