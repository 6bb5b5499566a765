// Compares a recorded file with its index and catalog line, byte for byte where possible; reports intact fragments one by one.
import type { CatalogEntry } from '../day-catalog.ts';
import { type Disk, type DiskFile, errorCode, NotAFile } from '../disk.ts';
import {
  type FileIndex,
  type IndexHeader,
  type IndexRecord,
  hasOrigin,
  originOf,
  RECORD_FLAG,
  readIndex,
  writeIndex,
} from '../index-record.ts';
import { type FileStart, readFileStart, readFragmentAt, scanFragments } from '../media-scan.ts';
import { initHashOf } from './proven-media.ts';
import { indexPath, mediaPath, type TrackKey } from '../recording-path.ts';

export const FINDING_KINDS = [
  'orphanRow',
  'orphanIndex',
  'notInCatalog',
  'noIndex',
  'badIndex',
  'shortFile',
  'wrongSize',
  'badBoxes',
  'badChecksum',
  'foreign',
  'wrongInit',
  'unreadable',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface VerifyRequest {
  readonly disk: Disk;
  readonly folder: string;
  readonly key: TrackKey;
  readonly startMs: number;
  /** Null if not in the catalog. */
  readonly entry: CatalogEntry | null;
}

export interface VerifiedFile {
  readonly findings: readonly FindingKind[];
  /** Null if the file does not start like ours. */
  readonly header: IndexHeader | null;
  /** Intact fragments, by offset. */
  readonly records: readonly IndexRecord[];
  readonly bytes: number;
  /** It holds recordings that we cannot repair, or that is another channel's: it stays as it is. */
  readonly isLeft: boolean;
}

export async function verifyFile(request: VerifyRequest): Promise<VerifiedFile> {
  const { disk, folder, key, startMs, entry } = request;
  const findings = new Set<FindingKind>(entry ? [] : ['notInCatalog']);
  const file = await disk.openFile(mediaPath(folder, key, startMs), 'read');
  try {
    const bytes = await file.size();
    const sizeFinding = entry && findingOfSize(bytes, entry);
    if (sizeFinding) findings.add(sizeFinding);
    const start = await readFileStart(file);
    if (!start) {
      const index = await readIndexOf(request, null, findings);
      const isLeft = index !== null && (await holdsAny(file, index, bytes));
      return { findings: [...findings.add('badBoxes')], header: null, records: [], bytes, isLeft };
    }
    if (!hasOrigin(start.header, originOf(key, startMs))) {
      return { findings: [...findings.add('foreign')], header: start.header, records: [], bytes, isLeft: true };
    }
    if (!(await isOwnInit(file, start))) findings.add('wrongInit');
    const index = await readIndexOf(request, start, findings);
    const records = await wholeFragments(file, { bytes, start, index }, findings);
    if (entry && index && entry.records !== index.records.length) findings.add('badIndex');
    return { findings: [...findings], header: start.header, records, bytes, isLeft: false };
  } finally {
    await file.close();
  }
}

function findingOfSize(bytes: number, { mediaBytes }: CatalogEntry): FindingKind | null {
  if (bytes === mediaBytes) return null;
  return bytes < mediaBytes ? 'shortFile' : 'wrongSize';
}

/** The header contains the hash of ftyp + moov: a flipped bit there makes the whole file unplayable. */
async function isOwnInit(file: DiskFile, { header, initBytes }: FileStart): Promise<boolean> {
  const init = Buffer.alloc(initBytes);
  await file.read(init, 0);
  return initHashOf(init) === header.initHash;
}

/** Any fragment as it was recorded. */
async function holdsAny(file: DiskFile, { records }: FileIndex, bytes: number): Promise<boolean> {
  for (const named of records) {
    const found = await readFragmentAt(file, named.offset, bytes);
    if (found && isSameMedia(found, named, bytes)) return true;
  }
  return false;
}

/** Null if none belongs to the file. */
async function readIndexOf(
  { disk, folder, key, startMs }: VerifyRequest,
  /** Null if the file does not contain its origin. */
  start: FileStart | null,
  findings: Set<FindingKind>,
): Promise<FileIndex | null> {
  try {
    const bytes = await disk.readWhole(indexPath(folder, key, startMs));
    const index = readIndex(bytes, originOf(key, startMs));
    const isOwn = index !== null && (start === null || isSameHeader(index.header, start.header));
    const isWhole = index !== null && bytes.equals(writeIndex(index.header, index.records));
    if (!isOwn || !isWhole) findings.add('badIndex');
    return isOwn ? index : null;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && !(error instanceof NotAFile)) throw error;
    findings.add('noIndex');
    return null;
  }
}

function isSameHeader(one: IndexHeader, other: IndexHeader): boolean {
  return one.runId === other.runId && one.initHash === other.initHash && one.origin === other.origin;
}

async function wholeFragments(
  file: DiskFile,
  { bytes, start, index }: { bytes: number; start: FileStart; index: FileIndex | null },
  findings: Set<FindingKind>,
): Promise<IndexRecord[]> {
  const whole: IndexRecord[] = [];
  let end = start.mediaOffset;
  let isAfterDamage = false;
  for (const named of index?.records ?? []) {
    const found = await readNamed(file, named, { end, bytes });
    if (!found || !isSameMedia(found, named, bytes)) {
      findings.add(damageOf(found, named, bytes));
      isAfterDamage = true;
      continue;
    }
    if (!isSame(found, named)) findings.add('badIndex');
    whole.push({ ...found, flags: flagsOf(found, named, isAfterDamage) });
    isAfterDamage = false;
    end = found.offset + found.totalBytes;
  }
  if (isAfterDamage) return whole;
  const unnamed = await scanFragments(file, end);
  if (unnamed.length > 0 && index) findings.add('badIndex');
  if (endOf(unnamed, end) < bytes) findings.add('wrongSize');
  return [...whole, ...unnamed];
}

/** Null if it is damaged, or starts before the end of the previous one. */
async function readNamed(
  file: DiskFile,
  { offset }: IndexRecord,
  { end, bytes }: { end: number; bytes: number },
): Promise<IndexRecord | null> {
  return offset < end ? null : await readFragmentAt(file, offset, bytes);
}

/** Alarm marks are only in the index. */
function flagsOf(found: IndexRecord, named: IndexRecord, isAfterDamage: boolean): number {
  const noted = named.flags & ~RECORD_FLAG.key;
  return found.flags | noted | (isAfterDamage ? RECORD_FLAG.discontinuity : 0);
}

/** `start`: expected offset. */
function endOf(records: readonly IndexRecord[], start: number): number {
  const last = records.at(-1);
  return last ? last.offset + last.totalBytes : start;
}

function damageOf(found: IndexRecord | null, named: IndexRecord, bytes: number): FindingKind {
  if (found) return 'badChecksum';
  return named.offset + named.totalBytes > bytes ? 'shortFile' : 'badBoxes';
}

/** Version 1 has no media checksums. `bytes`: size of the file; if it ends within the audio, the video is kept. */
function isSameMedia(found: IndexRecord, named: IndexRecord, bytes: number): boolean {
  if (named.videoCrc === undefined) return true;
  const isAudioCut = named.offset + named.totalBytes > bytes && found.totalBytes === found.videoBytes;
  return found.videoCrc === named.videoCrc && (isAudioCut || found.audioCrc === named.audioCrc);
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
