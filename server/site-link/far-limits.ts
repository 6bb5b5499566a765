// What one remote site may cost the server: messages, bytes, events, calls and connections. The local site has no limits.
import type { BucketLimits } from './token-bucket.ts';

export interface FarLimits {
  /** Of all messages; reading JSON takes some 10 ms a megabyte, of the one event loop. */
  readonly bytes: BucketLimits;
  /** Each message counts as so many bytes at least: reading one has its price however short it is. */
  readonly messageBytes: number;
  /**
   * Events. A site that was away brings all that its spool holds at once (50,000), and stores a fifth of what the
   * whole system takes (10,000/s) from then on. Beyond it nothing is lost: the site keeps them and is read more slowly.
   */
  readonly events: BucketLimits;
  /** The same over hours, so that a storm that never ends does not fill the disk. */
  readonly lasting: BucketLimits;
  /** Stored in one commit, while alarms of all others wait for their turn. */
  readonly eventsAtOnce: number;
  /** Held here until they are stored; the rest stays on the line. */
  readonly eventsWaiting: number;
  /** Calls without an answer yet; one more is 1012. */
  readonly calls: number;
  /** Bytes for a site that does not read what is sent; an assignment of a thousand devices is 2 MB. */
  readonly unsentBytes: number;
  /** Each is handed everything that concerns its devices. */
  readonly connections: BucketLimits;
}

export const FAR_LIMITS: FarLimits = {
  bytes: { burst: 64 * 1024 * 1024, perSecond: 4 * 1024 * 1024 },
  messageBytes: 512,
  events: { burst: 60_000, perSecond: 2000 },
  lasting: { burst: 2_000_000, perSecond: 100 },
  eventsAtOnce: 500,
  eventsWaiting: 2000,
  calls: 512,
  unsentBytes: 32 * 1024 * 1024,
  connections: { burst: 20, perSecond: 0.5 },
};
