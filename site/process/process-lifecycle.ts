// Lifecycle of the site process: raised priority, and orderly shutdown on SIGTERM or when the parent is gone.
import { setPriority } from 'node:os';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Deadline of the shutdown: a device that does not respond must not keep the process alive. */
const END_WITHIN_MS = 8000;

/** Recording cannot be repeated; everything else on the machine can wait. */
const PRIORITY = -5;

/** Only root may raise the priority; otherwise it stays. */
export function raiseProcessPriority(log: DriverLog): void {
  try {
    setPriority(PRIORITY);
  } catch (error) {
    log.debug({ err: error }, 'no higher priority for the site');
  }
}

export function closeOnTermination(clock: Clock, log: DriverLog, close: () => Promise<void>): void {
  let isEnding = false;
  const end = (reason: string): void => {
    if (isEnding) return;
    isEnding = true;
    log.info({ reason }, 'ending');
    clock.after(END_WITHIN_MS, () => process.exit(1));
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.warn({ err: error }, 'ending failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  // The launcher holds the other end of our standard input.
  process.stdin.on('end', () => end('parent gone'));
  process.stdin.on('close', () => end('parent gone'));
  process.stdin.resume();
  // One unhandled rejection must not end the recording of every camera.
  process.on('unhandledRejection', (error) => log.warn({ err: error }, 'unhandled rejection'));
}
