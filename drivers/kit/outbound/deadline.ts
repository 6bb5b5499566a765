// Combines a timeout and the caller's signal for racing I/O.
import { DeviceFault } from '../device-fault.ts';
import { raceSignal } from '@vedette/foundation/concurrency/race-signal.ts';

export interface Deadline extends Disposable {
  /** Rejects with DeviceFault `timeout` or the caller's reason if that comes first; `onOver` then cleans up. */
  race<T>(work: Promise<T>, onOver?: () => void): Promise<T>;
  throwIfOver(): void;
  /** Aborts when the time is up or the caller aborts. */
  readonly signal: AbortSignal;
}

export function openDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DeviceFault('timeout', `no answer within ${timeoutMs} ms`));
  }, timeoutMs);
  const onCaller = () => controller.abort(caller?.reason);
  if (caller?.aborted) onCaller();
  caller?.addEventListener('abort', onCaller, { once: true });
  const { signal } = controller;
  return {
    signal,
    throwIfOver: () => signal.throwIfAborted(),
    race: (work, onOver) => raceSignal(work, signal, onOver),
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onCaller);
    },
  };
}
