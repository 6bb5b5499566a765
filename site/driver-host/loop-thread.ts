// Starts the drivers' loop as a worker thread with a heap of its own; an out-of-memory error ends that thread alone.
import { type Transferable, Worker } from 'node:worker_threads';
import { type FromLoop, SLOT, type ToLoop } from './wire.ts';

export interface LoopThread {
  /** See SLOT: heartbeat of the loop, and whose code it runs. */
  readonly slots: Int32Array;
  post(message: ToLoop, transfer?: Transferable[]): void;
  /** Terminates it at once. */
  end(): Promise<void>;
}

export interface LoopThreadOptions {
  readonly onMessage: (message: FromLoop) => void;
  /** It exited by itself, for example out of memory. */
  readonly onEnd: (error: unknown) => void;
}

/** Options of the loop at its start. */
export interface LoopData {
  readonly slots: Int32Array;
  readonly logLevel: string;
}

/** Room for ten answers of the largest size at a time, and four hundred devices. */
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
