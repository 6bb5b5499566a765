// Runs one part of an attack as a process of its own: what it measures or sends does not wait for the process that runs the attack.
import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface RoleProcess<Order, Report> {
  /** Resolves with the next report. */
  ask(order: Order): Promise<Report>;
  end(): Promise<void>;
}

/** @param file `main-….ts` of this folder; it answers each message with one. */
export function startRole<Order extends object, Report>(file: string): RoleProcess<Order, Report> {
  const child = fork(new URL(file, import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  // Whoever asks hears of it; nobody else has to.
  exited.catch(() => undefined);
  return {
    ask: async (order) => {
      const ending = new AbortController();
      const { signal } = ending;
      try {
        const answered = once(child, 'message', { signal });
        child.send(order);
        const ended = once(child, 'exit', { signal }).then(([code]) => {
          throw new Error(`${file} ended with ${String(code)}`);
        });
        const [report] = (await Promise.race([answered, ended])) as [Report];
        return report;
      } finally {
        ending.abort();
      }
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await exited;
    },
  };
}
