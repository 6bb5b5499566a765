// Limits of one remote site: messages, bytes, events, calls and connections. The local site has none.
import type { BucketLimits } from './token-bucket.ts';

export interface FarLimits {
  /** Bytes of all messages; parsing JSON takes some 10 ms per megabyte of the event loop. */
  readonly bytes: BucketLimits;
  /** Minimum cost of a message, since parsing has a base cost. */
  readonly messageBytes: number;
  /**
   * Events. A site that was disconnected sends its whole spool (50,000) at once, then is limited to a fifth of what
   * the system stores (10,000/s). Nothing is lost: the site keeps them and is read more slowly.
   */
  readonly events: BucketLimits;
  /** The same over hours, so that an endless storm does not fill the disk. */
  readonly lasting: BucketLimits;
  /** Stored in one commit, while alarms of others wait. */
  readonly eventsAtOnce: number;
  /** Held here until stored; the rest stays unread. */
  readonly eventsWaiting: number;
  /** Pending calls; further ones are 1012. */
  readonly calls: number;
  /** Unsent bytes for a site that does not read; an assignment of a thousand devices is 2 MB. */
  readonly unsentBytes: number;
  /** Each connection gets the complete assignment. */
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
