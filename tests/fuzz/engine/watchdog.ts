// Ends a process whose parser hangs, and reports the input.
import { Worker } from 'node:worker_threads';
import { INPUT_MAX_BYTES } from './mutate.ts';

const HANG_MS = 10_000;

const PROGRAM = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const state = new Int32Array(workerData.state);
const bytes = Buffer.from(workerData.bytes);
let last = -1;
setInterval(() => {
  const turn = Atomics.load(state, 0);
  if (turn % 2 === 1 && turn === last) {
    writeSync(2, 'fuzz: ' + workerData.name + ' hangs on ' + bytes.subarray(0, Atomics.load(state, 1)).toString('base64') + '\\n');
    process.kill(process.pid, 'SIGKILL');
  }
  last = turn;
}, ${HANG_MS}).unref();
`;

export class Watchdog {
  readonly #state = new SharedArrayBuffer(8);
  readonly #bytes = new SharedArrayBuffer(INPUT_MAX_BYTES);
  readonly #turn = new Int32Array(this.#state);
  readonly #worker: Worker;

  constructor(name: string) {
    this.#worker = new Worker(PROGRAM, { eval: true, workerData: { name, state: this.#state, bytes: this.#bytes } });
    this.#worker.unref();
  }

  begin(input: Buffer): void {
    input.copy(Buffer.from(this.#bytes));
    Atomics.store(this.#turn, 1, input.length);
    Atomics.add(this.#turn, 0, 1);
  }

  end(): void {
    Atomics.add(this.#turn, 0, 1);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
