// Remembers which fragments of which recorded files did not match their checksums, so that nothing plans with them again.
import { type IndexRecord, RECORD_FLAG, recordEndMs } from './index-record.ts';
import type { TimeRange } from './gaps/track-notes.ts';

/** More damaged files are found anew when they are read again. */
const FILES_KEPT = 10_000;
/** Of one file: more than it has groups of pictures. */
const NOTES_PER_FILE = 200;

export class DamageList {
  /** Offsets of fragments by the path of their file. */
  readonly #files = new Map<string, Set<number>>();

  /** Answers what cannot be shown because of it; null where it was known. */
  add(path: string, records: readonly IndexRecord[], at: number): TimeRange | null {
    const record = records[at];
    if (!record || this.#files.get(path)?.has(record.offset)) return null;
    this.#of(path).add(record.offset);
    const next = records.find(({ flags }, place) => place > at && (flags & RECORD_FLAG.key) !== 0);
    const last = records.at(-1) ?? record;
    return { startMs: record.wallMs, endMs: next?.wallMs ?? recordEndMs(last) };
  }

  /** Answers the time of all of them; null where that was known. */
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

  /** A disk that is spoilt all over does not make the list of notes grow without end. */
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

  clear(): void {
    this.#files.clear();
  }
}
