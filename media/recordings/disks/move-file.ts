// Copies one finished file with its index to another storage folder, and believes the copy only after it was read back.
import { createHash } from 'node:crypto';
import { CATALOG_NAME, writeCatalogEntry } from '../day-catalog.ts';
import type { Disk, DiskFile } from '../disk.ts';
import { originOf, readIndex } from '../index-record.ts';
import { dayFolder, indexPath, mediaPath, MOVING_SUFFIX, type TrackKey, trackFolder } from '../recording-path.ts';
import type { RecordedFile } from '../recorded-track.ts';

export interface MoveRequest {
  readonly disk: Disk;
  readonly key: TrackKey;
  readonly file: RecordedFile;
  /** Of media that is in an object store alone. */
  readonly storedBytes?: number;
  readonly from: string;
  readonly to: string;
  readonly signal: AbortSignal;
}

/** The copy is not what was copied: the disk that should take it returns something else. */
export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers';
}

const CHUNK_BYTES = 1024 * 1024;

/** When it resolves, the target has the whole file for good under its own name. The source is not touched. */
export async function copyToFolder(request: MoveRequest): Promise<void> {
  const { disk, key, file, from, to, storedBytes = 0 } = request;
  const { startMs, endMs } = file;
  const index = await disk.readWhole(indexPath(from, key, startMs));
  const day = dayFolder(to, key, startMs);
  await disk.makeFolder(day);
  await disk.syncFolder(trackFolder(to, key));
  const target = mediaPath(to, key, startMs);
  const isMediaHere = file.mediaBytes > 0;
  if (isMediaHere) await copyMedia(request, `${target}${MOVING_SUFFIX}`);
  // Its index first: media without one would lose the marks of alarms in a repair.
  await disk.replaceFile(indexPath(to, key, startMs), index);
  if (!index.equals(await disk.readWhole(indexPath(to, key, startMs)))) throw new CopyDiffers('the index differs');
  if (isMediaHere) await disk.renameFile(`${target}${MOVING_SUFFIX}`, target);
  await disk.syncFolder(day);
  const records = readIndex(index, originOf(key, startMs))?.records.length ?? 0;
  const mediaBytes = isMediaHere ? file.mediaBytes : storedBytes;
  // Without a line the next start examines the file, and would fetch it from the store for that.
  if (mediaBytes === 0 || records === 0) return;
  await disk.appendLine(`${day}/${CATALOG_NAME}`, writeCatalogEntry({ startMs, endMs, mediaBytes, records }));
}

async function copyMedia({ disk, key, file, from, signal }: MoveRequest, path: string): Promise<void> {
  const source = await disk.openFile(mediaPath(from, key, file.startMs), 'read');
  try {
    await disk.removeFile(path);
    const target = await disk.createFile(path);
    try {
      const written = await copyBytes(source, target, signal);
      await target.sync();
      const [size, read] = [await target.size(), await digestOf(target, signal)];
      if (size !== file.mediaBytes || read !== written) throw new CopyDiffers('the media differs');
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Returns the digest of what was read. */
async function copyBytes(source: DiskFile, target: DiskFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; ; ) {
    signal.throwIfAborted();
    const chunk = buffer.subarray(0, await source.read(buffer, at));
    if (chunk.length === 0) return hash.digest('hex');
    hash.update(chunk);
    await target.writeAll([chunk], at);
    at += chunk.length;
  }
}

export async function digestOf(file: DiskFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; ; ) {
    signal.throwIfAborted();
    const chunk = buffer.subarray(0, await file.read(buffer, at));
    if (chunk.length === 0) return hash.digest('hex');
    hash.update(chunk);
    at += chunk.length;
  }
}

/** Whether both folders hold the same bytes under that name, media and index. */
export async function isSameInBoth({ disk, key, file, from, to, signal }: MoveRequest): Promise<boolean> {
  const { startMs, mediaBytes } = file;
  const [one, other] = [from, to].map((folder) => disk.readWhole(indexPath(folder, key, startMs)));
  if (!(await one)?.equals((await other) ?? Buffer.alloc(0))) return false;
  if (mediaBytes === 0) return true;
  const digests: string[] = [];
  for (const folder of [from, to]) {
    const media = await disk.openFile(mediaPath(folder, key, startMs), 'read');
    try {
      digests.push(await digestOf(media, signal));
    } finally {
      await media.close();
    }
  }
  return digests[0] === digests[1];
}
