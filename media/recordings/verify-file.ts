// Compares one recorded file with its index and its line in the catalog, byte for byte where it can be known; what is whole is told fragment by fragment.
import { createHash } from 'node:crypto';
import type { CatalogEntry } from './day-catalog.ts';
import { type Disk, type DiskFile, errorCode } from './disk.ts';
import { type FileIndex, type IndexHeader, type IndexRecord, RECORD_FLAG, readIndex } from './index-record.ts';
import { type FileStart, readFileStart, readFragmentAt, scanFragments } from './media-scan.ts';
import { indexPath, mediaPath, type TrackKey } from './recording-path.ts';

export const FINDING_KINDS = [
  'orphanRow',
  'orphanIndex',
  'notInCatalog',
  'noIndex',
  'badIndex',
  'shortFile',
  'wrongSize',
  'badBoxes',
  'wrongInit',
  'unreadable',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface VerifyRequest {
  readonly disk: Disk;
  readonly folder: string;
  readonly key: TrackKey;
  readonly startMs: number;
  /** Null when the catalog does not know the file. */
  readonly entry: CatalogEntry | null;
}

export interface VerifiedFile {
  readonly findings: readonly FindingKind[];
  /** Null when the file does not begin as one of ours. */
  readonly header: IndexHeader | null;
  /** Fragments that are whole, by offset. */
  readonly records: readonly IndexRecord[];
  readonly bytes: number;
}

export async function verifyFile(request: VerifyRequest): Promise<VerifiedFile> {
  const { disk, folder, key, startMs, entry } = request;
  const findings = new Set<FindingKind>(entry ? [] : ['notInCatalog']);
  const file = await disk.openFile(mediaPath(folder, key, startMs), 'read');
  try {
    const bytes = await file.size();
    if (entry && bytes < entry.mediaBytes) findings.add('shortFile');
    else if (entry && bytes > entry.mediaBytes) findings.add('wrongSize');
    const start = await readFileStart(file);
    if (!start) return { findings: [...findings.add('badBoxes')], header: null, records: [], bytes };
    if (!(await isOwnInit(file, start))) findings.add('wrongInit');
    const index = await readIndexOf(request, start, findings);
    const records = await wholeFragments(file, { bytes, start, index }, findings);
    if (entry && index && entry.records !== index.records.length) findings.add('badIndex');
    return { findings: [...findings], header: start.header, records, bytes };
  } finally {
    await file.close();
  }
}

/** The header names the hash of ftyp + moov: a bit that fell over there spoils the whole file. */
async function isOwnInit(file: DiskFile, { header, initBytes }: FileStart): Promise<boolean> {
  const init = Buffer.alloc(initBytes);
  await file.read(init, 0);
  return createHash('sha256').update(init).digest('hex').slice(0, 16) === header.initHash;
}

/** Null when there is none that belongs to the file. */
async function readIndexOf(
  { disk, folder, key, startMs }: VerifyRequest,
  start: FileStart,
  findings: Set<FindingKind>,
): Promise<FileIndex | null> {
  try {
    const bytes = await disk.readWhole(indexPath(folder, key, startMs));
    const index = readIndex(bytes);
    const isOwn = index?.header.runId === start.header.runId && index.header.initHash === start.header.initHash;
    const isWhole = index !== null && bytes.length === (index.records.length + 1) * RECORD_BYTES;
    if (!isOwn || !isWhole) findings.add('badIndex');
    return isOwn ? index : null;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    findings.add('noIndex');
    return null;
  }
}

const RECORD_BYTES = 32;

async function wholeFragments(
  file: DiskFile,
  { bytes, start, index }: { bytes: number; start: FileStart; index: FileIndex | null },
  findings: Set<FindingKind>,
): Promise<IndexRecord[]> {
  const whole: IndexRecord[] = [];
  let end = start.mediaOffset;
  let isAfterDamage = false;
  for (const named of index?.records ?? []) {
    const found = named.offset >= end ? await readFragmentAt(file, named.offset, bytes) : null;
    if (!found) {
      findings.add(named.offset + named.totalBytes > bytes ? 'shortFile' : 'badBoxes');
      isAfterDamage = true;
      continue;
    }
    if (!isSame(found, named)) findings.add('badIndex');
    // What was noted while it was recorded (alarm) stands in the index alone.
    const flags = found.flags | (named.flags & ~RECORD_FLAG.key) | (isAfterDamage ? RECORD_FLAG.discontinuity : 0);
    isAfterDamage = false;
    whole.push({ ...found, flags });
    end = found.offset + found.totalBytes;
  }
  const unnamed = isAfterDamage ? [] : await scanFragments(file, end);
  if (unnamed.length > 0 && index) findings.add('badIndex');
  const last = unnamed.at(-1);
  if (!isAfterDamage && (last ? last.offset + last.totalBytes : end) < bytes) findings.add('wrongSize');
  return [...whole, ...unnamed];
}

function isSame(found: IndexRecord, named: IndexRecord): boolean {
  return (
    found.totalBytes === named.totalBytes &&
    found.videoBytes === named.videoBytes &&
    found.durationTicks === named.durationTicks &&
    Math.min(found.pictures, 0xffff) === named.pictures &&
    (found.flags & RECORD_FLAG.key) === (named.flags & RECORD_FLAG.key) &&
    Math.abs(found.wallMs - named.wallMs) < 1
  );
}
