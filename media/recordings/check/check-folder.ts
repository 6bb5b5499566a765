// Checks every recorded file of a folder against index and catalog, and repairs on request without losing whole fragments.
import { CATALOG_NAME, type CatalogEntry, readCatalog, writeCatalogEntry, writeRemovedEntry } from '../day-catalog.ts';
import { type Disk, errorCode, NotAFile } from '../disk.ts';
import { recordEndMs, writeIndex } from '../index-record.ts';
import {
  dayFolder,
  indexPath,
  isChannelId,
  isDayName,
  mediaPath,
  parseFileName,
  type TrackKey,
  trackFolder,
} from '../recording-path.ts';
import { FINDING_KINDS, type FindingKind, type VerifiedFile, verifyFile } from './verify-file.ts';

export interface CheckRequest {
  readonly disk: Disk;
  readonly folder: string;
  /** Excludes other writers meanwhile. */
  readonly isRepairing: boolean;
  /** A site records into the folder: its unfinished files are skipped. */
  readonly isInUse: boolean;
  /** Starts of the files in the folder of a day whose media is in an object store alone; absent: none. */
  readonly remoteFiles?: (day: string) => Promise<ReadonlySet<number>>;
  readonly onFinding: (finding: Finding) => void;
}

export interface Finding {
  readonly path: string;
  readonly kinds: readonly FindingKind[];
  readonly isRepaired: boolean;
}

export interface CheckSummary {
  readonly files: number;
  readonly bytes: number;
  readonly fragments: number;
  /** Files that a running site has not finished. */
  readonly open: number;
  readonly findings: Readonly<Record<FindingKind, number>>;
  readonly found: number;
  readonly repaired: number;
}

interface Counts {
  files: number;
  bytes: number;
  fragments: number;
  open: number;
  found: number;
  repaired: number;
  readonly findings: Record<FindingKind, number>;
}

/** Throws errors of listing the folder; an unreadable file is a finding. */
export async function checkFolder(request: CheckRequest): Promise<CheckSummary> {
  const findings = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, 0])) as Record<FindingKind, number>;
  const counts: Counts = { files: 0, bytes: 0, fragments: 0, open: 0, found: 0, repaired: 0, findings };
  const { disk, folder } = request;
  for (const channel of await disk.list(folder)) {
    if (!channel.isFolder || !isChannelId(channel.name)) continue;
    for (const quality of [0, 1, 2] as const) {
      await checkTrack(request, counts, { channelId: channel.name, quality });
    }
  }
  return counts;
}

async function checkTrack(request: CheckRequest, counts: Counts, key: TrackKey): Promise<void> {
  for (const day of await request.disk.list(trackFolder(request.folder, key))) {
    if (day.isFolder && isDayName(day.name)) await checkDay(request, counts, key, day.name);
  }
}

async function checkDay(request: CheckRequest, counts: Counts, key: TrackKey, day: string): Promise<void> {
  const { disk, folder } = request;
  const path = `${trackFolder(folder, key)}/${day}`;
  const catalog = await readDayCatalog(disk, `${path}/${CATALOG_NAME}`);
  const media = new Set<number>();
  const indexes = new Set<number>();
  for (const { name } of await disk.list(path)) {
    const parsed = parseFileName(name);
    if (parsed) (parsed.kind === 'mp4' ? media : indexes).add(parsed.startMs);
  }
  for (const startMs of [...media].sort((a, b) => a - b)) {
    await checkFile(request, counts, { key, startMs, entry: catalog.get(startMs) ?? null });
  }
  const remote = (await request.remoteFiles?.(path)) ?? new Set<number>();
  const isMissing = (startMs: number): boolean => !media.has(startMs) && !remote.has(startMs);
  for (const startMs of [...indexes].filter(isMissing)) {
    const mend = () => disk.removeFile(indexPath(folder, key, startMs));
    await addFinding(request, counts, { path: `${path}/${startMs}.idx`, kinds: ['orphanIndex'], mend });
  }
  for (const startMs of [...catalog.keys()].filter(isMissing)) {
    const mend = () => disk.appendLine(`${path}/${CATALOG_NAME}`, writeRemovedEntry(startMs));
    await addFinding(request, counts, { path: `${path}/${startMs}.mp4`, kinds: ['orphanRow'], mend });
  }
}

interface NamedFile {
  readonly key: TrackKey;
  readonly startMs: number;
  readonly entry: CatalogEntry | null;
}

async function checkFile(request: CheckRequest, counts: Counts, named: NamedFile): Promise<void> {
  const { disk, folder, isInUse } = request;
  if (named.entry === null && isInUse) {
    counts.open += 1;
    return;
  }
  const path = mediaPath(folder, named.key, named.startMs);
  counts.files += 1;
  try {
    const verified = await verifyFile({ disk, folder, ...named });
    counts.bytes += verified.bytes;
    counts.fragments += verified.records.length;
    if (verified.findings.length === 0) return;
    const mend = verified.isLeft ? null : () => repair(request, named, verified);
    await addFinding(request, counts, { path, kinds: verified.findings, mend });
  } catch (error) {
    // Removed by retention meanwhile.
    if (errorCode(error) === 'ENOENT' && isInUse) return;
    await addFinding(request, counts, { path, kinds: ['unreadable'], mend: null });
  }
}

interface FoundFault {
  readonly path: string;
  readonly kinds: readonly FindingKind[];
  /** Null if it cannot be repaired. */
  readonly mend: (() => Promise<void>) | null;
}

async function addFinding(
  { isRepairing, onFinding }: CheckRequest,
  counts: Counts,
  { path, kinds, mend }: FoundFault,
): Promise<void> {
  for (const kind of kinds) counts.findings[kind] += 1;
  counts.found += 1;
  const isRepaired = isRepairing && mend !== null;
  if (isRepaired) await mend();
  if (isRepaired) counts.repaired += 1;
  onFinding({ path, kinds, isRepaired });
}

/** Rewrites index and catalog for what is intact. A file without an intact fragment is deleted; bytes between intact fragments stay. */
async function repair({ disk, folder }: CheckRequest, named: NamedFile, verified: VerifiedFile): Promise<void> {
  const { key, startMs } = named;
  const { header, records, bytes } = verified;
  const catalog = `${dayFolder(folder, key, startMs)}/${CATALOG_NAME}`;
  const last = records.at(-1);
  if (!header || !last) {
    await disk.removeFile(mediaPath(folder, key, startMs));
    await disk.removeFile(indexPath(folder, key, startMs));
    await disk.appendLine(catalog, writeRemovedEntry(startMs));
    return;
  }
  const end = last.offset + last.totalBytes;
  if (end < bytes) await cut(disk, mediaPath(folder, key, startMs), end);
  await disk.replaceFile(indexPath(folder, key, startMs), writeIndex(header, records));
  const endMs = records.reduce((latest, record) => Math.max(latest, recordEndMs(record)), startMs);
  await disk.appendLine(catalog, writeCatalogEntry({ startMs, endMs, mediaBytes: end, records: records.length }));
  await disk.syncFolder(dayFolder(folder, key, startMs));
}

async function cut(disk: Disk, path: string, end: number): Promise<void> {
  const file = await disk.openFile(path, 'write');
  try {
    await file.truncate(end);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readDayCatalog(disk: Disk, path: string): Promise<Map<number, CatalogEntry>> {
  try {
    return readCatalog(await disk.readWhole(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof NotAFile) return new Map();
    throw error;
  }
}
