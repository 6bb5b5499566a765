// Shuts the server down once: on SIGTERM, SIGINT, or the exit of its parent.
import type { Logger } from 'pino';
import { watchParent } from './parent-watch.ts';

/** `end` closes what is open; the process ends after it. */
export function endWithParent(log: Logger, end: () => Promise<void>): void {
  let isStopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'the server stops');
    await end();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  watchParent(process.stdin, () => void stop('the parent is gone'));
}
