// Starts the launcher with any options and environment, also failing ones, and keeps its output.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ReadyLine } from './product.ts';

const root = new URL('../../', import.meta.url).pathname;
const standIn = new URL('../peers/stand-in-process.ts', import.meta.url).pathname;

/** Small children that start at once: what is tested is the launcher. */
export const withStandIns = {
  VEDETTE_ENTRY_SERVER: standIn,
  VEDETTE_ENTRY_SITE: standIn,
  VEDETTE_CONSOLE: root,
};

export interface LaunchOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Command line put in front, for instance to run in a namespace. */
  readonly prefix?: readonly string[];
}

export class Launch {
  readonly process: ChildProcess;
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  readonly #exited: Promise<number | null>;

  constructor(args: readonly string[], { env = {}, prefix = [] }: LaunchOptions = {}) {
    const [command = '', ...rest] = [...prefix, process.execPath, 'launcher/start.js', ...args];
    this.process = spawn(command, rest, {
      cwd: root,
      env: { ...process.env, ...withStandIns, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exited = once(this.process, 'close').then(([code]) => code as number | null);
    if (this.process.stderr)
      createInterface({ input: this.process.stderr }).on('line', (line) => this.stderr.push(line));
    if (this.process.stdout)
      createInterface({ input: this.process.stdout }).on('line', (line) => this.stdout.push(line));
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  async ready(): Promise<ReadyLine> {
    for (;;) {
      const line = this.stdout.find((text) => text.startsWith('{'));
      if (line) return JSON.parse(line) as ReadyLine;
      const ended = await Promise.race([
        this.#exited.then((code) => `the launcher ended with ${String(code)}`),
        once(this.process.stdout ?? this.process, 'data').then(() => null),
      ]);
      if (ended !== null) throw new Error(`${ended} before it was ready:\n${this.stderr.join('\n')}`);
    }
  }

  /** Waits for the end; answers the exit code, null after a signal. */
  async ended(): Promise<number | null> {
    return this.#exited;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.#exited;
  }
}
