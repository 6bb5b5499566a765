// Remembers fragments of recorded files that failed their checksums, so that nothing uses them again.
import { type IndexRecord, RECORD_FLAG, recordEndMs } from './index-record.ts';
import type { TimeRange } from './gaps/track-notes.ts';

/** Files beyond the limit are detected again when read. */
const FILES_KEPT = 10_000;
/** Limit per file, above its number of GOPs. */
const NOTES_PER_FILE = 200;

export class DamageList {
  /** Offsets of damaged fragments by path of the file. */
  readonly #files = new Map<string, Set<number>>();

  /** Returns the range that cannot be shown because of it; null if already known. */
  add(path: string, records: readonly IndexRecord[], at: number): TimeRange | null {
    const record = records[at];
    if (!record || this.#files.get(path)?.has(record.offset)) return null;
    this.#of(path).add(record.offset);
    const next = records.find(({ flags }, place) => place > at && (flags & RECORD_FLAG.key) !== 0);
    const last = records.at(-1) ?? record;
    return { startMs: record.wallMs, endMs: next?.wallMs ?? recordEndMs(last) };
  }

  /** Returns the range of all of them; null if already known. */
  addAll(path: string, records: readonly IndexRecord[]): TimeRange | null {
    const [first] = records;
    const last = records.at(-1);
    const known = this.#of(path);
    if (!first || !last || known.size === records.length) return null;
    for (const { offset } of records) known.add(offset);
    return { startMs: first.wallMs, endMs: recordEndMs(last) };
  }

  #of(path: string): Set<number> {
    const known = this.#files.get(path) ?? new Set<number>();
    this.#files.set(path, known);
    const [oldest] = this.#files.keys();
    if (this.#files.size > FILES_KEPT && oldest !== undefined) this.#files.delete(oldest);
    return known;
  }

  /** Bounds the list of notes on a badly damaged disk. */
  takesNote(path: string): boolean {
    return (this.#files.get(path)?.size ?? 0) <= NOTES_PER_FILE;
  }

  before(path: string, records: readonly IndexRecord[]): readonly IndexRecord[] {
    const known = this.#files.get(path);
    const at = known ? records.findIndex(({ offset }) => known.has(offset)) : -1;
    return at < 0 ? records : records.slice(0, at);
  }

  forget(path: string): void {
    this.#files.delete(path);
  }

  forgetBelow(folder: string): void {
    for (const path of this.#files.keys()) if (path.startsWith(`${folder}/`)) this.#files.delete(path);
  }
}
