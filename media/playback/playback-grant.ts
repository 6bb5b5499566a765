// What a ticket allows on the HTTP side of the engine; the site checks tickets, the engine only asks.
import type { TrackKey } from '../recordings/recording-path.ts';
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
  /** Whole GOPs are no use then: not a picture before or after it is served. */
  readonly isExact?: boolean;
}

export interface PlaybackGrant {
  readonly allowed: true;
  /** Names the media session; never the ticket's text. */
  readonly sessionId: string;
  readonly kind: 'live' | 'recorded' | 'snapshot';
  /** Of the recordings; null where nothing is recorded under it (a candidate). */
  readonly key: TrackKey | null;
  readonly range: PlaybackRange | null;
  /** The window holds edge recordings too, or nothing else. */
  readonly edge?: EdgePlayback;
  readonly upstream: LiveUpstream | null;
  /** The device's own picture; rejects or is null where it has none. */
  readonly deviceSnapshot: ((signal: AbortSignal) => Promise<SnapshotImage | null>) | null;
  /** Aborted with the code when the session ends: what is under way stops. */
  readonly ended: AbortSignal;
  /** Keeps the session from going idle during a long body; the answer lets go. */
  readonly hold: () => () => void;
}

export interface PlaybackRefusal {
  readonly allowed: false;
  /** 401: no such ticket, or over; 403: withdrawn or for another use. */
  readonly status: 401 | 403 | 404;
  readonly code: number;
}

export type PlaybackUse = 'hls' | 'fragments' | 'snapshot';

/** Each call counts as a use and keeps the session from going idle. Must not throw for a ticket that is merely wrong. */
export type AuthorisePlayback = (ticket: string, use: PlaybackUse) => PlaybackGrant | PlaybackRefusal;
