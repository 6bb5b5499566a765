// An idle process beside a measurement: its event loop delay shows the noise of the machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { setPriority } from 'node:os';

/** The site's; see its process-life. */
const PRIORITY = -5;
const PROGRAM = `
  const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.stdin.on('data', () => console.log(Math.max(0, Math.round(delay.max / 1e6) - 10)));
  process.stdin.on('end', () => process.exit());
  console.log('ready');
`;

export class IdleLoop {
  readonly #child: ChildProcess;
  readonly #lines: Interface;

  private constructor(child: ChildProcess, lines: Interface) {
    this.#child = child;
    this.#lines = lines;
  }

  static async start(): Promise<IdleLoop> {
    const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    await once(lines, 'line');
    try {
      setPriority(child.pid ?? 0, PRIORITY);
    } catch {
      // As the site, which may not either.
    }
    return new IdleLoop(child, lines);
  }

  /** Since it began, beyond its sampling, ms. */
  async maxMs(): Promise<number> {
    const answer = once(this.#lines, 'line');
    this.#child.stdin?.write('?');
    return Number((await answer)[0]);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }
}
