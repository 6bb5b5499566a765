// Reads segments and init segments from recorded files; only decode times are rewritten to fit the playlist.
import { FieldReader, readBox, readBoxes } from '@vedette/protocols/mp4/box-reader.ts';
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { type FileIndex, type IndexRecord, recordEndMs, VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import { type RecordedMedia, readProven, readProvenInit } from '../recordings/check/proven-media.ts';
import { cutRecord } from './cut-record.ts';
import type { InitRef, SegmentRef } from './hls-playlist.ts';

/** Offset of decode times, so that audio that starts before its video stays in place. */
const LEAD_TICKS = VIDEO_TIMESCALE;
/** Where our writer puts the decode time, from the first byte of a moof (protocols/mp4/fragment.ts). */
const DECODE_TIME_AT = 60;

/** Bytes of a segment up to the first damaged fragment, with audio if it is wanted and browsers can append it. Throws RangeError if nothing is left. */
export async function readSegment(
  { disk, store, key }: RecordedMedia,
  index: FileIndex,
  ref: SegmentRef,
  /** Wall clock at which the last record is cut, ms. */
  cutMs: number | null = null,
): Promise<Buffer[]> {
  const withAudio = ref.hasAudio && index.header.audio === 'playable';
  const { records, bytes } = await readProven({ disk, store, key }, index, ref, withAudio);
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last) throw new RangeError('no such records');
  const start = first.offset;
  // Contiguous decode times, as the playlist counts them: skipped frames take no time.
  let at = LEAD_TICKS + ref.positionTicks;
  for (const record of records) {
    placeAt(bytes, record, { at, start, index, withAudio });
    at += record.durationTicks;
  }
  const parts = withAudio
    ? [bytes.subarray(0, last.offset - start), bytes.subarray(last.offset - start)]
    : records.map((record) => bytes.subarray(record.offset - start, record.offset - start + record.videoBytes));
  const tail = parts.pop();
  if (tail === undefined) throw new RangeError('no such records');
  return [
    ...parts,
    // Damage ended it earlier: nothing to cut.
    cutMs === null || recordEndMs(last) <= cutMs
      ? tail
      : cutRecord(tail, last, { cutMs, audioRate: withAudio ? index.header.audioRate : 0 }),
  ];
}

interface RecordPlace {
  /** Decode time of its first picture. */
  readonly at: number;
  /** Offset of `bytes` in the file. */
  readonly start: number;
  readonly index: FileIndex;
  readonly withAudio: boolean;
}

function placeAt(bytes: Buffer, record: IndexRecord, { at, start, index, withAudio }: RecordPlace): void {
  const video = record.offset - start + CLOCK_BOX_BYTES;
  const shift = at - readDecodeTime(bytes, video);
  writeDecodeTime(bytes, video, at);
  if (!withAudio || record.videoBytes === record.totalBytes) return;
  const audio = record.offset - start + record.videoBytes;
  const audioShift = Math.round((shift * index.header.audioRate) / VIDEO_TIMESCALE);
  writeDecodeTime(bytes, audio, readDecodeTime(bytes, audio) + audioShift);
}

/** ftyp + moov, without the audio track if it is unwanted or unplayable. */
export async function readInit(
  { disk, store, key }: RecordedMedia,
  { fileStartMs, hasAudio }: InitRef,
): Promise<Buffer> {
  const { init, header } = await readProvenInit({ disk, store, key }, fileStartMs);
  return hasAudio && header.audio === 'playable' ? init : withoutAudio(init);
}

/** Removes all tracks except 1 from moov and mvex. */
export function withoutAudio(init: Buffer): Buffer {
  const fileType = readBox(init, 0);
  const movie = fileType && readBox(init, fileType.end);
  if (!fileType || movie?.type !== 'moov') throw new RangeError('not an init segment');
  const kept: Buffer[] = [];
  for (const child of readBoxes(init, movie.contentStart, movie.end)) {
    if (child.type === 'trak' && trackId(init, child.contentStart, child.end, 'tkhd') !== 1) continue;
    kept.push(
      child.type === 'mvex'
        ? firstTrackOnly(init, child.contentStart, child.end)
        : init.subarray(child.start, child.end),
    );
  }
  return Buffer.concat([init.subarray(0, fileType.end), boxed('moov', kept)]);
}

function firstTrackOnly(init: Buffer, from: number, to: number): Buffer {
  const kept = readBoxes(init, from, to).filter((child) => {
    if (child.type !== 'trex') return true;
    const reader = new FieldReader(init, child);
    reader.skip(4);
    return reader.u32() === 1;
  });
  return boxed(
    'mvex',
    kept.map((child) => init.subarray(child.start, child.end)),
  );
}

function trackId(init: Buffer, from: number, to: number, type: string): number | null {
  const header = readBoxes(init, from, to).find((child) => child.type === type);
  if (!header) return null;
  const reader = new FieldReader(init, header);
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

function readDecodeTime(bytes: Buffer, moof: number): number {
  if (bytes.toString('latin1', moof + DECODE_TIME_AT - 8, moof + DECODE_TIME_AT - 4) !== 'tfdt') {
    throw new RangeError('no decode time where it should be');
  }
  return Number(bytes.readBigUInt64BE(moof + DECODE_TIME_AT));
}

function writeDecodeTime(bytes: Buffer, moof: number, ticks: number): void {
  bytes.writeBigUInt64BE(BigInt(Math.max(0, ticks)), moof + DECODE_TIME_AT);
}
