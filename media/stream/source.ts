// The interface of a media source towards the hub.
import type { StreamConsumer } from './stream.ts';
import type { SourceCounters } from './source-counters.ts';

/** Runs until it is closed, reconnecting by itself, and tells everything to its one consumer. */
export interface MediaSource {
  readonly counters: Readonly<SourceCounters>;
  /** The device's own name for its server, where it says so. */
  readonly server: string | null;
  /** Ends the waiting before the next try, for example after new credentials or a device that came online. */
  retryNow(): void;
  /** Someone waits for a picture: asks the device for a keyframe where it can be asked. */
  requestKeyframe?(): void;
  close(): Promise<void>;
}

/** Starts pulling at once. */
export type OpenSource = (consumer: StreamConsumer) => MediaSource;
