// Writes the head of a whole movie, ftyp, moov and the mdat header, with sample tables and edit lists (ISO/IEC 14496-12 8.6, 8.7).
import { type BoxContent, box, fourCc, fullBox, u16, u32, zeros } from './box-writer.ts';

/** Ticks of the movie's own clock per second: that of video, so that edits fall on pictures. */
export const MOVIE_TIMESCALE = 90_000;

/** Equal values in a row: how often, and the value. */
export type RunLengths = readonly { readonly count: number; readonly value: number }[];

export interface MovieEdit {
  /** On the movie's clock. */
  readonly duration: number;
  /** Composition time on the track's clock; -1 shows nothing for `duration`. */
  readonly mediaTime: number;
}

export interface MovieTrack {
  readonly id: number;
  readonly kind: 'video' | 'audio';
  readonly timescale: number;
  readonly width: number;
  readonly height: number;
  /** The whole stsd box. */
  readonly sampleDescription: Uint8Array;
  readonly sizes: Uint32Array;
  readonly durations: RunLengths;
  readonly compositionOffsets: RunLengths;
  /** Numbers of the key samples, from 1; null where every sample is one. */
  readonly keys: Uint32Array | null;
  /** Where each chunk lies, from the first byte of the media data. */
  readonly chunkOffsets: Float64Array;
  readonly chunkSamples: Uint32Array;
  readonly edits: readonly MovieEdit[];
}

export interface Movie {
  /** Shown as creation time, ms since 1970 UTC. */
  readonly createdMs: number;
  readonly tracks: readonly MovieTrack[];
  readonly mediaBytes: number;
}

const MATRIX = [...u32(0x10000), ...zeros(12), ...u32(0x10000), ...zeros(12), ...u32(0x40000000)];
/** Seconds from 1904 to 1970: the boxes count from 1904. */
const MP4_TO_UNIX_S = 2_082_844_800;
const MAX_32 = 0xffffffff;

/** Everything ahead of the media data, so that a player finds its way before the file is whole. */
export function writeMovieHeader(movie: Movie): Uint8Array {
  const fileType = box('ftyp', fourCc('isom'), u32(512), fourCc('isom'), fourCc('iso2'), fourCc('mp41'));
  const mediaHeader = movie.mediaBytes + 8 > MAX_32 ? 16 : 8;
  // The size of moov does not depend on the offsets inside it, only on their width.
  const isWide = movie.mediaBytes + 64 * 1024 * 1024 > MAX_32;
  const length = fileType.length + movieBox(movie, 0, isWide).length + mediaHeader;
  const moov = movieBox(movie, length, isWide);
  const bytes = new Uint8Array(length);
  bytes.set(fileType);
  bytes.set(moov, fileType.length);
  const size = movie.mediaBytes + mediaHeader;
  const header = mediaHeader === 8 ? [...u32(size), ...fourCc('mdat')] : [...u32(1), ...fourCc('mdat'), ...u64(size)];
  bytes.set(header, length - mediaHeader);
  return bytes;
}

function movieBox(movie: Movie, mediaStart: number, isWide: boolean): Uint8Array {
  const next = movie.tracks.reduce((highest, track) => Math.max(highest, track.id), 0) + 1;
  const duration = movie.tracks.reduce((longest, track) => Math.max(longest, shownDuration(track)), 0);
  const created = u64(Math.floor(movie.createdMs / 1000) + MP4_TO_UNIX_S);
  return box(
    'moov',
    fullBox(
      'mvhd',
      1,
      0,
      created,
      created,
      u32(MOVIE_TIMESCALE),
      u64(duration),
      u32(0x10000),
      u16(0x100),
      zeros(10),
      MATRIX,
      zeros(24),
      u32(next),
    ),
    ...movie.tracks.map((track) => trackBox(track, { created, mediaStart, isWide })),
  );
}

interface Placement {
  readonly created: readonly number[];
  readonly mediaStart: number;
  readonly isWide: boolean;
}

function trackBox(track: MovieTrack, placement: Placement): Uint8Array {
  const { created } = placement;
  const isVideo = track.kind === 'video';
  const size = isVideo ? [...u16(track.width), 0, 0, ...u16(track.height), 0, 0] : zeros(8);
  const volume = isVideo ? [0, 0] : [1, 0];
  const mediaDuration = track.durations.reduce((sum, { count, value }) => sum + count * value, 0);
  const handler = isVideo ? ['vide', 'Video'] : ['soun', 'Sound'];
  return box(
    'trak',
    // 3: enabled and in the movie.
    fullBox(
      'tkhd',
      1,
      3,
      created,
      created,
      u32(track.id),
      zeros(4),
      u64(shownDuration(track)),
      zeros(8),
      zeros(4),
      volume,
      [0, 0],
      MATRIX,
      size,
    ),
    box('edts', fullBox('elst', 1, 0, u32(track.edits.length), ...track.edits.map(editEntry))),
    box(
      'mdia',
      fullBox('mdhd', 1, 0, created, created, u32(track.timescale), u64(mediaDuration), u16(0x55c4), u16(0)),
      fullBox('hdlr', 0, 0, zeros(4), fourCc(handler[0] as string), zeros(12), fourCc(handler[1] as string), [0]),
      box(
        'minf',
        isVideo ? fullBox('vmhd', 0, 1, zeros(8)) : fullBox('smhd', 0, 0, zeros(4)),
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        box('stbl', track.sampleDescription, ...sampleTables(track, placement)),
      ),
    ),
  );
}

function shownDuration({ edits }: MovieTrack): number {
  return edits.reduce((sum, edit) => sum + edit.duration, 0);
}

function editEntry({ duration, mediaTime }: MovieEdit): number[] {
  const time = mediaTime < 0 ? [...u32(MAX_32), ...u32(MAX_32)] : u64(mediaTime);
  return [...u64(duration), ...time, ...u16(1), ...u16(0)];
}

function sampleTables(track: MovieTrack, { mediaStart, isWide }: Placement): BoxContent[] {
  const tables: BoxContent[] = [fullBox('stts', 0, 0, u32(track.durations.length), pairs(track.durations))];
  if (track.compositionOffsets.some(({ value }) => value !== 0)) {
    // Version 1: signed offsets.
    tables.push(fullBox('ctts', 1, 0, u32(track.compositionOffsets.length), pairs(track.compositionOffsets)));
  }
  if (track.keys) tables.push(fullBox('stss', 0, 0, u32(track.keys.length), words(track.keys)));
  tables.push(chunkTable(track.chunkSamples));
  tables.push(fullBox('stsz', 0, 0, u32(0), u32(track.sizes.length), words(track.sizes)));
  tables.push(offsetTable(track.chunkOffsets, mediaStart, isWide));
  return tables;
}

/** How many samples each chunk has, one row where the number changes. */
function chunkTable(samples: Uint32Array): Uint8Array {
  const rows: number[] = [];
  for (const [index, count] of samples.entries()) {
    if (index === 0 || count !== samples[index - 1]) rows.push(index + 1, count, 1);
  }
  return fullBox('stsc', 0, 0, u32(rows.length / 3), words(Uint32Array.from(rows)));
}

function offsetTable(offsets: Float64Array, mediaStart: number, isWide: boolean): Uint8Array {
  const width = isWide ? 8 : 4;
  const bytes = new Uint8Array(offsets.length * width);
  const view = new DataView(bytes.buffer);
  for (const [index, offset] of offsets.entries()) {
    if (isWide) view.setBigUint64(index * 8, BigInt(offset + mediaStart));
    else view.setUint32(index * 4, offset + mediaStart);
  }
  return fullBox(isWide ? 'co64' : 'stco', 0, 0, u32(offsets.length), bytes);
}

function pairs(runs: RunLengths): Uint8Array {
  const bytes = new Uint8Array(runs.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, { count, value }] of runs.entries()) {
    view.setUint32(index * 8, count);
    view.setInt32(index * 8 + 4, value);
  }
  return bytes;
}

function words(values: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value);
  return bytes;
}

function u64(value: number): number[] {
  return [...u32(Math.floor(value / 0x100000000)), ...u32(value >>> 0)];
}
