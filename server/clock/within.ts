// Waits for work no longer than it may take; the work goes on.
import type { Clock } from './clock.ts';

/** True: it is done by then. Work that fails is not. */
export function doneWithin(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false));
    const settle = (isDone: boolean) => {
      cancel();
      resolve(isDone);
    };
    work.then(
      () => settle(true),
      () => settle(false),
    );
  });
}
