// Edge playback: a device's own recording that is fetched while it is played, and how readers wait for it.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { TimeRange } from '../recordings/gaps/track-notes.ts';

export interface EdgePlayback {
  /** What was fetched so far. */
  readonly store: RecordingsStore;
  readonly key: TrackKey;
  /** Our own recordings are not played with it. */
  readonly isAlone: boolean;
  /**
   * Goes on to fetch from this instant (wall clock, ms). Answers what of the window the device holds and was not fetched yet,
   * oldest first. Rejects with HttpAnswer where the device does not give it.
   */
  request(atMs: number): Promise<readonly TimeRange[]>;
}

export interface AwaitedRange {
  readonly startMs: number;
  readonly endMs: number;
  /** So much from the start on is enough, ms. */
  readonly enoughMs: number;
  readonly limitMs: number;
  readonly ended: AbortSignal;
}

const CHECK_EVERY_MS = 200;

/** Fetches from the start on until enough is there, or nothing more comes; answers where what is there without a hole ends. */
export async function awaitEdgePlayback(
  { request }: EdgePlayback,
  { startMs, endMs, enoughMs, limitMs, ended }: AwaitedRange,
): Promise<number> {
  for (let at = startMs, waited = 0; ; waited += CHECK_EVERY_MS) {
    const [missing] = await request(at);
    if (!missing) return endMs;
    at = Math.max(startMs, missing.startMs);
    if (at - startMs >= enoughMs || waited >= limitMs || ended.aborted) return at;
    // Ended meanwhile: seen above.
    await wait(systemClock, CHECK_EVERY_MS, ended);
  }
}
