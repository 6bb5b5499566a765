// Fixed-length entries that end with a CRC-32 of the rest: index records, notes, catalog lines.
import { crc32 } from 'node:zlib';

const CHECKSUM_BYTES = 4;

/** Writes the checksum; returns the same bytes. */
export function withChecksum(entry: Buffer): Buffer {
  const end = entry.length - CHECKSUM_BYTES;
  entry.writeUInt32BE(crc32(entry.subarray(0, end)), end);
  return entry;
}

/** The entry at `at`; null if truncated or damaged. */
export function checkedEntry(bytes: Buffer, at: number, length: number): Buffer | null {
  if (at + length > bytes.length) return null;
  const end = at + length - CHECKSUM_BYTES;
  return crc32(bytes.subarray(at, end)) === bytes.readUInt32BE(end) ? bytes.subarray(at, at + length) : null;
}

/** All valid entries in order. */
export function* checkedEntries(bytes: Buffer, length: number): Iterable<Buffer> {
  for (let at = 0; at + length <= bytes.length; at += length) {
    const entry = checkedEntry(bytes, at, length);
    if (entry !== null) yield entry;
  }
}
