// Lists a recorded file by its index alone: its media lies elsewhere.
import { join } from 'node:path';
import { CATALOG_NAME, type CatalogEntry, writeCatalogEntry } from './day-catalog.ts';
import type { Disk } from './disk.ts';
import { originOf, readIndex, recordEndMs } from './index-record.ts';
import { dayFolder, indexPath, type TrackKey } from './recording-path.ts';

export interface AdoptedIndex {
  readonly key: TrackKey;
  readonly startMs: number;
  /** The index as it was written. */
  readonly index: Buffer;
  /** Of its media. */
  readonly mediaBytes: number;
}

/** Writes index and catalog line. False, and nothing is written, where the index is damaged, of another file, or does not describe all of the media. */
export async function adoptIndex(disk: Disk, folder: string, file: AdoptedIndex): Promise<boolean> {
  const { key, startMs, index } = file;
  const entry = entryOf(file);
  if (entry === null) return false;
  const day = dayFolder(folder, key, startMs);
  await disk.makeFolder(day);
  await disk.replaceFile(indexPath(folder, key, startMs), index);
  await disk.appendLine(join(day, CATALOG_NAME), writeCatalogEntry(entry));
  return true;
}

function entryOf({ key, startMs, index, mediaBytes }: AdoptedIndex): CatalogEntry | null {
  const { records = [] } = readIndex(index, originOf(key, startMs)) ?? {};
  const last = records.at(-1);
  if (last === undefined || last.offset + last.totalBytes !== mediaBytes) return null;
  const endMs = records.reduce((latest, record) => Math.max(latest, recordEndMs(record)), startMs);
  return { startMs, endMs, mediaBytes, records: records.length };
}
