// Reads the delivery directives of a playlist request, and tells when such a request is answered (RFC 8216bis 6.2.5).

/** What a player asks for; nothing of it: the playlist as it is. */
export interface DeliveryDirectives {
  /** Wait for this Media Sequence Number, or for this part of it. */
  readonly segment: number | null;
  readonly part: number | null;
  /** A delta update. */
  readonly skips: boolean;
}

/** Where a stream is. */
export interface PlaylistEdge {
  /** Media Sequence Number of the newest segment, whole or not. */
  readonly segment: number;
  readonly parts: number;
  readonly isWhole: boolean;
  /** Longest part. */
  readonly partTargetSeconds: number;
}

/** A client may be so many segments ahead of the playlist. */
const SEGMENTS_AHEAD = 2;
/** And so many seconds of parts (6.2.5.2, Advance Part Limit). */
const PARTS_AHEAD_SECONDS = 3;
const NUMBER = /^\d{1,15}$/;

/** Null for a request that no client makes. */
export function readDirectives(query: URLSearchParams): DeliveryDirectives | null {
  const segment = numberOf(query.get('_HLS_msn'));
  const part = numberOf(query.get('_HLS_part'));
  const skip = query.get('_HLS_skip');
  if (Number.isNaN(segment) || Number.isNaN(part) || (part !== null && segment === null)) return null;
  if (skip !== null && skip !== 'YES' && skip !== 'v2') return null;
  return { segment, part, skips: skip !== null };
}

/** NaN for anything but a number. */
function numberOf(text: string | null): number | null {
  if (text === null) return null;
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

/** `refuse`: no client that follows the playlist asks for something so far ahead. */
export function whenToAnswer({ segment, part }: DeliveryDirectives, edge: PlaylistEdge): 'now' | 'wait' | 'refuse' {
  if (segment === null || edge.segment > segment) return 'now';
  const isThere = edge.segment === segment && (part === null ? edge.isWhole : edge.parts > part);
  if (isThere) return 'now';
  if (segment > edge.segment + SEGMENTS_AHEAD) return 'refuse';
  const parts = edge.segment === segment ? edge.parts : 0;
  const limit =
    edge.partTargetSeconds < 1 ? Math.ceil(PARTS_AHEAD_SECONDS / edge.partTargetSeconds) : PARTS_AHEAD_SECONDS;
  return part !== null && part > parts + limit ? 'refuse' : 'wait';
}
