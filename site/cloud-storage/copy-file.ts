// Copies one finished file with its index into an object store, and believes the copy only after the store told its size and digest.
import { createHash } from 'node:crypto';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import { indexPath, mediaPath, type TrackKey } from '@vedette/media/recordings/recording-path.ts';
import { objectKey } from './object-key.ts';
import { type ObjectStore, StoreFault } from './object-store.ts';

export interface CopyRequest {
  readonly disk: Disk;
  readonly folder: string;
  readonly store: ObjectStore;
  readonly root: string;
  readonly key: TrackKey;
  readonly startMs: number;
  readonly signal: AbortSignal;
}

/** Rejects with StoreFault, with the error of the disk (ENOENT: retention was faster), or with the signal's reason. */
export async function copyFile(request: CopyRequest): Promise<{ mediaBytes: number; indexBytes: number }> {
  const { disk, folder, root, key, startMs } = request;
  const index = await disk.readWhole(indexPath(folder, key, startMs));
  const media = await readFile(disk, mediaPath(folder, key, startMs));
  // The index last: where it stands, its file is whole.
  await putVerified(request, objectKey(root, key, startMs, 'mp4'), media);
  await putVerified(request, objectKey(root, key, startMs, 'idx'), index);
  return { mediaBytes: media.length, indexBytes: index.length };
}

/** Rejects with StoreFault where the store does not tell the size and digest of what it took. */
export async function putVerified(
  { store, signal }: Pick<CopyRequest, 'store' | 'signal'>,
  key: string,
  bytes: Buffer,
): Promise<void> {
  await store.put(key, bytes, signal);
  const stored = await store.head(key, signal);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (stored?.bytes !== bytes.length || stored.sha256 !== sha256) {
    throw new StoreFault('differs', 'the store does not hold what it acknowledged');
  }
}

/** Larger than `readWhole` allows: a minute of a stream of many megabits. */
async function readFile(disk: Disk, path: string): Promise<Buffer> {
  const file = await disk.openFile(path, 'read');
  try {
    const bytes = Buffer.allocUnsafe(await file.size());
    return bytes.subarray(0, await file.read(bytes, 0));
  } finally {
    await file.close();
  }
}
