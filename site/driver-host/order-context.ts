// What a request of the recorder's loop is given while it runs in the drivers' loop, and its result.
import type { Transferable } from 'node:worker_threads';
import type { OrderControl } from './channel-orders.ts';
import type { LoopContext } from './loop-context.ts';

export interface OrderContext extends OrderControl {
  readonly context: LoopContext;
  readonly onReply: (hear: (told: unknown) => void) => void;
  /** Takes one of the shared places of all searches. */
  readonly withSearchSlot: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface OrderAnswer {
  readonly value: unknown;
  readonly transfer?: Transferable[];
}
