// The interface of a media source towards the hub.
import type { StreamConsumer } from './stream.ts';
import type { SourceCounters } from './source-counters.ts';

/** Runs until closed, reconnecting by itself, and reports to its single consumer. */
export interface MediaSource {
  readonly counters: Readonly<SourceCounters>;
  /** Server name reported by the device. */
  readonly server: string | null;
  /** Ends the wait before the next attempt, for example after new credentials. */
  retryNow(): void;
  /** A viewer waits: requests a keyframe from the device, if supported. */
  requestKeyframe?(): void;
  close(): Promise<void>;
}

/** Starts at once. */
export type OpenSource = (consumer: StreamConsumer) => MediaSource;
