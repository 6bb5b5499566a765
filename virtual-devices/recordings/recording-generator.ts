// Owns the thread that generates recordings: starts it with the first replay, ends it when idle.

import { Worker } from 'node:worker_threads';
import { ReplayError } from './replay-error.ts';
import type { ReplayRequest, FromGenerator, ToGenerator } from './generator-messages.ts';

const IDLE_MS = 15_000;

export interface RecordingGeneratorOptions {
  /** The thread's program; tests put a failing one here. */
  readonly program?: URL;
  readonly idleMs?: number;
}

export interface ReplaySink {
  /** A few batches are made ahead; the others only as these promises resolve. */
  batch(frames: Buffer, pictures: number): Promise<void>;
  /** Nothing follows. */
  failed(error: ReplayError): void;
}

export class RecordingGenerator {
  readonly #options: RecordingGeneratorOptions;
  readonly #sinks = new Map<number, ReplaySink>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #next = 1;

  constructor(options: RecordingGeneratorOptions = {}) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Answers how to stop it. */
  play(order: ReplayRequest, sink: ReplaySink): () => void {
    const replay = this.#next++;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    this.#sinks.set(replay, sink);
    this.#worker ??= this.#start();
    this.#post({ kind: 'play', replay, order });
    return () => {
      this.#post({ kind: 'stop', replay });
      this.#forget(replay);
    };
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    this.#sinks.clear();
    await this.#end();
  }

  #start(): Worker {
    const worker = new Worker(this.#options.program ?? new URL('./generator-worker.ts', import.meta.url));
    let cause: unknown;
    worker.on('message', (message: FromGenerator) => this.#receive(message));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.once('exit', (code) => {
      if (this.#worker === worker) this.#died(new ReplayError('maker-died', `it ended with ${code}`, { cause }));
    });
    return worker;
  }

  #post(message: ToGenerator): void {
    this.#worker?.postMessage(message);
  }

  #receive(message: FromGenerator): void {
    const { replay } = message;
    const sink = this.#sinks.get(replay);
    if (sink === undefined) return;
    if (message.kind === 'failed') {
      this.#forget(replay);
      sink.failed(new ReplayError('making-failed', message.reason));
      return;
    }
    const { frames, pictures, isLast } = message;
    if (isLast) this.#forget(replay);
    const taken = () => this.#post({ kind: 'taken', replay });
    const refused = (cause: unknown) => {
      this.#post({ kind: 'stop', replay });
      this.#forget(replay);
      sink.failed(new ReplayError('making-failed', 'a batch was not taken', { cause }));
    };
    sink.batch(Buffer.from(frames.buffer), pictures).then(taken, refused);
  }

  #died(error: ReplayError): void {
    this.#worker = null;
    const sinks = [...this.#sinks.values()];
    this.#sinks.clear();
    for (const sink of sinks) sink.failed(error);
  }

  #forget(replay: number): void {
    this.#sinks.delete(replay);
    if (this.#sinks.size > 0 || this.#idle !== null || this.#worker === null) return;
    this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs ?? IDLE_MS);
    this.#idle.unref();
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#idle = null;
    await worker?.terminate();
  }
}
