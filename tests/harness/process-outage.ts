// Keeps a process of a product down during a test: killed, with its supervisor stopped.
import { findProcess } from './processes.ts';
import type { Product } from './product.ts';

/** What a page tells of a process that is not there. */
export const DOWN_ERRORS = /50[234]|WebSocket|ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE/;

/** Runs `during` without the process; afterwards it starts again. */
export async function whileDown(
  product: Product,
  part: 'main-server.ts' | 'main-site.ts',
  during: () => Promise<void>,
): Promise<void> {
  const launcher = product.process.pid ?? 0;
  const victim = await findProcess(launcher, part);
  const keepers = [launcher, victim.parent];
  for (const pid of keepers) process.kill(pid, 'SIGSTOP');
  process.kill(victim.pid, 'SIGKILL');
  try {
    await during();
  } finally {
    for (const pid of keepers) process.kill(pid, 'SIGCONT');
  }
}
