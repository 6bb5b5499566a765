// The catalog of one day's folder: a 32-byte line per finished file, so that a start reads one file per day and not one per minute.
import { checkedEntries, withChecksum } from './entries/checksummed-entry.ts';

/** Written only after the file and its index are synced: a listed file needs no check at start. */
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
  return withChecksum(bytes);
}

/** Line of a removed file: it replaces the earlier one. */
export function writeRemovedEntry(startMs: number): Buffer {
  return writeCatalogEntry({ startMs, endMs: startMs, mediaBytes: 0, records: 0 });
}

/** By start; damaged lines are skipped, a later line of a file replaces the earlier, removed files are omitted. */
export function readCatalog(bytes: Buffer): Map<number, CatalogEntry> {
  const entries = new Map<number, CatalogEntry>();
  for (const line of checkedEntries(bytes, CATALOG_ENTRY_BYTES)) {
    const startMs = line.readDoubleBE(0);
    const records = line.readUInt32BE(20);
    if (records === 0) entries.delete(startMs);
    else
      entries.set(startMs, {
        startMs,
        endMs: line.readDoubleBE(8),
        mediaBytes: line.readUInt32BE(16),
        records,
      });
  }
  return entries;
}
