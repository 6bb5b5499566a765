// What a ticket allows on the RTSP port; the site checks tickets, the engine only asks.
import type { OpenSource } from '../stream/source.ts';

export interface RestreamGrant {
  readonly allowed: true;
  /** Whose place the connection takes: an account, or the guests of one. */
  readonly holder: string;
  /** One stream of one channel; all who name the same key share one upstream. */
  readonly streamKey: string;
  readonly open: OpenSource;
  /** Aborted when the right is withdrawn or over. */
  readonly ended: AbortSignal;
  /** Called once when the session is over, for whatever reason. */
  readonly onEnded: () => void;
}

export interface RestreamRefusal {
  readonly allowed: false;
  /** The ticket is none, or it opens something else or nothing any more. */
  readonly isKnown: boolean;
}

/** Must not throw for a ticket that is merely wrong. */
export type AuthoriseRestream = (ticket: string) => RestreamGrant | RestreamRefusal;
