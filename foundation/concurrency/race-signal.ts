// Lets a caller abandon shared work when its own signal aborts, while the work continues for the others.

/** `onLeave` cleans up what only this caller needed. */
export function raceSignal<T>(work: Promise<T>, signal: AbortSignal | undefined, onLeave?: () => void): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const leave = () => {
      onLeave?.();
      reject(signal.reason);
    };
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
