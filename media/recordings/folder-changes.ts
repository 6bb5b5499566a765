// Changes of a storage folder beside recording: a file is removed with its line of the catalog, notes are added.
import { join } from 'node:path';
import { CATALOG_NAME, writeRemovedEntry } from './day-catalog.ts';
import { type Disk, errorCode } from './disk.ts';
import { NOTES_NAME, type TrackNote, writeNote } from './gaps/track-notes.ts';
import { dayFolder, indexPath, mediaPath, type TrackKey } from './recording-path.ts';

export interface Removal {
  readonly disk: Disk;
  readonly folder: string;
  readonly key: TrackKey;
  readonly startMs: number;
  /** Files of the folder that may be of the same day. */
  readonly beside: readonly { readonly startMs: number }[];
}

export async function removeRecordedFile({ disk, folder, key, startMs, beside }: Removal): Promise<void> {
  await disk.removeFile(mediaPath(folder, key, startMs));
  await disk.removeFile(indexPath(folder, key, startMs));
  const day = dayFolder(folder, key, startMs);
  const isDayOver = beside.every((one) => dayFolder(folder, key, one.startMs) !== day);
  if (isDayOver) await removeDay(disk, day);
  else await noteRemoval(disk, join(day, CATALOG_NAME), startMs);
}

/** Only if nothing but the catalog is left: a recorder may be creating a file that is not listed yet. */
async function removeDay(disk: Disk, day: string): Promise<void> {
  const names = await disk.list(day);
  if (names.some(({ name }) => name !== CATALOG_NAME)) return;
  await disk.removeFile(join(day, CATALOG_NAME));
  await disk.removeEmptyFolder(day);
}

/** On a full disk the catalog cannot grow: its line stays, and the checker reports it. */
async function noteRemoval(disk: Disk, catalog: string, startMs: number): Promise<void> {
  try {
    await disk.appendLine(catalog, writeRemovedEntry(startMs));
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'ENOENT') throw error;
  }
}

export async function appendNotes(disk: Disk, track: string, notes: readonly TrackNote[]): Promise<void> {
  await disk.makeFolder(track);
  await disk.appendLine(join(track, NOTES_NAME), Buffer.concat(notes.map(writeNote)));
}
