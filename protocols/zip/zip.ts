// Writes the structures of a zip archive whose files are stored as they are, with 64-bit sizes where they are needed (APPNOTE 4.3, 4.5.3).

/** One stored file of an archive. */
export interface ZipEntry {
  /** UTF-8, with slashes between folders. */
  readonly name: string;
  readonly bytes: number;
  readonly crc32: number;
  /** Where its local header lies. */
  readonly offset: number;
  readonly modifiedMs: number;
}

/** Where the checksum stands in a local header: it is known only after the file was written. */
export const ZIP_CRC_AT = 14;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const MAX_32 = 0xffffffff;
const VERSION = 45;
/** The name is UTF-8. */
const FLAGS = 0x0800;

export function writeLocalHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name, 'utf8');
  const extra = entry.bytes >= MAX_32 ? extra64([entry.bytes, entry.bytes]) : Buffer.alloc(0);
  const bytes = Buffer.alloc(30);
  bytes.writeUInt32LE(LOCAL, 0);
  writeCommon(bytes, entry, 4);
  bytes.writeUInt16LE(name.length, 26);
  bytes.writeUInt16LE(extra.length, 28);
  return Buffer.concat([bytes, name, extra]);
}

/** The directory and the end of the archive; `offset`: where the directory begins. */
export function writeDirectory(entries: readonly ZipEntry[], offset: number): Buffer {
  const directory = Buffer.concat(entries.map(directoryRow));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Math.min(directory.length, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  const wide = offset >= MAX_32 ? end64(entries.length, directory.length, offset) : Buffer.alloc(0);
  return Buffer.concat([directory, wide, end]);
}

function directoryRow(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name, 'utf8');
  const wide = entry.bytes >= MAX_32 ? [entry.bytes, entry.bytes] : [];
  if (entry.offset >= MAX_32) wide.push(entry.offset);
  const extra = wide.length > 0 ? extra64(wide) : Buffer.alloc(0);
  const bytes = Buffer.alloc(46);
  bytes.writeUInt32LE(CENTRAL, 0);
  // Made by: Unix.
  bytes.writeUInt16LE(0x0300 | VERSION, 4);
  writeCommon(bytes, entry, 6);
  bytes.writeUInt16LE(name.length, 28);
  bytes.writeUInt16LE(extra.length, 30);
  // Rights of an ordinary file, rw-r--r--.
  bytes.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  bytes.writeUInt32LE(Math.min(entry.offset, MAX_32), 42);
  return Buffer.concat([bytes, name, extra]);
}

/** The fields both headers share, from `version needed` on. */
function writeCommon(bytes: Buffer, entry: ZipEntry, at: number): void {
  const { date, time } = dosTime(entry.modifiedMs);
  const size = entry.bytes >= MAX_32 ? MAX_32 : entry.bytes;
  bytes.writeUInt16LE(VERSION, at);
  bytes.writeUInt16LE(FLAGS, at + 2);
  bytes.writeUInt16LE(time, at + 6);
  bytes.writeUInt16LE(date, at + 8);
  bytes.writeUInt32LE(entry.crc32, at + 10);
  bytes.writeUInt32LE(size, at + 14);
  bytes.writeUInt32LE(size, at + 18);
}

function extra64(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 8 * values.length);
  bytes.writeUInt16LE(1, 0);
  bytes.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return bytes;
}

function end64(count: number, length: number, offset: number): Buffer {
  const bytes = Buffer.alloc(56 + 20);
  bytes.writeUInt32LE(END_64, 0);
  bytes.writeBigUInt64LE(44n, 4);
  bytes.writeUInt16LE(0x0300 | VERSION, 12);
  bytes.writeUInt16LE(VERSION, 14);
  bytes.writeBigUInt64LE(BigInt(count), 24);
  bytes.writeBigUInt64LE(BigInt(count), 32);
  bytes.writeBigUInt64LE(BigInt(length), 40);
  bytes.writeBigUInt64LE(BigInt(offset), 48);
  bytes.writeUInt32LE(LOCATOR_64, 56);
  bytes.writeBigUInt64LE(BigInt(offset + length), 64);
  bytes.writeUInt32LE(1, 72);
  return bytes;
}

/** In UTC: zip has no zone of its own. */
function dosTime(ms: number): { date: number; time: number } {
  const at = new Date(ms);
  const year = Math.min(127, Math.max(0, at.getUTCFullYear() - 1980));
  return {
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}
