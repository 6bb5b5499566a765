// The drivers' side of the loop connection: runs the recorder loop's requests to devices and meters them per context.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import type { Transferable } from 'node:worker_threads';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import { toWire } from './fault-wire.ts';
import { LoopContext, type LoopDependencies } from './loop-context.ts';
import type { LoopMeter } from './loop-meter.ts';
import type { OrderContext } from './order-context.ts';
import { runOrder } from './run-order.ts';
import type { DriverContexts } from './driver-contexts.ts';
import type { FromLoop, LoopSettings, ToLoop } from './wire.ts';

export interface DriverLoopOptions {
  readonly post: (message: FromLoop, transfer?: Transferable[]) => void;
  readonly driverContexts: (context: number) => DriverContexts;
  readonly modules: LoopDependencies['modules'];
  readonly meter: Pick<LoopMeter, 'open' | 'close' | 'run'>;
  readonly onSettings: (settings: LoopSettings) => void;
}

interface Running {
  readonly ending: AbortController;
  /** Called with messages of the recorder's loop for the call. */
  hear: (told: unknown) => void;
}

/** Addresses probed at the same time, over all searches, to spare the network. */
const KNOCKS_MAX = 64;

export class DriverLoop {
  readonly #options: DriverLoopOptions;
  readonly #contexts = new Map<number, LoopContext>();
  readonly #running = new Map<number, Running>();
  readonly #probes = new Semaphore({ places: KNOCKS_MAX });

  constructor(options: DriverLoopOptions) {
    this.#options = options;
  }

  take(message: ToLoop): void {
    switch (message.kind) {
      case 'settings':
        return this.#options.onSettings(message.settings);
      case 'context':
        return this.#openContext(message);
      case 'abort':
        return this.#running.get(message.call)?.ending.abort();
      case 'tell':
        return this.#running.get(message.call)?.hear(message.told);
      default:
        return this.#takeOfContext(message);
    }
  }

  #takeOfContext(message: Exclude<Extract<ToLoop, { context: number }>, { kind: 'context' }>): void {
    const context = this.#contexts.get(message.context);
    if (context) return this.#options.meter.run(context.id, () => this.#takeFor(context, message));
    if (message.kind === 'call') this.#fail(message.call, new DeviceFault('interrupted', 'no such device here'));
  }

  #openContext(message: Extract<ToLoop, { kind: 'context' }>): void {
    const { meter, driverContexts, modules, post } = this.#options;
    if (message.isMetered) meter.open(message.context);
    const made = meter.run(
      message.context,
      () => new LoopContext(message, { driverContexts: driverContexts(message.context), modules, post }),
    );
    this.#contexts.set(message.context, made);
  }

  #takeFor(context: LoopContext, message: Extract<ToLoop, { context: number }>): void {
    switch (message.kind) {
      case 'contextEnd':
        void context.close().then(() => {
          this.#contexts.delete(context.id);
          this.#options.meter.close(context.id);
        });
        return;
      case 'trust':
        return context.trust?.learn(message.record, true);
      case 'open':
        return context.open(message);
      case 'refresh':
        return context.refresh(message.driver);
      case 'call':
        return void this.#call(context, message);
      case 'context':
    }
  }

  async #call(context: LoopContext, { call, order }: Extract<ToLoop, { kind: 'call' }>): Promise<void> {
    const { post } = this.#options;
    const running: Running = { ending: new AbortController(), hear: () => undefined };
    this.#running.set(call, running);
    const run: OrderContext = {
      context,
      signal: running.ending.signal,
      report: (told) => post({ kind: 'told', call, told }),
      onReply: (hear) => {
        running.hear = hear;
      },
      withSearchSlot: (work) => this.#probes.run(work),
    };
    try {
      const { value, transfer } = await runOrder(order, run);
      post({ kind: 'answer', call, value }, transfer);
    } catch (error) {
      this.#fail(call, error);
    } finally {
      this.#running.delete(call);
    }
  }

  #fail(call: number, error: unknown): void {
    this.#options.post({ kind: 'fault', call, fault: toWire(error) });
  }
}
