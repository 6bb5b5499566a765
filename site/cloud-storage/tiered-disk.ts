// The disk of the recordings with object stores behind it: media that is only in a store is listed, sized, read and removed like a file.
import { basename, dirname } from 'node:path';
import { type Disk, errorCode } from '@vedette/media/recordings/disk.ts';
import { parseFileName } from '@vedette/media/recordings/recording-path.ts';
import { COPIES_NAME, type Copies, type Copy } from './copies.ts';
import type { ObjectDeletion, ObjectDeletions } from './object-deletions.ts';
import { objectKey, trackOf } from './object-key.ts';
import { type ObjectStore, StoreFault } from './object-store.ts';
import { RemoteChunks, remoteFile } from './remote-file.ts';

export interface TieredDiskOptions {
  readonly disk: Disk;
  readonly copies: Copies;
  readonly deletions: ObjectDeletions;
  /** Null: the installation no longer has that store. */
  readonly storeOf: (storeId: string) => ObjectStore | null;
}

export function tieredDisk({ disk, copies, deletions, storeOf }: TieredDiskOptions): Disk {
  const chunks = new RemoteChunks();
  const remoteAt = (path: string): Copy | null => {
    const copy = copyAt(copies, path);
    return copy?.state === 'remote' ? copy : null;
  };
  return {
    ...disk,
    list: async (path) => {
      const found = await disk.list(path);
      if (!found.some(({ name }) => name === COPIES_NAME)) return found;
      await copies.load(path);
      const names = new Set(found.map(({ name }) => name));
      const missing = [...copies.remoteOf(path)].map((startMs) => `${startMs}.mp4`).filter((name) => !names.has(name));
      return [...found, ...missing.map((name) => ({ name, isFolder: false }))];
    },
    sizeOf: async (path) => (await disk.sizeOf(path)) ?? remoteAt(path)?.mediaBytes ?? null,
    openFile: async (path, access) => {
      try {
        return await disk.openFile(path, access);
      } catch (error) {
        const copy = access === 'read' && errorCode(error) === 'ENOENT' ? remoteAt(path) : null;
        if (copy === null) throw error;
        const store = storeOf(copy.storeId);
        if (store === null) throw new StoreFault('gone', 'the store of a copy is not assigned here', { cause: error });
        const key = objectKey(copy.root, trackOf(dirname(path)), copy.startMs, 'mp4');
        return remoteFile({ store, chunks, key, bytes: copy.mediaBytes });
      }
    },
    removeFile: async (path) => {
      const copy = copyAt(copies, path);
      if (copy) await deletions.add(deletionsOf(dirname(path), copy));
      await disk.removeFile(path);
      if (copy) await copies.delete(dirname(path), copy.startMs);
    },
    removeTree: async (path) => {
      await deletions.add([...copies.below(path)].flatMap(({ day, copy }) => deletionsOf(day, copy)));
      await disk.removeTree(path);
      copies.forgetBelow(path);
    },
  };
}

function copyAt(copies: Copies, path: string): Copy | null {
  const name = parseFileName(basename(path));
  return name?.kind === 'mp4' ? copies.find(dirname(path), name.startMs) : null;
}

/** Both objects of a copy. */
export function deletionsOf(day: string, { storeId, root, startMs }: Copy): ObjectDeletion[] {
  const track = trackOf(day);
  return (['mp4', 'idx'] as const).map((kind) => ({ storeId, key: objectKey(root, track, startMs, kind) }));
}
