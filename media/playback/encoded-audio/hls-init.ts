// Init segments of recordings for HLS: without their audio track, or with one of AAC in its place.
import { FieldReader, readBox, readBoxes } from '@vedette/protocols/mp4/box-reader.ts';
import { writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import { AAC_SAMPLE_RATE, aacFormat } from '../../codec/aac-arguments.ts';

const VIDEO_TRACK_ID = 1;
/** As in recordings that have audio. */
export const AUDIO_TRACK_ID = 2;

/** Removes all tracks except the video from moov and mvex. */
export function withoutAudio(init: Buffer): Buffer {
  return withTracks(init, []);
}

/** Its video, and AAC in one channel as `RecordedAac` makes it. */
export function withEncodedAudio(init: Buffer): Buffer {
  const { config, channels } = aacFormat(1);
  const track = { kind: 'audio', id: AUDIO_TRACK_ID, codec: 'aac', channels, config } as const;
  const audio = Buffer.from(writeInitSegment([{ ...track, timescale: AAC_SAMPLE_RATE, sampleRate: AAC_SAMPLE_RATE }]));
  return withTracks(init, childrenOf(audio));
}

interface Child {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Children of moov. */
function childrenOf(init: Buffer): Child[] {
  const fileType = readBox(init, 0);
  const movie = fileType && readBox(init, fileType.end);
  if (movie?.type !== 'moov') throw new RangeError('not an init segment');
  return readBoxes(init, movie.contentStart, movie.end).map(({ type, start, end }) => ({
    type,
    bytes: init.subarray(start, end),
  }));
}

/** The video of `init` and the tracks of another moov. */
function withTracks(init: Buffer, others: readonly Child[]): Buffer {
  const kept: Buffer[] = [];
  const more = (type: string): Buffer[] => others.filter((one) => one.type === type).map(({ bytes }) => bytes);
  for (const { type, bytes } of childrenOf(init)) {
    if (type === 'trak' && trackId(bytes) !== VIDEO_TRACK_ID) continue;
    // Of moov's children the tracks stand before mvex.
    if (type === 'mvex') kept.push(...more('trak'), mergedExtends([bytes, ...more('mvex')]));
    else kept.push(bytes);
  }
  return Buffer.concat([init.subarray(0, readBox(init, 0)?.end), boxed('moov', kept)]);
}

/** Of the first mvex only what concerns the video. */
function mergedExtends(boxes: readonly Buffer[]): Buffer {
  const kept = boxes.flatMap((bytes, at) =>
    readBoxes(bytes, 8, bytes.length)
      .map(({ start, end }) => bytes.subarray(start, end))
      .filter((child) => at > 0 || child.toString('latin1', 4, 8) !== 'trex' || child.readUInt32BE(12) === 1),
  );
  return boxed('mvex', kept);
}

function trackId(track: Buffer): number | null {
  const header = readBoxes(track, 8, track.length).find((child) => child.type === 'tkhd');
  if (!header) return null;
  const reader = new FieldReader(track, header);
  reader.skip(reader.fullBox().version === 1 ? 16 : 8);
  return reader.u32();
}

function boxed(type: string, contents: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(
    contents.reduce((sum, one) => sum + one.length, 8),
    0,
  );
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...contents]);
}
