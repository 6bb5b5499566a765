// What a ticket allows on /media/live; the site checks tickets, the engine only asks.
import type { OpenSource } from '../stream/source.ts';

export interface LiveGrant {
  readonly allowed: true;
  /** Names the media session for withdrawal, counters and logs; never the ticket's text. */
  readonly sessionId: string;
  /** Whose place the connection takes: an account, or the guests of one. */
  readonly holder: string;
  /** One stream of one channel; all who name the same key share one upstream. */
  readonly streamKey: string;
  readonly open: OpenSource;
  /** How long the stream stays open after its last viewer, where it is not as for others. */
  readonly lingerMs?: number;
  /** Whether this viewer may hear; absent means yes. */
  readonly mayHear?: boolean;
  /** When the right ends by itself, and the code the viewer is then told. */
  readonly until?: { readonly wallMs: number; readonly code: number };
  /** Called once when the subscription is over, for whatever reason. */
  readonly onEnded?: () => void;
}

export interface LiveRefusal {
  readonly allowed: false;
  readonly code: number;
  readonly reason?: string;
}

/** Must not throw for a ticket that is merely wrong. */
export type AuthoriseLive = (ticket: string) => Promise<LiveGrant | LiveRefusal>;
