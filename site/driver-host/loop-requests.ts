// The interface by which drivers and channels send requests to the drivers' loop, also across its restarts.
import type { Transferable } from 'node:worker_threads';
import type { LoopConnection } from './loop-connection.ts';
import type { Order } from './wire.ts';

/** Where the context stands in the loop of the moment. */
export interface Established {
  readonly connection: LoopConnection;
  readonly context: number;
}

export interface LoopRequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onMessage?: (told: unknown, reply: (told: unknown, transfer?: Transferable[]) => void) => void;
  readonly isPatient?: boolean;
  /** Asked once more of a loop that was started anew. */
  readonly isRepeatable?: boolean;
}

export interface LoopRequests {
  /** Where it stands now; null where the loop of the moment does not know it. */
  readonly standing: Established | null;
  /** `order` is made for where it stands then. Rejects with DeviceFault. */
  ask(order: (at: Established) => Order, options: LoopRequestOptions): Promise<unknown>;
}
