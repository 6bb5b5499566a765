// Repairs one recorded file and its index after a kill or power loss; loses only incomplete fragments.
import { CATALOG_NAME, type CatalogEntry, writeCatalogEntry } from './day-catalog.ts';
import { type Disk, type DiskFile, errorCode, NotAFile } from './disk.ts';
import {
  type FileIndex,
  type IndexRecord,
  hasOrigin,
  originOf,
  readIndex,
  recordEndMs,
  writeIndex,
} from './index-record.ts';
import { type FileStart, readFileStart, scanFragments } from './media-scan.ts';
import { dayFolder, indexPath, mediaPath, type TrackKey } from './recording-path.ts';

export interface RepairReport {
  /** Null: nothing in the file was intact and it was deleted. */
  readonly entry: CatalogEntry | null;
  readonly recordsAdded: number;
  readonly bytesCut: number;
}

export interface RepairRequest {
  readonly disk: Disk;
  readonly folder: string;
  readonly key: TrackKey;
  readonly startMs: number;
}

/** The file belongs to another channel, quality or time: it stays, and is not listed. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
}

/** There are frames behind an unreadable start. */
export class SpoiltStart extends Error {
  override readonly name = 'SpoiltStart';
}

/** Only for a file that nobody writes. Finishes the file with a catalog line. */
export async function repairFile(request: RepairRequest): Promise<RepairReport> {
  const { disk, folder, key, startMs } = request;
  const file = await disk.openFile(mediaPath(folder, key, startMs), 'write');
  let report: RepairReport;
  try {
    report = await repairOpen(request, file);
  } finally {
    await file.close();
  }
  if (report.entry === null) {
    await disk.removeFile(mediaPath(folder, key, startMs));
    await disk.removeFile(indexPath(folder, key, startMs));
  } else {
    await disk.appendLine(`${dayFolder(folder, key, startMs)}/${CATALOG_NAME}`, writeCatalogEntry(report.entry));
  }
  return report;
}

async function repairOpen(request: RepairRequest, file: DiskFile): Promise<RepairReport> {
  const start = await readFileStart(file);
  const size = await file.size();
  if (!start) {
    const { records = [] } = readIndex(await readIfPresent(request), originOf(request.key, request.startMs)) ?? {};
    // Only the start is damaged: the frames are kept, and the checker reports them.
    const hasFootage = records.some(({ offset, totalBytes }) => totalBytes > 0 && offset + totalBytes <= size);
    if (hasFootage) throw new SpoiltStart('the file does not begin as one of ours');
    return { entry: null, recordsAdded: 0, bytesCut: size };
  }
  if (!hasOrigin(start.header, originOf(request.key, request.startMs))) throw new ForeignFile('recorded elsewhere');
  const named = await readRecords(request, size, start);
  const lastNamed = named.at(-1);
  const from = lastNamed ? lastNamed.offset + lastNamed.totalBytes : start.mediaOffset;
  const found = await scanFragments(file, from);
  const records = [...named, ...found];
  const last = records.at(-1);
  if (!last) return { entry: null, recordsAdded: 0, bytesCut: size };
  const end = last.offset + last.totalBytes;
  if (end < size) await file.truncate(end);
  await file.sync();
  await replaceIndex(request, writeIndex(start.header, records));
  const endMs = records.reduce((latest, record) => Math.max(latest, recordEndMs(record)), request.startMs);
  return {
    entry: { startMs: request.startMs, endMs, mediaBytes: end, records: records.length },
    recordsAdded: found.length,
    bytesCut: size - end,
  };
}

/** Valid, contiguous records inside the file. */
async function readRecords(request: RepairRequest, size: number, start: FileStart): Promise<IndexRecord[]> {
  const index: FileIndex | null = readIndex(await readIfPresent(request), start.header.origin);
  // Another version or another file: its records do not describe this one.
  if (index?.header.runId !== start.header.runId || index.header.origin !== start.header.origin) return [];
  const records: IndexRecord[] = [];
  let at = start.mediaOffset;
  for (const record of index.records) {
    if (record.offset !== at || record.totalBytes === 0 || at + record.totalBytes > size) break;
    records.push(record);
    at += record.totalBytes;
  }
  return records;
}

async function readIfPresent({ disk, folder, key, startMs }: RepairRequest): Promise<Buffer> {
  try {
    return await disk.readWhole(indexPath(folder, key, startMs));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof NotAFile) return Buffer.alloc(0);
    throw error;
  }
}

async function replaceIndex({ disk, folder, key, startMs }: RepairRequest, bytes: Buffer): Promise<void> {
  await disk.replaceFile(indexPath(folder, key, startMs), bytes);
  await disk.syncFolder(dayFolder(folder, key, startMs));
}
