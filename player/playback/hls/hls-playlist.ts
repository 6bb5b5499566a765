// Reads HLS media playlists of one window and writes one playlist over many windows (RFC 8216).
import { HLS_AUDIO_LEFT_OUT } from '@vedette/contract/media-wire.ts';

export interface HlsSegment {
  /** Absolute address. */
  readonly uri: string;
  readonly durationS: number;
  /** Wall clock of the first picture, ms. */
  readonly wallMs: number;
  /** `length@offset` of EXT-X-BYTERANGE, always with the offset; null for a whole resource. */
  readonly byteRange: string | null;
  /** Attributes of EXT-X-MAP with an absolute URI. */
  readonly map: string | null;
  readonly isDiscontinuity: boolean;
}

/** The only error of the reader. */
export class PlaylistError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PlaylistError';
  }
}

/** Two windows that meet this closely overlap or touch; the later copy of a shared segment is left out. */
const OVERLAP_MS = 50;

interface Pending {
  durationS: number;
  wallMs: number | null;
  byteRange: string | null;
  map: string | null;
  isDiscontinuity: boolean;
  nextWallMs: number | null;
  nextOffset: number;
}

export function readPlaylist(text: string, base: string): HlsSegment[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0] !== '#EXTM3U') throw new PlaylistError('not a playlist');
  const segments: HlsSegment[] = [];
  const pending: Pending = {
    durationS: 0,
    wallMs: null,
    byteRange: null,
    map: null,
    isDiscontinuity: false,
    nextWallMs: null,
    nextOffset: 0,
  };
  for (const line of lines.slice(1)) {
    if (line === '') continue;
    if (line.startsWith('#')) readTag(line, base, pending);
    else segments.push(takeSegment(line, base, pending));
  }
  return segments;
}

/** Whether a window has recorded audio that its segments come without. */
export function isAudioLeftOut(text: string): boolean {
  return text.split(/\r?\n/).includes(HLS_AUDIO_LEFT_OUT);
}

function readTag(line: string, base: string, pending: Pending): void {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1);
  if (name === '#EXTINF') pending.durationS = Number.parseFloat(value);
  else if (name === '#EXT-X-PROGRAM-DATE-TIME') pending.wallMs = Date.parse(value);
  else if (name === '#EXT-X-BYTERANGE') pending.byteRange = value;
  else if (name === '#EXT-X-DISCONTINUITY') pending.isDiscontinuity = true;
  else if (name === '#EXT-X-MAP') {
    pending.map = value.replace(/URI="([^"]*)"/, (_whole, uri: string) => `URI="${absolute(uri, base)}"`);
  }
}

function takeSegment(line: string, base: string, pending: Pending): HlsSegment {
  const wallMs = pending.wallMs ?? pending.nextWallMs;
  if (wallMs === null || !Number.isFinite(wallMs)) throw new PlaylistError('a segment without wall clock');
  if (!(pending.durationS > 0)) throw new PlaylistError('a segment without duration');
  const segment: HlsSegment = {
    uri: absolute(line, base),
    durationS: pending.durationS,
    wallMs,
    byteRange: wholeRange(pending),
    map: pending.map,
    isDiscontinuity: pending.isDiscontinuity,
  };
  pending.nextWallMs = wallMs + pending.durationS * 1000;
  pending.wallMs = null;
  pending.byteRange = null;
  pending.isDiscontinuity = false;
  return segment;
}

function absolute(uri: string, base: string): string {
  const url = URL.parse(uri, base);
  if (!url) throw new PlaylistError('an address that is none');
  return url.href;
}

/** A range without offset begins where the last one ended. */
function wholeRange(pending: Pending): string | null {
  if (pending.byteRange === null) return null;
  const [length = '0', offset = String(pending.nextOffset)] = pending.byteRange.split('@');
  pending.nextOffset = Number(offset) + Number(length);
  return `${length}@${offset}`;
}

/** The segments of a following window behind those at hand; what both hold stands once. */
export function joinWindows(first: readonly HlsSegment[], second: readonly HlsSegment[]): HlsSegment[] {
  const last = first.at(-1);
  if (!last) return [...second];
  const end = last.wallMs + last.durationS * 1000;
  const fresh = second.filter(
    (segment) => segment.wallMs > last.wallMs + OVERLAP_MS && segment.wallMs > end - OVERLAP_MS,
  );
  const [head, ...rest] = fresh;
  // Another window has addresses, and so an init segment, of its own: the decoder starts anew.
  return head ? [...first, { ...head, isDiscontinuity: true }, ...rest] : [...first];
}

/** An EVENT playlist that a player reads again and again while windows are added. */
export function writePlaylist(segments: readonly HlsSegment[]): string {
  const longest = segments.reduce((most, segment) => Math.max(most, segment.durationS), 1);
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    '#EXT-X-PLAYLIST-TYPE:EVENT',
    '#EXT-X-MEDIA-SEQUENCE:0',
  ];
  let map: string | null = null;
  for (const segment of segments) {
    if (segment.isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.map !== null && segment.map !== map) lines.push(`#EXT-X-MAP:${segment.map}`);
    map = segment.map;
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.wallMs).toISOString()}`);
    lines.push(`#EXTINF:${segment.durationS.toFixed(6)},`);
    if (segment.byteRange !== null) lines.push(`#EXT-X-BYTERANGE:${segment.byteRange}`);
    lines.push(segment.uri);
  }
  return `${lines.join('\n')}\n`;
}
