// Waits on the clock that end early when a signal says so.
import type { Clock } from '@vedette/media/clock/clock.ts';

/** Resolves after `ms` or when `signal` is aborted; never rejects. */
export async function waitOn(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || ms <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  const stop = (): void => resolve();
  signal.addEventListener('abort', stop, { once: true });
  await promise;
  cancel();
  signal.removeEventListener('abort', stop);
}
