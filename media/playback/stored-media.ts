// Reads segments and init segments out of recorded files as they lie there; only decode times are set to the place in the playlist.
import { FieldReader, readBox, readBoxes } from '@vedette/protocols/mp4/box-reader.ts';
import type { Disk, DiskFile } from '../recordings/disk.ts';
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { type FileIndex, type IndexHeader, type IndexRecord, VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import { readFileStart } from '../recordings/media-scan.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import { cutRecord } from './cut-record.ts';
import type { InitRef, SegmentRef } from './hls-playlist.ts';

/** Decode times begin this far above zero, so that sound that starts before its picture keeps its place. */
const LEAD_TICKS = VIDEO_TIMESCALE;
/** Where our writer puts the decode time, from the first byte of a moof (protocols/mp4/fragment.ts). */
const DECODE_TIME_AT = 60;

export interface StoredMediaOptions {
  readonly disk: Disk;
  readonly store: RecordingsStore;
  readonly key: TrackKey;
}

/** The bytes of a segment, with its sound where browsers can append it and it is wanted. Throws RangeError for records that are not there. */
export async function readSegment(
  { disk, store, key }: StoredMediaOptions,
  index: FileIndex,
  ref: SegmentRef,
  /** Wall clock at which the last record is cut off, ms. */
  cutMs: number | null = null,
): Promise<Buffer[]> {
  const records = index.records.slice(ref.firstRecord, ref.firstRecord + ref.count);
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last || records.length !== ref.count) throw new RangeError('no such records');
  const withAudio = ref.hasSound && index.header.audio === 'playable';
  const start = first.offset;
  const end = last.offset + (withAudio ? last.totalBytes : last.videoBytes);
  const bytes = await withFile(disk, store.mediaPath(key, ref.fileStartMs), async (file) => {
    const whole = Buffer.allocUnsafe(end - start);
    if ((await file.read(whole, start)) < whole.length) throw new RangeError('the file is shorter than its index');
    return whole;
  });
  // One behind the other, as the playlist counts them: pictures that were left out between two take no time there.
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
    cutMs === null ? tail : cutRecord(tail, last, { cutMs, audioRate: withAudio ? index.header.audioRate : 0 }),
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

/** ftyp + moov, without the sound track where it is not wanted or cannot be played. */
export async function readInit(
  { disk, store, key }: StoredMediaOptions,
  { fileStartMs, hasSound }: InitRef,
): Promise<Buffer> {
  const { init, header } = await readFileInit({ disk, store, key }, fileStartMs);
  return hasSound && header.audio === 'playable' ? init : withoutSound(init);
}

/** ftyp + moov as they lie there, with all tracks. */
export async function readFileInit(
  { disk, store, key }: StoredMediaOptions,
  fileStartMs: number,
): Promise<{ readonly init: Buffer; readonly header: IndexHeader }> {
  return await withFile(disk, store.mediaPath(key, fileStartMs), async (file) => {
    const start = await readFileStart(file);
    if (!start) throw new RangeError('the file has no whole start');
    const init = Buffer.allocUnsafe(start.initBytes);
    await file.read(init, 0);
    return { init, header: start.header };
  });
}

/** Takes the tracks other than 1 out of moov and mvex. */
export function withoutSound(init: Buffer): Buffer {
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

export async function withFile<T>(disk: Disk, path: string, work: (file: DiskFile) => Promise<T>): Promise<T> {
  const file = await disk.openFile(path, 'read');
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
