// The index beside a recorded file: one header and one record per fragment, append-only, each with its own checksum and, from version 2 on, those of its media.
import { crc32 } from 'node:zlib';
import { checkedEntry, withChecksum } from './entries/checksummed-entry.ts';
import type { TrackKey } from './recording-path.ts';

/** Length of header and records, by version. */
const ENTRY_BYTES = { 1: 32, 2: 40 } as const;
/** Lengths of the current version. */
export const INDEX_ENTRY_BYTES = ENTRY_BYTES[2];
/** Ticks of the video time line per second. */
export const VIDEO_TIMESCALE = 90_000;

/** `playable` audio can be appended by browsers (AAC, Opus); `g711` cannot and is left out of HLS. */
export type RecordedAudio = 'none' | 'playable' | 'g711';

export interface IndexHeader {
  /** Files with the same run share one time line without a break. */
  readonly runId: number;
  /** Start of this file on the time line of its run, in video ticks. */
  readonly baseTicks: number;
  /** First 16 hex digits of the SHA-256 of ftyp + moov. */
  readonly initHash: string;
  readonly audio: RecordedAudio;
  /** Ticks per second of the audio track; 0 without audio. */
  readonly audioRate: number;
  /** Origin of the file; undefined in version 1, which has no media checksums. */
  readonly origin?: number | undefined;
}

export const RECORD_FLAG = { key: 1, alarm: 2, discontinuity: 4 } as const;

export interface IndexRecord {
  /** Wall clock of the first picture, ms since 1970 UTC. */
  readonly wallMs: number;
  readonly offset: number;
  /** Size of the video part; the audio part follows, up to `totalBytes`. */
  readonly videoBytes: number;
  readonly totalBytes: number;
  /** Video ticks from its first frame to the end of its last one. */
  readonly durationTicks: number;
  readonly flags: number;
  readonly pictures: number;
  /** CRC-32 of the video part and of the audio part in the file; undefined in version 1. */
  readonly videoCrc?: number | undefined;
  readonly audioCrc?: number | undefined;
}

const MAGIC = 0x5644;
const AUDIO_KINDS: readonly RecordedAudio[] = ['none', 'playable', 'g711'];

/** Hash of the file's place: detects a file that was moved to another channel, quality or time. */
export function originOf({ channelId, quality }: TrackKey, startMs: number): number {
  return crc32(`${channelId}/${quality}/${startMs}`);
}

/** Of header and of each record. */
export function entryBytes({ origin }: IndexHeader): number {
  return ENTRY_BYTES[origin === undefined ? 1 : 2];
}

export function writeIndexHeader(header: IndexHeader): Buffer {
  const bytes = Buffer.alloc(entryBytes(header));
  bytes.writeUInt16BE(MAGIC, 0);
  bytes.writeUInt8(header.origin === undefined ? 1 : 2, 2);
  bytes.writeUInt8(AUDIO_KINDS.indexOf(header.audio), 3);
  bytes.writeUInt32BE(header.audioRate, 4);
  bytes.writeDoubleBE(header.runId, 8);
  bytes.writeDoubleBE(header.baseTicks, 16);
  bytes.write(header.initHash, 24, 8, 'hex');
  if (header.origin === undefined) return bytes;
  bytes.writeUInt32BE(header.origin, 32);
  return withChecksum(bytes);
}

/** Null for an unknown version or a wrong checksum. */
export function readIndexHeader(bytes: Buffer): IndexHeader | null {
  const version = bytes[2] === 1 || bytes[2] === 2 ? bytes[2] : null;
  if (version === null || bytes.length < ENTRY_BYTES[version] || bytes.readUInt16BE(0) !== MAGIC) return null;
  if (version === 2 && checkedEntry(bytes, 0, ENTRY_BYTES[2]) === null) return null;
  const audio = AUDIO_KINDS[bytes.readUInt8(3)];
  if (audio === undefined) return null;
  return {
    audio,
    audioRate: bytes.readUInt32BE(4),
    runId: bytes.readDoubleBE(8),
    baseTicks: bytes.readDoubleBE(16),
    initHash: bytes.toString('hex', 24, 32),
    ...(version === 2 ? { origin: bytes.readUInt32BE(32) } : {}),
  };
}

/** Length as in its header's version. */
export function writeIndexRecord(record: IndexRecord, header: IndexHeader): Buffer {
  const length = entryBytes(header);
  const bytes = Buffer.alloc(length);
  bytes.writeDoubleBE(record.wallMs, 0);
  bytes.writeUInt32BE(record.offset, 8);
  bytes.writeUInt32BE(record.videoBytes, 12);
  bytes.writeUInt32BE(record.totalBytes, 16);
  bytes.writeUInt32BE(record.durationTicks, 20);
  bytes.writeUInt16BE(record.flags, 24);
  bytes.writeUInt16BE(Math.min(record.pictures, 0xffff), 26);
  if (length === ENTRY_BYTES[2]) {
    bytes.writeUInt32BE(record.videoCrc ?? 0, 28);
    bytes.writeUInt32BE(record.audioCrc ?? 0, 32);
  }
  return withChecksum(bytes);
}

/** The whole index as bytes. */
export function writeIndex(header: IndexHeader, records: readonly IndexRecord[]): Buffer {
  return Buffer.concat([writeIndexHeader(header), ...records.map((record) => writeIndexRecord(record, header))]);
}

/** The record of `length` bytes at `at`, or null if it is truncated, damaged or inconsistent. */
function readIndexRecord(bytes: Buffer, at: number, length: number): IndexRecord | null {
  const entry = checkedEntry(bytes, at, length);
  if (entry === null) return null;
  const record = {
    wallMs: entry.readDoubleBE(0),
    offset: entry.readUInt32BE(8),
    videoBytes: entry.readUInt32BE(12),
    totalBytes: entry.readUInt32BE(16),
    durationTicks: entry.readUInt32BE(20),
    flags: entry.readUInt16BE(24),
    pictures: entry.readUInt16BE(26),
  };
  if (record.videoBytes > record.totalBytes || !Number.isFinite(record.wallMs)) return null;
  return length === ENTRY_BYTES[1]
    ? record
    : { ...record, videoCrc: entry.readUInt32BE(28), audioCrc: entry.readUInt32BE(32) };
}

export interface FileIndex {
  readonly header: IndexHeader;
  readonly records: readonly IndexRecord[];
}

/** The index up to the first damaged record; null without a header, or if it belongs to another `origin`. */
export function readIndex(bytes: Buffer, origin?: number): FileIndex | null {
  const header = readIndexHeader(bytes);
  if (!header || !hasOrigin(header, origin)) return null;
  const length = entryBytes(header);
  const records: IndexRecord[] = [];
  for (let at = length; ; at += length) {
    const record = readIndexRecord(bytes, at, length);
    if (!record) return { header, records };
    records.push(record);
  }
}

/** Headers of version 1 have no origin. */
export function hasOrigin(header: IndexHeader, origin: number | undefined): boolean {
  return origin === undefined || header.origin === undefined || header.origin === origin;
}

/** Wall clock of the end of a fragment. */
export function recordEndMs(record: IndexRecord): number {
  return record.wallMs + (record.durationTicks * 1000) / VIDEO_TIMESCALE;
}
