// The index beside a recorded file: one header and one record per fragment, 32 bytes each, append-only, each with its own checksum.
import { crc32 } from 'node:zlib';

export const INDEX_ENTRY_BYTES = 32;
/** Ticks of the video time line per second. */
export const VIDEO_TIMESCALE = 90_000;

/** `playable` sound can be appended by browsers (AAC, Opus); `g711` cannot and is left out of HLS. */
export type RecordedAudio = 'none' | 'playable' | 'g711';

export interface IndexHeader {
  /** Files with the same run continue each other on one time line without a break. */
  readonly runId: number;
  /** Where this file begins on the time line of its run, in video ticks. */
  readonly baseTicks: number;
  /** First 16 hex digits of the SHA-256 of ftyp + moov. */
  readonly initHash: string;
  readonly audio: RecordedAudio;
  /** Ticks per second of the audio track; 0 without sound. */
  readonly audioRate: number;
}

export const RECORD_FLAG = { key: 1, alarm: 2, discontinuity: 4 } as const;

export interface IndexRecord {
  /** Wall clock of the first picture, ms since 1970 UTC. */
  readonly wallMs: number;
  readonly offset: number;
  /** Bytes of the video part; the audio part follows it up to `totalBytes`. */
  readonly videoBytes: number;
  readonly totalBytes: number;
  /** Video ticks from the first picture of this fragment to the end of its last one. */
  readonly durationTicks: number;
  readonly flags: number;
  readonly pictures: number;
}

const MAGIC = 0x5644;
const VERSION = 1;
const AUDIO_KINDS: readonly RecordedAudio[] = ['none', 'playable', 'g711'];

export function writeIndexHeader(header: IndexHeader): Buffer {
  const bytes = Buffer.alloc(INDEX_ENTRY_BYTES);
  bytes.writeUInt16BE(MAGIC, 0);
  bytes.writeUInt8(VERSION, 2);
  bytes.writeUInt8(AUDIO_KINDS.indexOf(header.audio), 3);
  bytes.writeUInt32BE(header.audioRate, 4);
  bytes.writeDoubleBE(header.runId, 8);
  bytes.writeDoubleBE(header.baseTicks, 16);
  bytes.write(header.initHash, 24, 8, 'hex');
  return bytes;
}

/** Null when the bytes are not a header of this version. */
export function readIndexHeader(bytes: Buffer): IndexHeader | null {
  if (bytes.length < INDEX_ENTRY_BYTES || bytes.readUInt16BE(0) !== MAGIC || bytes[2] !== VERSION) return null;
  const audio = AUDIO_KINDS[bytes.readUInt8(3)];
  if (audio === undefined) return null;
  return {
    audio,
    audioRate: bytes.readUInt32BE(4),
    runId: bytes.readDoubleBE(8),
    baseTicks: bytes.readDoubleBE(16),
    initHash: bytes.toString('hex', 24, 32),
  };
}

export function writeIndexRecord(record: IndexRecord): Buffer {
  const bytes = Buffer.alloc(INDEX_ENTRY_BYTES);
  bytes.writeDoubleBE(record.wallMs, 0);
  bytes.writeUInt32BE(record.offset, 8);
  bytes.writeUInt32BE(record.videoBytes, 12);
  bytes.writeUInt32BE(record.totalBytes, 16);
  bytes.writeUInt32BE(record.durationTicks, 20);
  bytes.writeUInt16BE(record.flags, 24);
  bytes.writeUInt16BE(Math.min(record.pictures, 0xffff), 26);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 28)), 28);
  return bytes;
}

/** The record at `at`, or null when it is cut or its checksum is wrong. */
export function readIndexRecord(bytes: Buffer, at: number): IndexRecord | null {
  if (at + INDEX_ENTRY_BYTES > bytes.length) return null;
  if (crc32(bytes.subarray(at, at + 28)) !== bytes.readUInt32BE(at + 28)) return null;
  return {
    wallMs: bytes.readDoubleBE(at),
    offset: bytes.readUInt32BE(at + 8),
    videoBytes: bytes.readUInt32BE(at + 12),
    totalBytes: bytes.readUInt32BE(at + 16),
    durationTicks: bytes.readUInt32BE(at + 20),
    flags: bytes.readUInt16BE(at + 24),
    pictures: bytes.readUInt16BE(at + 26),
  };
}

export interface FileIndex {
  readonly header: IndexHeader;
  readonly records: readonly IndexRecord[];
}

/** The whole index up to the first record that is cut or damaged; null without a header. */
export function readIndex(bytes: Buffer): FileIndex | null {
  const header = readIndexHeader(bytes);
  if (!header) return null;
  const records: IndexRecord[] = [];
  for (let at = INDEX_ENTRY_BYTES; ; at += INDEX_ENTRY_BYTES) {
    const record = readIndexRecord(bytes, at);
    if (!record) return { header, records };
    records.push(record);
  }
}

/** Wall clock of the end of a fragment. */
export function recordEndMs(record: IndexRecord): number {
  return record.wallMs + (record.durationTicks * 1000) / VIDEO_TIMESCALE;
}
