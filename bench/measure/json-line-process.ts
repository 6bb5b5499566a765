// Child process of a bench that writes one JSON line when ready and one per SIGUSR2 with its counters.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';

export class JsonLineProcess {
  readonly process: ChildProcess;
  readonly #lines: Interface;

  /** @param flags for Node itself */
  constructor(script: string, args: readonly string[] = [], flags: readonly string[] = []) {
    this.process = spawn(process.execPath, [...flags, script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (!this.process.stdout) throw new Error('no standard output');
    this.#lines = createInterface({ input: this.process.stdout });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** The next line it says. */
  async line(): Promise<string> {
    return ((await once(this.#lines, 'line')) as [string])[0];
  }

  async ask<T>(): Promise<T> {
    const answer = this.line();
    this.process.kill('SIGUSR2');
    return JSON.parse(await answer) as T;
  }

  async stop(): Promise<void> {
    await ended(this.process);
  }
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Everything on standard input, as lines. */
export async function inputLines(): Promise<string[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Benches measure over stretches of time; tests never wait like this. */
export function passes(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
