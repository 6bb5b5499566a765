// Writes initialisation segments, ftyp and moov, for one or several tracks (ISO/IEC 14496-12 8.2 to 8.8, 14496-14, 14496-15).
import { type BoxContent, box, fourCc, fullBox, u16, u32, zeros } from './box-writer.ts';

export interface Mp4VideoTrack {
  readonly kind: 'video';
  readonly id: number;
  readonly timescale: number;
  readonly codec: 'h264' | 'h265' | 'mjpeg';
  readonly width: number;
  readonly height: number;
  /** avcC or hvcC content; empty for MJPEG. */
  readonly config: Uint8Array;
}

export interface Mp4AudioTrack {
  readonly kind: 'audio';
  readonly id: number;
  readonly timescale: number;
  readonly codec: 'aac' | 'pcma' | 'pcmu' | 'opus';
  readonly sampleRate: number;
  readonly channels: number;
  /** AudioSpecificConfig for AAC; empty otherwise. */
  readonly config: Uint8Array;
}

export type Mp4Track = Mp4VideoTrack | Mp4AudioTrack;

const MATRIX = [...u32(0x10000), ...zeros(12), ...u32(0x10000), ...zeros(12), ...u32(0x40000000)];

/** ftyp + moov; samples follow in movie fragments only. */
export function writeInitSegment(tracks: readonly Mp4Track[]): Uint8Array {
  const fileType = box('ftyp', fourCc('iso5'), u32(512), fourCc('iso5'), fourCc('iso6'), fourCc('mp41'));
  const next = tracks.reduce((highest, track) => Math.max(highest, track.id), 0) + 1;
  const header = [zeros(8), u32(1000), u32(0), u32(0x10000), u16(0x100), zeros(10), MATRIX, zeros(24), u32(next)];
  const movie = box(
    'moov',
    fullBox('mvhd', 0, 0, ...header),
    ...tracks.map(trackBox),
    box('mvex', ...tracks.map((track) => fullBox('trex', 0, 0, u32(track.id), u32(1), zeros(12)))),
  );
  const bytes = new Uint8Array(fileType.length + movie.length);
  bytes.set(fileType);
  bytes.set(movie, fileType.length);
  return bytes;
}

function trackBox(track: Mp4Track): Uint8Array {
  const video = track.kind === 'video';
  const size = video ? [...u16(track.width), 0, 0, ...u16(track.height), 0, 0] : zeros(8);
  const volume = video ? [0, 0] : [1, 0];
  const handler = video ? ['vide', 'Video'] : ['soun', 'Sound'];
  return box(
    'trak',
    // 3: enabled and in the movie.
    fullBox('tkhd', 0, 3, zeros(8), u32(track.id), zeros(8), zeros(8), zeros(4), volume, [0, 0], MATRIX, size),
    box(
      'mdia',
      fullBox('mdhd', 0, 0, zeros(8), u32(track.timescale), u32(0), u16(0x55c4), u16(0)),
      fullBox('hdlr', 0, 0, zeros(4), fourCc(handler[0] as string), zeros(12), fourCc(handler[1] as string), [0]),
      box(
        'minf',
        video ? fullBox('vmhd', 0, 1, zeros(8)) : fullBox('smhd', 0, 0, zeros(4)),
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        box('stbl', fullBox('stsd', 0, 0, u32(1), sampleEntry(track)), ...emptyTables()),
      ),
    ),
  );
}

function emptyTables(): Uint8Array[] {
  return [
    fullBox('stts', 0, 0, u32(0)),
    fullBox('stsc', 0, 0, u32(0)),
    fullBox('stsz', 0, 0, u32(0), u32(0)),
    fullBox('stco', 0, 0, u32(0)),
  ];
}

function sampleEntry(track: Mp4Track): Uint8Array {
  return track.kind === 'video' ? videoEntry(track) : audioEntry(track);
}

const VIDEO_ENTRY = { h264: 'avc1', h265: 'hvc1', mjpeg: 'mp4v' } as const;

function videoEntry(track: Mp4VideoTrack): Uint8Array {
  const resolution = [...u32(0x480000), ...u32(0x480000)];
  return box(
    VIDEO_ENTRY[track.codec],
    zeros(6),
    u16(1),
    zeros(16),
    u16(track.width),
    u16(track.height),
    resolution,
    zeros(4),
    u16(1),
    zeros(32),
    u16(24),
    u16(0xffff),
    videoConfig(track),
  );
}

function videoConfig({ codec, config }: Mp4VideoTrack): Uint8Array {
  if (codec === 'mjpeg') return elementaryStream(OBJECT.jpeg, []);
  return box(codec === 'h264' ? 'avcC' : 'hvcC', config);
}

const AUDIO_ENTRY = { aac: 'mp4a', pcma: 'alaw', pcmu: 'ulaw', opus: 'Opus' } as const;

function audioEntry(track: Mp4AudioTrack): Uint8Array {
  const contents: BoxContent[] = [
    zeros(6),
    u16(1),
    zeros(8),
    u16(track.channels),
    u16(16),
    zeros(4),
    // 16.16 fixed point; rates beyond 65535 do not fit and stand in the codec configuration.
    u16(track.sampleRate > 0xffff ? 0 : track.sampleRate),
    u16(0),
  ];
  if (track.codec === 'aac') contents.push(elementaryStream(OBJECT.aac, descriptor(5, [...track.config])));
  if (track.codec === 'opus') {
    contents.push(box('dOps', [0, track.channels], u16(0), u32(track.sampleRate), u16(0), [0]));
  }
  return box(AUDIO_ENTRY[track.codec], ...contents);
}

/** Object type, and stream type with its reserved bit (ISO/IEC 14496-1 7.2.6.6): MPEG-4 audio, JPEG. */
const OBJECT = { aac: [0x40, 0x15], jpeg: [0x6c, 0x11] } as const;

/** esds: ES descriptor, decoder configuration, SL configuration. */
function elementaryStream(object: readonly number[], specific: readonly number[]): Uint8Array {
  const decoder = descriptor(4, [...object, 0, 0, 0, ...zeros(8), ...specific]);
  return fullBox('esds', 0, 0, descriptor(3, [...u16(1), 0, ...decoder, ...descriptor(6, [2])]));
}

function descriptor(tag: number, content: readonly number[]): number[] {
  const length = content.length;
  return [tag, 0x80, 0x80, 0x80 | (length >> 7), length & 0x7f, ...content];
}
