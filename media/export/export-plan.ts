// Plans an export from the index alone: which fragments of which files, split into parts of one format, and the gaps between.
import { type IsRepeated, isFragmentWithin, type PieceBounds, repeatsOf } from '../recordings/backfill-boundaries.ts';
import { type IndexHeader, type IndexRecord, RECORD_FLAG, recordEndMs } from '../recordings/index-record.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import { type RecordingsStore, SPAN_GAP_MS } from '../recordings/recordings-store.ts';

/** One stored fragment. */
export interface Piece {
  readonly fileStartMs: number;
  readonly header: IndexHeader;
  readonly record: IndexRecord;
}

/** Fragments of one format, for one MP4. Starts with a keyframe, as every stretch after a gap does. */
export interface Part {
  readonly pieces: readonly Piece[];
}

export interface Gap {
  readonly startMs: number;
  readonly endMs: number;
}

export interface ExportPlan {
  readonly parts: readonly Part[];
  readonly gaps: readonly Gap[];
  /** Size of the stored fragments: slightly more than the MP4s. */
  readonly bytes: number;
  readonly recordedMs: number;
}

export interface ExportPlanRequest {
  readonly store: RecordingsStore;
  readonly key: TrackKey;
  readonly startMs: number;
  readonly endMs: number;
}

/** How far before the range to search: no keyframe interval is longer. */
export const KEYFRAME_SEARCH_MS = 60_000;

export async function planExport({ store, key, startMs, endMs }: ExportPlanRequest): Promise<ExportPlan> {
  const builder = new ExportPlanBuilder(startMs, endMs, repeatsOf(store.notes(key)));
  for (const file of store.files(key, startMs - KEYFRAME_SEARCH_MS, endMs)) {
    const index = await store.readIndex(key, file.startMs);
    // A file removed meanwhile is a gap.
    if (!index) continue;
    const { header, records } = index;
    const end = records.at(-1);
    for (const record of records)
      builder.add({ fileStartMs: file.startMs, header, record }, end === undefined ? 0 : recordEndMs(end));
  }
  return builder.finish();
}

class ExportPlanBuilder {
  readonly #startMs: number;
  readonly #endMs: number;
  readonly #parts: Piece[][] = [];
  readonly #gaps: Gap[] = [];
  /** Starts at the last keyframe before the range. */
  #lead: Piece[] = [];
  #last: Piece | null = null;
  #bytes = 0;
  #recordedMs = 0;
  readonly #isRepeated: IsRepeated;

  constructor(startMs: number, endMs: number, isRepeated: IsRepeated) {
    this.#startMs = startMs;
    this.#endMs = endMs;
    this.#isRepeated = isRepeated;
  }

  /** `fileEndMs`: end of the file that holds the piece. */
  add(piece: Piece, fileEndMs: number): void {
    const { record } = piece;
    if (record.wallMs >= this.#endMs) return;
    const isKey = (record.flags & RECORD_FLAG.key) !== 0;
    if (recordEndMs(record) <= this.#startMs) {
      if (isKey || !continues(this.#lead.at(-1), piece)) this.#lead = [];
      if (isKey || this.#lead.length > 0) this.#lead.push(piece);
      return;
    }
    if (!this.#last) this.#begin(piece, isKey);
    else if (continues(this.#last, piece)) this.#take(piece);
    else if (isKey) {
      this.#dropRepeated({ fromMs: record.wallMs, toMs: fileEndMs });
      this.#gap(recordEndMs(this.#last.record), record.wallMs);
      this.#take(piece);
    }
  }

  finish(): ExportPlan {
    this.#gap(this.#last ? recordEndMs(this.#last.record) : this.#startMs, this.#endMs);
    return {
      parts: this.#parts.map((pieces) => ({ pieces })),
      gaps: this.#gaps,
      bytes: this.#bytes,
      recordedMs: this.#recordedMs,
    };
  }

  /** First fragment with a frame of the range; the frames it depends on are included. */
  #begin(piece: Piece, isKey: boolean): void {
    // Frames before the keyframe's own time may stand behind it, where only the GOP before it decodes them (open GOP).
    const isWhole = isKey && piece.record.wallMs <= this.#startMs;
    const lead = continues(this.#lead.at(-1), piece) && !isWhole ? this.#lead : [];
    if (!isKey && lead.length === 0) return;
    this.#gap(this.#startMs, piece.record.wallMs);
    for (const one of [...lead, piece]) this.#take(one);
  }

  #take(piece: Piece): void {
    const { header, record } = piece;
    const part = this.#parts.at(-1);
    if (part && part[0]?.header.initHash === header.initHash) part.push(piece);
    else this.#parts.push([piece]);
    this.#last = piece;
    this.#bytes += record.totalBytes;
    this.#recordedMs += this.#shownMs(record);
  }

  /** A backfilled piece starts at its first keyframe, and ours again where it ends; the first piece stays. */
  #dropRepeated(next: PieceBounds): void {
    if (!this.#last || !this.#isRepeated(recordEndMs(this.#last.record), next)) return;
    for (let part = this.#parts.at(-1); part; part = this.#parts.at(-1)) {
      const record = part.at(-1)?.record;
      const isFirst = this.#parts.length === 1 && part.length === 1;
      if (!record || isFirst || !isFragmentWithin(record.wallMs, recordEndMs(record), next)) break;
      this.#dropLast(part, record);
    }
    this.#last = this.#parts.at(-1)?.at(-1) ?? this.#last;
  }

  #dropLast(part: Piece[], record: IndexRecord): void {
    part.pop();
    if (part.length === 0) this.#parts.pop();
    this.#bytes -= record.totalBytes;
    this.#recordedMs -= this.#shownMs(record);
  }

  #shownMs(record: IndexRecord): number {
    return Math.max(0, Math.min(recordEndMs(record), this.#endMs) - Math.max(record.wallMs, this.#startMs));
  }

  #gap(fromMs: number, toMs: number): void {
    const startMs = Math.max(fromMs, this.#startMs);
    if (toMs - startMs >= SPAN_GAP_MS) this.#gaps.push({ startMs: Math.round(startMs), endMs: Math.round(toMs) });
  }
}

/** Contiguous and of one format: frames of `next` may depend on those of `last`. */
function continues(last: Piece | undefined, next: Piece): boolean {
  if (!last || last.header.initHash !== next.header.initHash) return false;
  if (last.header.runId !== next.header.runId) return false;
  return Math.abs(next.record.wallMs - recordEndMs(last.record)) < SPAN_GAP_MS;
}
