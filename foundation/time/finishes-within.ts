// Waits for work until a deadline; the work itself goes on.
import type { Clock } from './clock.ts';

/** True when `work` fulfils within `ms`; false when it is late or rejects. */
export function finishesWithin(clock: Pick<Clock, 'after'>, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false));
    const settle = (isDone: boolean): void => {
      cancel();
      resolve(isDone);
    };
    work.then(
      () => settle(true),
      () => settle(false),
    );
  });
}
