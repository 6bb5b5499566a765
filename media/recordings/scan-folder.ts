// Builds the list of recorded files at start: names of a day, its catalog, and a check of the few files the catalog does not know.
import { CATALOG_ENTRY_BYTES, CATALOG_NAME, type CatalogEntry, readCatalog } from './day-catalog.ts';
import { type Disk, errorCode, NotAFile } from './disk.ts';
import { INDEX_ENTRY_BYTES } from './index-record.ts';
import {
  isChannelId,
  isDayName,
  MOVING_SUFFIX,
  parseFileName,
  type RecordedQuality,
  type TrackKey,
  trackFolder,
} from './recording-path.ts';
import { repairFile } from './repair-file.ts';
import { isWholeLines, NOTES_NAME, readNotes, type TrackNote, writeNote } from './gaps/track-notes.ts';

export interface ScannedTrack {
  readonly key: TrackKey;
  /** Sorted by start. */
  readonly entries: readonly CatalogEntry[];
  readonly notes?: readonly TrackNote[];
}

export interface ScanReport {
  readonly tracks: readonly ScannedTrack[];
  readonly repaired: number;
  readonly removed: number;
}

export interface ScanRequest {
  readonly disk: Disk;
  readonly folder: string;
  /** Called for unreadable files, which stay as they are. */
  readonly onFault: (path: string, error: unknown) => void;
}

interface Counts {
  repaired: number;
  removed: number;
}

/** A file missing from the catalog or the index. */
interface UnknownFile {
  readonly key: TrackKey;
  readonly startMs: number;
  readonly path: string;
}

export async function scanFolder(request: ScanRequest): Promise<ScanReport> {
  const tracks: ScannedTrack[] = [];
  const counts: Counts = { repaired: 0, removed: 0 };
  for (const channel of await request.disk.list(request.folder)) {
    if (!channel.isFolder || !isChannelId(channel.name)) continue;
    for (const quality of [0, 1, 2] as const) {
      const key = { channelId: channel.name, quality: quality as RecordedQuality };
      const entries = await scanTrack(request, key, counts);
      const notes = await scanNotes(request.disk, `${trackFolder(request.folder, key)}/${NOTES_NAME}`);
      if (entries.length > 0 || notes.length > 0) tracks.push({ key, entries, notes });
    }
  }
  return { tracks, ...counts };
}

async function scanTrack(request: ScanRequest, key: TrackKey, counts: Counts): Promise<CatalogEntry[]> {
  const entries: CatalogEntry[] = [];
  const folder = trackFolder(request.folder, key);
  for (const day of await request.disk.list(folder)) {
    if (!day.isFolder || !isDayName(day.name)) continue;
    for (const entry of await scanDay(request, key, `${folder}/${day.name}`, counts)) entries.push(entry);
  }
  return entries.sort((a, b) => a.startMs - b.startMs);
}

async function scanDay(request: ScanRequest, key: TrackKey, path: string, counts: Counts): Promise<CatalogEntry[]> {
  const catalog = await readDayCatalog(request.disk, `${path}/${CATALOG_NAME}`);
  const media = new Set<number>();
  const indexes = new Set<number>();
  for (const { name } of await request.disk.list(path)) {
    const parsed = parseFileName(name);
    // Of a move that did not end: its source is whole.
    if (name.endsWith(MOVING_SUFFIX)) await request.disk.removeFile(`${path}/${name}`);
    if (parsed) (parsed.kind === 'mp4' ? media : indexes).add(parsed.startMs);
  }
  const entries: CatalogEntry[] = [];
  for (const startMs of media) {
    const known = indexes.has(startMs) ? catalog.get(startMs) : undefined;
    const entry = known ?? (await repair(request, counts, { key, startMs, path: `${path}/${startMs}.mp4` }));
    if (entry) entries.push(entry);
  }
  for (const startMs of indexes) {
    if (!media.has(startMs)) await request.disk.removeFile(`${path}/${startMs}.idx`);
  }
  return entries;
}

async function repair(
  request: ScanRequest,
  counts: Counts,
  { key, startMs, path }: UnknownFile,
): Promise<CatalogEntry | null> {
  try {
    const { entry } = await repairFile({ disk: request.disk, folder: request.folder, key, startMs });
    if (entry) counts.repaired += 1;
    else counts.removed += 1;
    return entry;
  } catch (error) {
    request.onFault(path, error);
    return null;
  }
}

/** A catalog with a truncated last line is rewritten, since later lines would be misaligned. */
async function scanNotes(disk: Disk, path: string): Promise<TrackNote[]> {
  const bytes = await readIfPresent(disk, path);
  const notes = readNotes(bytes);
  if (!isWholeLines(bytes)) await disk.replaceFile(path, Buffer.concat(notes.map(writeNote)));
  return notes;
}

async function readIfPresent(disk: Disk, path: string): Promise<Buffer> {
  try {
    return await disk.readWhole(path);
  } catch (error) {
    // Anything but a file is moved out of the way before writing.
    if (errorCode(error) === 'ENOENT' || error instanceof NotAFile) return Buffer.alloc(0);
    throw error;
  }
}

async function readDayCatalog(disk: Disk, path: string): Promise<Map<number, CatalogEntry>> {
  const bytes = await readIfPresent(disk, path);
  const whole = bytes.length - (bytes.length % CATALOG_ENTRY_BYTES);
  // A truncated line would shift all later ones.
  if (whole < bytes.length) await disk.replaceFile(path, bytes.subarray(0, whole));
  return readCatalog(bytes);
}

/** Size of an index with so many records; version 1 is slightly smaller. */
export function indexBytesOf(records: number): number {
  return INDEX_ENTRY_BYTES * (records + 1);
}
