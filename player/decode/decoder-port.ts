// The page's end of the decoder worker: started with the first tile that needs it, shared by all.
import type { DecoderOrder, DecoderReport } from './decoder-messages.ts';

/** A message without its slot, which the port adds. */
export type SlotOrder = DecoderOrder extends infer Order
  ? Order extends unknown
    ? Omit<Order, 'slot'>
    : never
  : never;

export interface DecoderSlot {
  /** `transfer` moves buffers: they can't be used here any more. */
  send(order: SlotOrder, transfer?: Transferable[]): void;
  close(): void;
}

/** The part of Worker that is used. */
export interface DecoderWorker {
  postMessage(order: DecoderOrder, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<DecoderReport>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export class DecoderPort {
  readonly #startWorker: () => DecoderWorker;
  readonly #slots = new Map<number, (report: DecoderReport) => void>();
  #worker: DecoderWorker | null = null;
  #next = 1;

  constructor(startWorker: () => DecoderWorker) {
    this.#startWorker = startWorker;
  }

  /** Starts the worker before the first tile needs it. */
  warm(): void {
    this.#start();
  }

  open(onReport: (report: DecoderReport) => void): DecoderSlot {
    const worker = this.#start();
    const slot = this.#next++;
    this.#slots.set(slot, onReport);
    return {
      send: (order, transfer = []) => worker.postMessage({ ...order, slot } as DecoderOrder, transfer),
      close: () => {
        if (this.#slots.delete(slot)) worker.postMessage({ type: 'close', slot }, []);
      },
    };
  }

  #start(): DecoderWorker {
    if (this.#worker) return this.#worker;
    const worker = this.#startWorker();
    worker.onmessage = ({ data }) => this.#slots.get(data.slot)?.(data);
    // The worker failed, for example to load: the next tile starts another one.
    worker.onerror = (event) => {
      event.preventDefault();
      this.#worker = null;
      for (const [slot, tell] of this.#slots) tell({ type: 'fault', slot, message: event.message });
    };
    this.#worker = worker;
    return worker;
  }
}

export const pageDecoders = new DecoderPort(
  () => new Worker(new URL('./decoder-worker.ts', import.meta.url), { type: 'module' }),
);
