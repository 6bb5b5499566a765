// Which Media Source Extensions this browser has.

/** MediaSource or, where only that exists (iPhone), ManagedMediaSource. */
export function mediaSourceClass(): typeof MediaSource | undefined {
  const scope = globalThis as { MediaSource?: typeof MediaSource; ManagedMediaSource?: typeof MediaSource };
  return scope.ManagedMediaSource ?? scope.MediaSource;
}
