// Edge playback: a device's own recording that is fetched while it is played, and how readers wait for it.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { TimeRange } from '../recordings/gaps/track-notes.ts';

export interface EdgePlayback {
  /** Recordings fetched so far. */
  readonly store: RecordingsStore;
  readonly key: TrackKey;
  /** Our own recordings are not played with it. */
  readonly isAlone: boolean;
  /**
   * Continues to fetch from this instant (wall clock, ms). Returns the ranges of the window that the device holds and
   * that are not fetched yet, oldest first. Rejects with HttpAnswer if the device fails.
   */
  request(atMs: number): Promise<readonly TimeRange[]>;
}

export interface AwaitedRange {
  readonly startMs: number;
  readonly endMs: number;
  /** Enough from the start on, ms. */
  readonly enoughMs: number;
  readonly limitMs: number;
  readonly ended: AbortSignal;
}

const CHECK_EVERY_MS = 200;

/** Fetches from the start until enough is there, or the fetch ends; returns where the contiguous part ends. */
export async function awaitEdgePlayback(
  { request }: EdgePlayback,
  { startMs, endMs, enoughMs, limitMs, ended }: AwaitedRange,
): Promise<number> {
  for (let at = startMs, waited = 0; ; waited += CHECK_EVERY_MS) {
    const [missing] = await request(at);
    if (!missing) return endMs;
    at = Math.max(startMs, missing.startMs);
    if (at - startMs >= enoughMs || waited >= limitMs || ended.aborted) return at;
    // Ended meanwhile: handled above.
    await wait(systemClock, CHECK_EVERY_MS, ended);
  }
}
