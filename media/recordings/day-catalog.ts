// The catalog of one day's folder: a 32-byte line per finished file, so that a start reads one file per day and not one per minute.
import { crc32 } from 'node:zlib';

/** Written only after the file and its index are synced: a file named here needs no check at start. */
export interface CatalogEntry {
  readonly startMs: number;
  readonly endMs: number;
  readonly mediaBytes: number;
  readonly records: number;
}

export const CATALOG_NAME = 'catalog';
export const CATALOG_ENTRY_BYTES = 32;

export function writeCatalogEntry(entry: CatalogEntry): Buffer {
  const bytes = Buffer.alloc(CATALOG_ENTRY_BYTES);
  bytes.writeDoubleBE(entry.startMs, 0);
  bytes.writeDoubleBE(entry.endMs, 8);
  bytes.writeUInt32BE(entry.mediaBytes, 16);
  bytes.writeUInt32BE(entry.records, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 28)), 28);
  return bytes;
}

/** The line of a file that was removed: it takes the place of the one before. */
export function writeRemovedEntry(startMs: number): Buffer {
  return writeCatalogEntry({ startMs, endMs: startMs, mediaBytes: 0, records: 0 });
}

/** By start; lines that are cut or damaged are left out, a later line of the same file wins, removed files are not in it. */
export function readCatalog(bytes: Buffer): Map<number, CatalogEntry> {
  const entries = new Map<number, CatalogEntry>();
  for (let at = 0; at + CATALOG_ENTRY_BYTES <= bytes.length; at += CATALOG_ENTRY_BYTES) {
    if (crc32(bytes.subarray(at, at + 28)) !== bytes.readUInt32BE(at + 28)) continue;
    const startMs = bytes.readDoubleBE(at);
    const records = bytes.readUInt32BE(at + 20);
    if (records === 0) entries.delete(startMs);
    else
      entries.set(startMs, {
        startMs,
        endMs: bytes.readDoubleBE(at + 8),
        mediaBytes: bytes.readUInt32BE(at + 16),
        records,
      });
  }
  return entries;
}
