// Parses a recorded file box by box and rebuilds its index; stops before the first incomplete fragment.
import { crc32 } from 'node:zlib';
import { Mp4Error, type ReadRun, readBox, readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import type { DiskFile } from './disk.ts';
import { CLOCK_BOX_BYTES, readClockBox, readHeaderBox } from './file-boxes.ts';
import { type IndexHeader, type IndexRecord, RECORD_FLAG } from './index-record.ts';

export interface FileStart {
  readonly header: IndexHeader;
  /** ftyp + moov. */
  readonly initBytes: number;
  /** Offset of the first fragment. */
  readonly mediaOffset: number;
}

/** A box header, a moof of a long fragment: small against the media. */
const READ_BYTES = 256 * 1024;
/** Larger boxes are not ours: a recorder's queue holds a fraction of it. */
export const FRAGMENT_MAX_BYTES = 64 * 1024 * 1024;
/** ITU-T T.81, table B.1. */
const JPEG_START = 0xffd8;
const JPEG_END = 0xffd9;

/** ftyp, moov and our header box; null if incomplete. */
export async function readFileStart(file: DiskFile): Promise<FileStart | null> {
  const bytes = Buffer.alloc(READ_BYTES);
  const start = bytes.subarray(0, await file.read(bytes, 0));
  return parseFileStart(start);
}

export function parseFileStart(start: Buffer): FileStart | null {
  try {
    // Box by box: garbage may follow.
    const fileType = readBox(start, 0);
    const movie = fileType && readBox(start, fileType.end);
    if (fileType?.type !== 'ftyp' || movie?.type !== 'moov') return null;
    const own = readBox(start, movie.end);
    if (own?.type !== 'uuid') return null;
    const header = readHeaderBox(start, own.start, own.end);
    return header ? { header, initBytes: movie.end, mediaOffset: own.end } : null;
  } catch (error) {
    if (error instanceof Mp4Error) return null;
    throw error;
  }
}

interface Fragment {
  readonly record: IndexRecord;
  readonly endTicks: number;
}

/**
 * Records of the complete fragments from `offset` on. The NAL units of each frame are checked too: unsynced data may
 * be anything after a power cut.
 */
export async function scanFragments(file: DiskFile, offset: number): Promise<IndexRecord[]> {
  const size = await file.size();
  const records: IndexRecord[] = [];
  let at = offset;
  let previousEnd: number | null = null;
  for (;;) {
    const found: Fragment | null = await readOne(file, at, size, previousEnd);
    if (!found) return records;
    records.push(found.record);
    previousEnd = found.endTicks;
    at += found.record.totalBytes;
  }
}

/** The complete fragment at an offset, or null: truncated boxes, or frames that are no sequence of NAL units. */
export async function readFragmentAt(file: DiskFile, offset: number, size: number): Promise<IndexRecord | null> {
  return (await readOne(file, offset, size, null))?.record ?? null;
}

async function readOne(file: DiskFile, at: number, size: number, previousEnd: number | null): Promise<Fragment | null> {
  const clock = Buffer.alloc(CLOCK_BOX_BYTES);
  if ((await file.read(clock, at)) < CLOCK_BOX_BYTES || clock.toString('latin1', 4, 8) !== 'prft') return null;
  const video = await readPart(file, at + CLOCK_BOX_BYTES, size);
  if (video?.run.trackId !== 1 || !hasWholePictures(video)) return null;
  const audio = await readAudio(file, video.end, size);
  const durationTicks = video.run.samples.reduce((sum, sample) => sum + sample.duration, 0);
  return {
    record: {
      wallMs: readClockBox(clock, 0),
      offset: at,
      videoBytes: video.end - at,
      totalBytes: (audio ?? video).end - at,
      durationTicks,
      flags: flagsOf(video.run, previousEnd),
      pictures: video.run.samples.length,
      videoCrc: crc32(video.bytes, crc32(clock)),
      audioCrc: audio ? crc32(audio.bytes) : 0,
    },
    endTicks: video.run.baseDts + durationTicks,
  };
}

/** `previousEnd`: end of the fragment before, in ticks. */
function flagsOf({ samples, baseDts }: ReadRun, previousEnd: number | null): number {
  const isKey = samples[0]?.isKey ?? false;
  const isBreak = previousEnd !== null && Math.abs(baseDts - previousEnd) > 1;
  return (isKey ? RECORD_FLAG.key : 0) | (isBreak ? RECORD_FLAG.discontinuity : 0);
}

/** Audio part after its video part, if any. */
async function readAudio(file: DiskFile, at: number, size: number): Promise<Part | null> {
  const part = await readPart(file, at, size);
  return part?.run.trackId === 2 ? part : null;
}

interface Part {
  readonly run: ReadRun;
  /** moof and mdat. */
  readonly bytes: Buffer;
  readonly end: number;
}

/** moof + mdat at `at` if both are complete. */
async function readPart(file: DiskFile, at: number, size: number): Promise<Part | null> {
  try {
    const head = Buffer.alloc(Math.min(READ_BYTES, Math.max(0, size - at)));
    await file.read(head, at);
    const moof = readBox(head, 0);
    if (moof?.type !== 'moof' || moof.end + 8 > head.length) return null;
    const data = readBox(head, moof.end);
    if (data?.type !== 'mdat' || at + data.end > size || data.end > FRAGMENT_MAX_BYTES) return null;
    const [run] = readFragment(head, 0);
    if (!run) return null;
    const bytes = Buffer.alloc(data.end);
    await file.read(bytes, at);
    return { run, bytes, end: at + data.end };
  } catch (error) {
    if (error instanceof Mp4Error) return null;
    throw error;
  }
}

/** Length-prefixed NAL units that end exactly with the sample, or a JPEG from start to end of image. */
function hasWholePictures({ run, bytes }: Part): boolean {
  return run.samples.every(({ offset, size }) => {
    if (size < 4 || offset + size > bytes.length) return false;
    const sample = bytes.subarray(offset, offset + size);
    // No NAL unit is long enough for this length prefix.
    return sample.readUInt16BE(0) === JPEG_START ? sample.readUInt16BE(size - 2) === JPEG_END : isNalChain(sample);
  });
}

function isNalChain(sample: Buffer): boolean {
  let at = 0;
  while (at + 4 < sample.length) {
    const length = sample.readUInt32BE(at);
    if (length === 0) return false;
    at += 4 + length;
  }
  return at === sample.length;
}
