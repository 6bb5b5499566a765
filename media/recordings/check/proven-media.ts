// Reads fragments of recorded files and verifies their checksums: what does not match is noted as damaged and never served.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Disk, type DiskFile, NotAFile } from '../disk.ts';
import type { FileIndex, IndexHeader, IndexRecord } from '../index-record.ts';
import { type FileStart, FRAGMENT_MAX_BYTES, readFileStart } from '../media-scan.ts';
import type { TrackKey } from '../recording-path.ts';
import type { RecordingsStore } from '../recordings-store.ts';

export interface RecordedMedia {
  readonly disk: Disk;
  readonly store: RecordingsStore;
  readonly key: TrackKey;
}

export interface RecordsRef {
  readonly fileStartMs: number;
  readonly firstRecord: number;
  readonly count: number;
}

export interface ProvenRecords {
  /** The requested fragments up to the first damaged one; at least one. */
  readonly records: readonly IndexRecord[];
  /** From the start of the first to the end of the last. */
  readonly bytes: Buffer;
}

/** The file changed or disappeared. */
export class DamagedRecording extends RangeError {
  override readonly name = 'DamagedRecording';
}

/** Largest read: minutes of a stream without keyframes. */
const READ_MAX_BYTES = 512 * 1024 * 1024;

/** Without `withAudio` the audio part of the last record is omitted. Throws RangeError if nothing valid can be returned. */
export async function readProven(
  media: RecordedMedia,
  index: FileIndex,
  { fileStartMs, firstRecord, count }: RecordsRef,
  withAudio: boolean,
): Promise<ProvenRecords> {
  const { disk, store, key } = media;
  const wanted = store.undamaged(key, fileStartMs, index.records.slice(firstRecord, firstRecord + count));
  return await withFile(disk, store.mediaPath(key, fileStartMs), async (file) => {
    if (index.header.origin === undefined) await assertSameFile(file, index.header);
    const size = await file.size();
    const inside = wanted.slice(0, Math.max(0, firstOutside(wanted, size)));
    const [first] = inside;
    const last = inside.at(-1);
    let proven = 0;
    let bytes = Buffer.alloc(0);
    if (first && last) {
      bytes = Buffer.allocUnsafe(endOf(last, withAudio) - first.offset);
      if ((await file.read(bytes, first.offset)) === bytes.length) proven = provenCount(inside, bytes, withAudio);
    }
    if (proven < wanted.length) store.markDamaged(key, fileStartMs, index.records, firstRecord + proven);
    const records = inside.slice(0, proven);
    const end = records.at(-1);
    if (!first || !end) throw new DamagedRecording('no whole fragment there');
    return { records, bytes: bytes.subarray(0, endOf(end, withAudio) - first.offset) };
  });
}

/**
 * The audio parts of these records alone, each a movie fragment; null for those that have none or do not match. Says
 * nothing about damage: the records are not served, only heard beside others.
 */
export async function readProvenAudio(
  { disk, store, key }: RecordedMedia,
  index: FileIndex,
  fileStartMs: number,
  records: readonly IndexRecord[],
): Promise<(Buffer | null)[]> {
  return await withFile(disk, store.mediaPath(key, fileStartMs), async (file) => {
    if (index.header.origin === undefined) await assertSameFile(file, index.header);
    const parts: (Buffer | null)[] = [];
    for (const { offset, videoBytes, totalBytes, audioCrc } of records) {
      const length = totalBytes > FRAGMENT_MAX_BYTES ? 0 : totalBytes - videoBytes;
      const bytes = Buffer.allocUnsafe(length);
      const isWhole = length > 0 && (await file.read(bytes, offset + videoBytes)) === length;
      parts.push(isWhole && (audioCrc === undefined || crc32(bytes) === audioCrc) ? bytes : null);
    }
    return parts;
  });
}

/** How many of them are contiguous inside a file of that size. */
function firstOutside(records: readonly IndexRecord[], size: number): number {
  let at = records[0]?.offset ?? 0;
  const most = at + READ_MAX_BYTES;
  const outside = records.findIndex(({ offset, totalBytes }) => {
    const isFollowing = offset >= at;
    at = offset + totalBytes;
    return !isFollowing || at > size || at > most || totalBytes > FRAGMENT_MAX_BYTES;
  });
  return outside < 0 ? records.length : outside;
}

function provenCount(records: readonly IndexRecord[], bytes: Buffer, withAudio: boolean): number {
  const start = records[0]?.offset ?? 0;
  const damaged = records.findIndex((record) => {
    const at = record.offset - start;
    const isAudioKnown = withAudio || at + record.totalBytes <= bytes.length;
    return !matches(record, bytes.subarray(at, at + (isAudioKnown ? record.totalBytes : record.videoBytes)));
  });
  return damaged < 0 ? records.length : damaged;
}

/** Checks the fragment, or only its video part. Version 1 has no checksums. */
export function matches({ videoBytes, videoCrc, audioCrc }: IndexRecord, bytes: Buffer): boolean {
  if (videoCrc !== undefined && crc32(bytes.subarray(0, videoBytes)) !== videoCrc) return false;
  return audioCrc === undefined || bytes.length === videoBytes || crc32(bytes.subarray(videoBytes)) === audioCrc;
}

function endOf({ offset, videoBytes, totalBytes }: IndexRecord, withAudio: boolean): number {
  return offset + (withAudio ? totalBytes : videoBytes);
}

/** ftyp and moov of the index's file, with all tracks. Throws RangeError if they changed. */
export async function readProvenInit(
  { disk, store, key }: RecordedMedia,
  fileStartMs: number,
): Promise<{ readonly init: Buffer; readonly header: IndexHeader }> {
  const index = await store.readIndex(key, fileStartMs);
  if (!index) throw new RangeError('the file is gone, or its index is not its own');
  try {
    return await readOwnInit({ disk, store, key }, fileStartMs, index.header);
  } catch (error) {
    // Nothing of it can be decoded: playback omits the file.
    if (error instanceof DamagedRecording) store.markAllDamaged(key, fileStartMs, index.records);
    throw error;
  }
}

async function readOwnInit({ disk, store, key }: RecordedMedia, fileStartMs: number, own: IndexHeader) {
  return await withFile(disk, store.mediaPath(key, fileStartMs), async (file) => {
    const { header, initBytes } = await assertSameFile(file, own);
    const init = Buffer.allocUnsafe(initBytes);
    await file.read(init, 0);
    if (initHashOf(init) !== header.initHash) throw new DamagedRecording('the file does not begin as it was written');
    return { init, header };
  });
}

/** As index headers have it. */
export function initHashOf(init: Buffer): string {
  return createHash('sha256').update(init).digest('hex').slice(0, 16);
}

/** A different file may have the name: the right one repeats the header of its index. */
async function assertSameFile(file: DiskFile, header: IndexHeader): Promise<FileStart> {
  const start = await readFileStart(file);
  const isSame =
    start?.header.runId === header.runId &&
    start.header.initHash === header.initHash &&
    start.header.origin === header.origin;
  if (!start || !isSame) throw new DamagedRecording('the file is not the one its index is of');
  return start;
}

/** Only regular files hold recordings. */
export async function withFile<T>(disk: Disk, path: string, work: (file: DiskFile) => Promise<T>): Promise<T> {
  const file = await disk.openFile(path, 'read').catch((error: unknown) => {
    throw error instanceof NotAFile ? new DamagedRecording(error.message, { cause: error }) : error;
  });
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
