// What a ticket allows on the RTSP port; the site checks tickets, the engine only asks.
import type { FollowTracks } from '../live/live-grant.ts';
import type { OpenSource } from '../stream/source.ts';

export interface RestreamGrant {
  readonly allowed: true;
  /** Owner of the connection slot: an account, or its guests. */
  readonly holder: string;
  /** Key of the upstream; clients with the same key share it. */
  readonly streamKey: string;
  readonly open: OpenSource;
  /** Tells what edge intelligence follows on the channel until the answer is called; absent: nothing looks at it. */
  readonly followTracks?: FollowTracks;
  /** Aborted when the right is revoked or expires. */
  readonly ended: AbortSignal;
  /** Told how many bytes were sent under the grant, as they are sent. */
  readonly onSent?: (bytes: number) => void;
  /** Called once when the session has ended. */
  readonly onEnded: () => void;
}

export interface RestreamRefusal {
  readonly allowed: false;
  /** Invalid ticket, or one for another purpose. */
  readonly isKnown: boolean;
}

/** Must not throw for an invalid ticket. */
export type AuthoriseRestream = (ticket: string) => RestreamGrant | RestreamRefusal;
