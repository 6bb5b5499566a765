// Waits by the driver's clock.
import type { DriverContext } from './driver-context.ts';

/** Resolves after `ms` or when `signal` aborts; never rejects. */
export async function pause(clock: DriverContext['clock'], ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || ms <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(ms, resolve);
  const leave = () => resolve();
  signal.addEventListener('abort', leave, { once: true });
  await promise;
  cancel();
  signal.removeEventListener('abort', leave);
}
