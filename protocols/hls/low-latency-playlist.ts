// Writes media playlists of Low-Latency HLS: partial segments, delta updates, preload hints (RFC 8216bis).

export interface PlaylistPart {
  readonly uri: string;
  readonly seconds: number;
  /** It holds a picture that needs no other. */
  readonly isIndependent: boolean;
}

export interface PlaylistSegment {
  /** Media Sequence Number. */
  readonly number: number;
  /** Milliseconds since 1970 of its first picture. */
  readonly wallMs: number;
  readonly initUri: string;
  /** The time line or the format is another than before it. */
  readonly isBreak: boolean;
  readonly parts: readonly PlaylistPart[];
  /** Null while parts are still added. */
  readonly uri: string | null;
}

export interface LowLatencyPlaylist {
  /** Oldest first, at least one; only the newest may be without `uri`. */
  readonly segments: readonly PlaylistSegment[];
  /** Breaks before the first segment, from the start of the stream on. */
  readonly breaksBefore: number;
  /** EXT-X-TARGETDURATION: whole seconds; no segment is longer. */
  readonly targetSeconds: number;
  /** Longest part. */
  readonly partTargetSeconds: number;
  /** The part that comes next. */
  readonly hintUri: string;
}

/** How much earlier than the newest picture a player begins, in parts (4.4.3.8: at least two, better three). */
const HOLD_BACK_PARTS = 3;
const HOLD_BACK_TARGETS = 3;
/** Parts are listed for the newest three target durations (6.2.2). */
const PARTS_TARGETS = 3;
/** Least that a delta update keeps, in target durations (4.4.3.8). */
const SKIP_TARGETS = 6;

const seconds = (value: number): string => value.toFixed(5);

export function segmentSeconds({ parts }: { readonly parts: readonly { readonly seconds: number }[] }): number {
  return parts.reduce((sum, part) => sum + part.seconds, 0);
}

/** @param skips the client asked for a delta update, `_HLS_skip=YES`; a whole playlist where nothing is old enough */
export function writeLowLatencyPlaylist(playlist: LowLatencyPlaylist, skips: boolean): string {
  const { segments, breaksBefore, targetSeconds, hintUri } = playlist;
  const ages = agesOf(segments);
  const skipped = skips ? ages.filter((age) => age > SKIP_TARGETS * targetSeconds).length : 0;
  const lines = [...head(playlist), `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.number ?? 0}`];
  lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${breaksBefore}`);
  if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  let init = '';
  for (const [at, segment] of segments.entries()) {
    if (at < skipped) continue;
    if (segment.isBreak && at > 0) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.initUri !== init) lines.push(`#EXT-X-MAP:URI="${segment.initUri}"`);
    init = segment.initUri;
    lines.push(...segmentLines(segment, (ages[at] ?? 0) <= PARTS_TARGETS * targetSeconds));
  }
  lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${hintUri}"`, '');
  return lines.join('\n');
}

function head({ targetSeconds, partTargetSeconds }: LowLatencyPlaylist): string[] {
  const control = [
    'CAN-BLOCK-RELOAD=YES',
    `CAN-SKIP-UNTIL=${seconds(SKIP_TARGETS * targetSeconds)}`,
    `HOLD-BACK=${seconds(HOLD_BACK_TARGETS * targetSeconds)}`,
    `PART-HOLD-BACK=${seconds(HOLD_BACK_PARTS * partTargetSeconds)}`,
  ];
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:9',
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    `#EXT-X-SERVER-CONTROL:${control.join(',')}`,
    `#EXT-X-PART-INF:PART-TARGET=${seconds(partTargetSeconds)}`,
  ];
}

function segmentLines({ wallMs, parts, uri }: PlaylistSegment, withParts: boolean): string[] {
  const lines = [`#EXT-X-PROGRAM-DATE-TIME:${new Date(wallMs).toISOString()}`];
  if (withParts) for (const part of parts) lines.push(partLine(part));
  if (uri !== null) lines.push(`#EXTINF:${seconds(segmentSeconds({ parts }))},`, uri);
  return lines;
}

function partLine({ uri, seconds: duration, isIndependent }: PlaylistPart): string {
  return `#EXT-X-PART:DURATION=${seconds(duration)},URI="${uri}"${isIndependent ? ',INDEPENDENT=YES' : ''}`;
}

/** Seconds from the start of each segment to the end of the playlist. */
function agesOf(segments: readonly PlaylistSegment[]): number[] {
  const ages: number[] = [];
  let age = 0;
  for (const segment of segments.toReversed()) {
    age += segmentSeconds(segment);
    ages.unshift(age);
  }
  return ages;
}
