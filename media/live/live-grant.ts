// What a ticket allows on /media/live; the site checks tickets, the engine only asks.
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import type { OpenSource } from '../stream/source.ts';

export type FollowTracks = (onTracks: (tracks: LiveTracks) => void) => () => void;

export interface LiveGrant {
  readonly allowed: true;
  /** Id of the media session for revocation, counters and logs; not the ticket. */
  readonly sessionId: string;
  /** Owner of the connection slot: an account, or its guests. */
  readonly holder: string;
  /** Key of the upstream; viewers with the same key share it. */
  readonly streamKey: string;
  readonly open: OpenSource;
  /** Linger of the stream after its last viewer, if it differs from the default. */
  readonly lingerMs?: number;
  /** Whether audio is allowed; absent: yes. */
  readonly mayHear?: boolean;
  /** Tells what edge intelligence follows on the channel until the answer is called; absent: nothing looks at it. */
  readonly followTracks?: FollowTracks;
  /** Origin other than ours whose page may use the grant; absent: none. */
  readonly pageOrigin?: string;
  /** When the right expires, and the code for the viewer then. */
  readonly until?: { readonly wallMs: number; readonly code: number };
  /** Why the right has ended while the grant was on its way; null while it holds. */
  readonly ended?: () => LiveRefusal | null;
  /** Told how many bytes were sent under the grant, as they are sent. */
  readonly onSent?: (bytes: number) => void;
  /** Called once when the subscription has ended. */
  readonly onEnded?: () => void;
}

export interface LiveRefusal {
  readonly allowed: false;
  readonly code: number;
  readonly reason?: string;
}

/** Must not throw for an invalid ticket. */
export type AuthoriseLive = (ticket: string) => Promise<LiveGrant | LiveRefusal>;
