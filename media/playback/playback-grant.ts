// What a ticket allows on the HTTP side of the engine; the site checks tickets, the engine only asks.
import type { TrackKey } from '../recordings/recording-path.ts';
import type { FollowTracks } from '../live/live-grant.ts';
import type { OpenSource } from '../stream/source.ts';
import type { SnapshotImage } from '../snapshot/snapshot.ts';
import type { EdgePlayback } from './edge-playback.ts';

export interface LiveUpstream {
  readonly streamKey: string;
  readonly open: OpenSource;
}

export interface PlaybackRange {
  readonly startTime: number;
  readonly endTime: number;
  /** Strict range: no frame before or after it is served. */
  readonly isExact?: boolean;
}

export interface PlaybackGrant {
  readonly allowed: true;
  /** Id of the media session; not the ticket. */
  readonly sessionId: string;
  readonly kind: 'live' | 'recorded' | 'snapshot';
  /** Track key of the recordings; null if nothing is recorded (a candidate). */
  readonly key: TrackKey | null;
  readonly range: PlaybackRange | null;
  /** The window holds edge recordings too, or nothing else. */
  readonly edge?: EdgePlayback;
  readonly upstream: LiveUpstream | null;
  /** Tells what edge intelligence follows on a live channel until the answer is called; absent: nothing looks at it. */
  readonly followTracks?: FollowTracks;
  /** The device's own snapshot; rejects or is null if it has none. */
  readonly deviceSnapshot: ((signal: AbortSignal) => Promise<SnapshotImage | null>) | null;
  /** Origin other than ours whose page may read the answers; absent: none. */
  readonly pageOrigin?: string;
  /** Aborted with the code when the session ends: running responses stop. */
  readonly ended: AbortSignal;
  /** Told how many bytes were sent under the grant, with each response. */
  readonly onSent?: (bytes: number) => void;
  /** Keeps the session from going idle during a long body; call the result to release it. */
  readonly hold: () => () => void;
}

export interface PlaybackRefusal {
  readonly allowed: false;
  /** 401: unknown or expired ticket; 403: revoked or for another use. */
  readonly status: 401 | 403 | 404;
  readonly code: number;
  readonly pageOrigin?: string;
}

export type PlaybackUse = 'hls' | 'fragments' | 'snapshot';

/** Each call counts as a use. Must not throw for an invalid ticket. */
export type AuthorisePlayback = (ticket: string, use: PlaybackUse) => PlaybackGrant | PlaybackRefusal;
