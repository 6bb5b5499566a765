// Abortable wait on a clock.
import type { Clock } from './clock.ts';

/** Resolves after `ms`, or earlier when `signal` aborts; never rejects. */
export async function wait(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted || ms <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  const stop = (): void => resolve();
  signal?.addEventListener('abort', stop, { once: true });
  await promise;
  cancel();
  signal?.removeEventListener('abort', stop);
}
