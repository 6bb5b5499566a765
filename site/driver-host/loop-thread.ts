// Starts the drivers' loop as a worker thread with a heap of its own; an out-of-memory error ends that thread alone.
import { type Transferable, Worker } from 'node:worker_threads';
import { type FromLoop, SLOT, type ToLoop } from './wire.ts';

export interface LoopThread {
  /** See SLOT: beats of the loop, and whose code it runs. */
  readonly slots: Int32Array;
  post(message: ToLoop, transfer?: Transferable[]): void;
  /** Stops it in the middle of whatever it does. */
  end(): Promise<void>;
}

export interface LoopThreadOptions {
  readonly onMessage: (message: FromLoop) => void;
  /** It ended by itself, for example because its heap was full. */
  readonly onEnd: (error: unknown) => void;
}

/** What the loop is told when it starts. */
export interface LoopData {
  readonly slots: Int32Array;
  readonly logLevel: string;
}

/** Ten answers of the greatest size read at a time, and room for four hundred devices. */
const HEAP_MB = 512;
const NURSERY_MB = 32;
const STACK_MB = 4;

export function startLoopThread(data: Omit<LoopData, 'slots'>, { onMessage, onEnd }: LoopThreadOptions): LoopThread {
  const slots = new Int32Array(new SharedArrayBuffer(SLOT.count * Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL('./main-drivers.ts', import.meta.url), {
    workerData: { ...data, slots } satisfies LoopData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: NURSERY_MB, stackSizeMb: STACK_MB },
    name: 'drivers',
  });
  let cause: unknown = null;
  worker.on('message', onMessage);
  worker.on('error', (error) => {
    cause = error;
  });
  worker.on('exit', () => onEnd(cause));
  return {
    slots,
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    end: async () => {
      worker.off('message', onMessage);
      worker.removeAllListeners('exit');
      await worker.terminate();
    },
  };
}
