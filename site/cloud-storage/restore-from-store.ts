// Brings the history of recordings back from an object store alone: indices and the list of copies; the media stays where it is.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { adoptIndex } from '@vedette/media/recordings/adopt-index.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import {
  dayFolder,
  isChannelId,
  mediaPath,
  parseFileName,
  type TrackKey,
} from '@vedette/media/recordings/recording-path.ts';
import type { Copies } from './copies.ts';
import { objectKey } from './object-key.ts';
import type { ObjectStore } from './object-store.ts';

export interface RestoreRequest {
  readonly disk: Disk;
  /** Of the recordings. */
  readonly folder: string;
  readonly store: ObjectStore;
  /** Under which the server knows the store. */
  readonly storeId: string;
  /** First part of the keys of all accounts; may be empty. */
  readonly prefix: string;
  /** How long the objects are kept from their recording on. */
  readonly days: number;
  readonly copies: Copies;
  readonly signal: AbortSignal;
}

export interface RestoreSummary {
  readonly restored: number;
  /** Are on the disk already. */
  readonly present: number;
  /** An index without its media, or that does not describe it. */
  readonly incomplete: number;
}

/** An index of a minute has some ten kilobytes. */
const INDEX_BYTES = 4 * 1024 * 1024;

interface StoredFile {
  readonly root: string;
  readonly key: TrackKey;
  readonly startMs: number;
}

/** Can be cut off and run again: a file counts as restored once its line is in the list of copies. Rejects with StoreFault. */
export async function restoreFromStore(request: RestoreRequest): Promise<RestoreSummary> {
  const counts = { restored: 0, present: 0, incomplete: 0 };
  let loaded = '';
  for await (const file of storedFiles(request)) {
    const day = dayFolder(request.folder, file.key, file.startMs);
    if (day !== loaded) await request.copies.load(day);
    loaded = day;
    counts[await restoreFile(request, file, day)] += 1;
  }
  return counts;
}

async function restoreFile(request: RestoreRequest, file: StoredFile, day: string): Promise<keyof RestoreSummary> {
  const { disk, folder, store, storeId, days, copies, signal } = request;
  const { root, key, startMs } = file;
  if (copies.find(day, startMs) !== null || (await disk.sizeOf(mediaPath(folder, key, startMs))) !== null)
    return 'present';
  const [media, index] = await Promise.all(
    (['mp4', 'idx'] as const).map((kind) => store.head(objectKey(root, key, startMs, kind), signal)),
  );
  if (!media || !index || index.bytes > INDEX_BYTES) return 'incomplete';
  const range = { from: 0, length: index.bytes };
  const bytes = await store.get(objectKey(root, key, startMs, 'idx'), range, signal);
  const isAdopted = await adoptIndex(disk, folder, { key, startMs, index: bytes, mediaBytes: media.bytes });
  if (!isAdopted) return 'incomplete';
  const until = startMs + days * DAY_MS;
  const sizes = { mediaBytes: media.bytes, indexBytes: index.bytes };
  await copies.set(day, { startMs, state: 'remote', storeId, root, ...sizes, until });
  return 'restored';
}

/** In the order of their keys, by their indices, which are written last. */
async function* storedFiles({ store, prefix, signal }: RestoreRequest): AsyncIterable<StoredFile> {
  const first = prefix === '' ? '' : `${prefix}/`;
  for (let after = ''; ; ) {
    const keys = await store.list(first, after, signal);
    for (const key of keys) {
      const file = readKey(key, first);
      if (file !== null) yield file;
    }
    const last = keys.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Null for media, and for what is no recording of ours. */
function readKey(text: string, first: string): StoredFile | null {
  const [ownerId = '', channelId = '', quality = '', , name = '', ...more] = text.slice(first.length).split('/');
  const file = parseFileName(name);
  if (file?.kind !== 'idx' || more.length > 0 || !isChannelId(channelId) || !/^[0-2]$/.test(quality)) return null;
  const found = {
    root: `${first}${ownerId}`,
    key: { channelId, quality: Number(quality) as TrackKey['quality'] },
    startMs: file.startMs,
  };
  return objectKey(found.root, found.key, file.startMs, 'idx') === text ? found : null;
}
