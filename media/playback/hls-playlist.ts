// Writes HLS media playlists, version 7, fMP4 (RFC 8216 section 4).
import { HLS_AUDIO_LEFT_OUT } from '@vedette/contract/media-wire.ts';
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import type { PlannedSegment } from './playback-plan.ts';

const TICKS_TO_S = 1 / VIDEO_TIMESCALE;

export interface RecordedPlaylist {
  readonly segments: readonly PlannedSegment[];
  readonly hasAudio: boolean;
  /** The recordings have audio that cannot be served: a page may say so. */
  readonly isAudioLeftOut?: boolean;
  /** Its end is unknown while it is fetched from a device. */
  readonly isGrowing?: boolean;
}

/** A recorded window. */
export function writeRecordedPlaylist(playlist: RecordedPlaylist): string {
  const { segments, hasAudio, isAudioLeftOut = false, isGrowing = false } = playlist;
  let longest = 1;
  for (const segment of segments) longest = Math.max(longest, segment.durationTicks * TICKS_TO_S);
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    `#EXT-X-PLAYLIST-TYPE:${isGrowing ? 'EVENT' : 'VOD'}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  if (isAudioLeftOut) lines.push(HLS_AUDIO_LEFT_OUT);
  let initHash = '';
  for (const segment of segments) {
    if (segment.isBreak) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.initHash !== initHash) {
      initHash = segment.initHash;
      lines.push(`#EXT-X-MAP:URI="${initName({ fileStartMs: segment.fileStartMs, hasAudio })}"`);
    }
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.wallMs).toISOString()}`,
      `#EXTINF:${(segment.durationTicks * TICKS_TO_S).toFixed(5)},`,
      segmentName({ ...segment, hasAudio }),
    );
  }
  if (!isGrowing) lines.push('#EXT-X-ENDLIST');
  lines.push('');
  return lines.join('\n');
}

export interface LiveSegment {
  readonly number: number;
  readonly wallMs: number;
  readonly durationTicks: number;
  /** Number of the init segment it needs. */
  readonly init: number;
  readonly isBreak: boolean;
}

export interface LivePlaylist {
  readonly segments: readonly LiveSegment[];
  readonly breaksBefore: number;
  readonly targetSeconds: number;
}

/** The newest segments of a live stream. */
export function writeLivePlaylist({ segments, breaksBefore, targetSeconds }: LivePlaylist): string {
  const longest = segments.reduce((most, one) => Math.max(most, one.durationTicks * TICKS_TO_S), targetSeconds);
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.number ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${breaksBefore}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  let init = -1;
  for (const [at, segment] of segments.entries()) {
    if (segment.isBreak && at > 0) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.init !== init) {
      init = segment.init;
      lines.push(`#EXT-X-MAP:URI="init-${init}.mp4"`);
    }
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.wallMs).toISOString()}`,
      `#EXTINF:${(segment.durationTicks * TICKS_TO_S).toFixed(5)},`,
      `live-${segment.number}.m4s`,
    );
  }
  lines.push('');
  return lines.join('\n');
}

export interface InitRef {
  readonly fileStartMs: number;
  /** Served with its audio track. */
  readonly hasAudio: boolean;
}

export interface SegmentRef extends InitRef {
  readonly firstRecord: number;
  readonly count: number;
  readonly positionTicks: number;
}

const SEGMENT_NAME = /^(\d{1,15})-(\d{1,7})-(\d{1,7})-(\d{1,15})-(av|v)\.m4s$/;
const INIT_NAME = /^(\d{1,15})-(av|v)\.mp4$/;

/** The name holds everything needed to serve the segment: the server keeps no list per viewer. */
export function segmentName({ fileStartMs, firstRecord, count, positionTicks, hasAudio }: SegmentRef): string {
  return `${fileStartMs}-${firstRecord}-${count}-${positionTicks}-${hasAudio ? 'av' : 'v'}.m4s`;
}

export function parseSegmentName(name: string): SegmentRef | null {
  const match = SEGMENT_NAME.exec(name);
  if (!match) return null;
  const [fileStartMs = 0, firstRecord = 0, count = 0, positionTicks = 0] = match.slice(1, 5).map(Number);
  return { fileStartMs, firstRecord, count, positionTicks, hasAudio: match[5] === 'av' };
}

export function initName({ fileStartMs, hasAudio }: InitRef): string {
  return `${fileStartMs}-${hasAudio ? 'av' : 'v'}.mp4`;
}

export function parseInitName(name: string): InitRef | null {
  const match = INIT_NAME.exec(name);
  return match ? { fileStartMs: Number(match[1]), hasAudio: match[2] === 'av' } : null;
}
