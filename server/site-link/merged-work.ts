// Runs work one at a time: requests during a run are merged into a single next run.

/** `work` must not reject. */
export function mergedWork<T>(work: (item: T) => Promise<void>, merge: (held: T, next: T) => T): (item: T) => void {
  let next: { readonly item: T } | null = null;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    for (let taken = next; taken !== null; taken = next) {
      next = null;
      await work(taken.item);
    }
    isRunning = false;
  };
  return (item) => {
    next = { item: next === null ? item : merge(next.item, item) };
    if (!isRunning) void run();
  };
}
