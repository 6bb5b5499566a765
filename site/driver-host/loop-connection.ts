// RPC connection to one drivers' loop: numbered calls, their answers, their messages in between, and their end when the loop ends.
import type { MessagePort, Transferable } from 'node:worker_threads';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import { fromWire } from './fault-wire.ts';
import type { FromLoop, Order, ToLoop } from './wire.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Messages before the answer; `reply` goes to the same call. */
  readonly onMessage?: (told: unknown, reply: (told: unknown, transfer?: Transferable[]) => void) => void;
  /** Waits for the answer even after an abort, since the device must be told first. */
  readonly isPatient?: boolean;
}

export interface LoopConnectionOptions {
  readonly port: Pick<MessagePort, 'postMessage'>;
  readonly onTrust: (message: Extract<FromLoop, { kind: 'trust' | 'breach' }>) => void;
  readonly onOver: (message: Extract<FromLoop, { kind: 'over' }>) => void;
  readonly onReady: () => void;
}

interface Pending {
  readonly context: number;
  readonly onMessage: CallOptions['onMessage'];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export class LoopConnection {
  readonly #options: LoopConnectionOptions;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  #numbers = 0;
  #isEnded = false;

  constructor(options: LoopConnectionOptions) {
    this.#options = options;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Unique number of a context or driver on this connection. */
  newNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  post(message: ToLoop, transfer: Transferable[] = []): void {
    if (!this.#isEnded) this.#options.port.postMessage(message, transfer);
  }

  call(context: number, order: Order, { signal, onMessage, isPatient = false }: CallOptions = {}): Promise<unknown> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#isEnded) return Promise.reject(interrupted());
    this.#calls += 1;
    const call = this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const leave = (): void => {
      this.post({ kind: 'abort', call });
      if (!isPatient) this.#pending.get(call)?.reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    const settle = (run: () => void): void => {
      this.#pending.delete(call);
      signal?.removeEventListener('abort', leave);
      run();
    };
    this.#pending.set(call, {
      context,
      onMessage,
      resolve: (value) => settle(() => resolve(value)),
      reject: (error) => settle(() => reject(error)),
    });
    this.post({ kind: 'call', context, call, order });
    return promise;
  }

  receive(message: FromLoop): void {
    switch (message.kind) {
      case 'ready':
        return this.#options.onReady();
      case 'answer':
        return this.#pending.get(message.call)?.resolve(message.value);
      case 'fault':
        return this.#pending.get(message.call)?.reject(fromWire(message.fault));
      case 'told':
        return this.#hear(message);
      case 'over':
        return this.#options.onOver(message);
      case 'trust':
      case 'breach':
        return this.#options.onTrust(message);
    }
  }

  #hear({ call, told }: Extract<FromLoop, { kind: 'told' }>): void {
    const reply = (answer: unknown, transfer?: Transferable[]) =>
      this.post({ kind: 'tell', call, told: answer }, transfer);
    this.#pending.get(call)?.onMessage?.(told, reply);
  }

  /** Running calls of one context. */
  rejectOf(context: number, fault: DeviceFault): void {
    for (const pending of this.#pending.values()) if (pending.context === context) pending.reject(fault);
  }

  /** The loop has ended: pending calls are rejected here. */
  end(): void {
    this.#isEnded = true;
    for (const pending of this.#pending.values()) pending.reject(interrupted());
  }
}

function interrupted(): DeviceFault {
  return new DeviceFault('interrupted', 'the drivers were started anew before the device had answered');
}
