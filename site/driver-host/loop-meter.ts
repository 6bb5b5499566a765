// Meters what each context costs the drivers' loop: CPU time of its code and bytes of its connections.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { type BudgetOverrun, SLOT } from './wire.ts';

/** Budgets per sliding minute. A description of a recorder with 256 channels takes about a tenth on a small machine. */
export const CPU_MS_PER_MINUTE = 12_000;
/** Includes snapshots. */
export const BYTES_PER_MINUTE = 512 * 1024 * 1024;
const SECONDS = 60;
/** The loop itself, which is not charged. */
const NOBODY = 0;

export interface LoopMeterOptions {
  /** Shared with the recorder's loop: the context whose code runs now. */
  readonly slots: Int32Array;
  /** CPU time of this thread, in ms. */
  readonly cpuMs: () => number;
  readonly onOver: (context: number, over: BudgetOverrun) => void;
}

class Account {
  readonly cpu = new Float64Array(SECONDS);
  readonly bytes = new Float64Array(SECONDS);
  /** Open connections with the bytes already counted. */
  readonly sockets = new Map<Socket, number>();
}

export class LoopMeter {
  readonly #options: LoopMeterOptions;
  readonly #whose = new AsyncLocalStorage<number>();
  readonly #accounts = new Map<number, Account>();
  #running = NOBODY;
  #sinceMs: number;
  #second = 0;

  constructor(options: LoopMeterOptions) {
    this.#options = options;
    this.#sinceMs = options.cpuMs();
    // Each callback and promise continuation runs in the context that created it.
    createHook({ before: () => this.#enter(this.#whose.getStore() ?? NOBODY) }).enable();
  }

  open(context: number): void {
    this.#accounts.set(context, new Account());
  }

  close(context: number): void {
    this.#accounts.delete(context);
  }

  /** Runs `work` for a context, including everything it starts. */
  run<T>(context: number, work: () => T): T {
    const before = this.#running;
    this.#enter(context);
    try {
      return this.#whose.run(context, work);
    } finally {
      this.#enter(before);
    }
  }

  /** Charges its bytes to the context that opened it. */
  watch(context: number, socket: Socket): void {
    const account = this.#accounts.get(context);
    if (account === undefined) return;
    account.sockets.set(socket, 0);
    socket.once('close', () => {
      this.#count(account, socket);
      account.sockets.delete(socket);
    });
  }

  /** Called once a second. */
  tick(): void {
    this.#enter(NOBODY);
    for (const [context, account] of this.#accounts) {
      for (const socket of account.sockets.keys()) this.#count(account, socket);
      this.#judge(context, account);
    }
    this.#second = (this.#second + 1) % SECONDS;
    for (const { cpu, bytes } of this.#accounts.values()) {
      cpu[this.#second] = 0;
      bytes[this.#second] = 0;
    }
  }

  #judge(context: number, { cpu, bytes }: Account): void {
    const [cpuMs, byteCount] = [sum(cpu), sum(bytes)];
    if (cpuMs > CPU_MS_PER_MINUTE) this.#options.onOver(context, { what: 'cpu', spent: Math.round(cpuMs) });
    else if (byteCount > BYTES_PER_MINUTE) this.#options.onOver(context, { what: 'bytes', spent: byteCount });
  }

  #enter(context: number): void {
    if (context === this.#running) return;
    const now = this.#options.cpuMs();
    const account = this.#accounts.get(this.#running);
    if (account) account.cpu[this.#second] = (account.cpu[this.#second] ?? 0) + now - this.#sinceMs;
    this.#sinceMs = now;
    this.#running = context;
    Atomics.store(this.#options.slots, SLOT.owner, context);
  }

  #count(account: Account, socket: Socket): void {
    const more = socket.bytesRead - (account.sockets.get(socket) ?? 0);
    account.sockets.set(socket, socket.bytesRead);
    account.bytes[this.#second] = (account.bytes[this.#second] ?? 0) + more;
  }
}

function sum(seconds: Float64Array): number {
  return seconds.reduce((all, one) => all + one, 0);
}
