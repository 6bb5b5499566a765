// Reads what a player or checker needs from an init segment: tracks, time scales and codec records; usable in browsers.
import { FieldReader, findBox, type Mp4Box, Mp4Error, readBoxes } from './box-reader.ts';

export interface ReadTrack {
  readonly id: number;
  readonly kind: 'video' | 'audio' | 'other';
  readonly timescale: number;
  /** Four letters of the sample entry, for example `avc1`. */
  readonly sampleEntry: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly sampleRate: number;
  /** avcC, hvcC or esds content; empty when there is none. */
  readonly config: Uint8Array;
}

export function readInitSegment(bytes: Uint8Array): ReadTrack[] {
  const movie = readBoxes(bytes).find((found) => found.type === 'moov');
  if (!movie) throw new Mp4Error('no moov');
  return readBoxes(bytes, movie.contentStart, movie.end)
    .filter((child) => child.type === 'trak')
    .map((track) => readTrack(bytes, track));
}

function readTrack(bytes: Uint8Array, track: Mp4Box): ReadTrack {
  const media = child(bytes, track, ['mdia']);
  const entries = child(bytes, media, ['minf', 'stbl', 'stsd']);
  const [entry] = readBoxes(bytes, entries.contentStart + 8, entries.end);
  if (!entry) throw new Mp4Error('stsd without entry');
  const handler = new FieldReader(bytes, child(bytes, media, ['hdlr']));
  handler.skip(8);
  const type = handler.u32();
  const kind = type === 0x76696465 ? 'video' : type === 0x736f756e ? 'audio' : 'other';
  return {
    id: readTrackId(bytes, child(bytes, track, ['tkhd'])),
    kind,
    timescale: readTimescale(bytes, child(bytes, media, ['mdhd'])),
    sampleEntry: entry.type,
    ...readEntry(bytes, entry, kind),
  };
}

function readEntry(
  bytes: Uint8Array,
  entry: Mp4Box,
  kind: ReadTrack['kind'],
): Omit<ReadTrack, 'id' | 'kind' | 'timescale' | 'sampleEntry'> {
  const reader = new FieldReader(bytes, entry);
  const none = { width: 0, height: 0, channels: 0, sampleRate: 0, config: new Uint8Array(0) };
  if (kind === 'other') return none;
  reader.skip(kind === 'video' ? 24 : 16);
  const [first, second] = [reader.u16(), reader.u16()];
  reader.skip(kind === 'video' ? 50 : 4);
  const sampleRate = kind === 'audio' ? Math.floor(reader.u32() / 65536) : 0;
  const wanted = ['avcC', 'hvcC', 'esds'];
  const config = readBoxes(bytes, reader.position, entry.end).find((found) => wanted.includes(found.type));
  const content = config ? bytes.subarray(config.contentStart, config.end) : none.config;
  if (kind === 'video') return { ...none, width: first, height: second, config: content };
  return { ...none, channels: first, sampleRate, config: content };
}

function readTrackId(bytes: Uint8Array, header: Mp4Box): number {
  const reader = new FieldReader(bytes, header);
  reader.skip(reader.fullBox().version === 1 ? 16 : 8);
  return reader.u32();
}

function readTimescale(bytes: Uint8Array, header: Mp4Box): number {
  const reader = new FieldReader(bytes, header);
  reader.skip(reader.fullBox().version === 1 ? 16 : 8);
  return reader.u32();
}

function child(bytes: Uint8Array, parent: Mp4Box, path: readonly string[]): Mp4Box {
  const found = findBox(bytes, path, parent.contentStart, parent.end);
  if (!found) throw new Mp4Error(`no ${path.join('/')}`);
  return found;
}
