// The recorded spans of a track, merged incrementally, so that a timeline costs its spans and not its files.
import type { TimeRange } from './track-notes.ts';

/** Recordings closer than this are one span of the timeline. */
export const SPAN_GAP_MS = 2000;

export class JoinedSpans {
  /** Own copies: ends grow in place. */
  #spans: { startMs: number; endMs: number }[] = [];
  /** Changed in the middle: merged again at the next read. */
  #isStale = false;

  /** A file after all others. */
  appended({ startMs, endMs }: TimeRange): void {
    const last = this.#spans.at(-1);
    if (last && startMs - last.endMs < SPAN_GAP_MS) last.endMs = Math.max(last.endMs, endMs);
    else this.#spans.push({ startMs, endMs });
  }

  /** The newest file grows. */
  grown(endMs: number): void {
    const last = this.#spans.at(-1);
    if (last) last.endMs = Math.max(last.endMs, endMs);
  }

  /** The oldest file was removed; `next` is the oldest now. */
  shortened(gone: TimeRange, next: TimeRange | undefined): void {
    const [first] = this.#spans;
    if (!next || !first || next.startMs < gone.endMs) this.changed();
    else if (next.startMs < first.endMs) first.startMs = next.startMs;
    else this.#spans.shift();
  }

  changed(): void {
    this.#isStale = true;
  }

  /** Spans that touch `[from, to)`, clipped; `files` are all of the track, by start. */
  within(files: readonly TimeRange[], from: number, to: number): TimeRange[] {
    if (this.#isStale) this.#joinAnew(files);
    const found: TimeRange[] = [];
    for (let at = this.#firstEndingAfter(from); at < this.#spans.length; at += 1) {
      const { startMs, endMs } = this.#spans[at] as TimeRange;
      if (startMs >= to) break;
      found.push({ startMs: Math.max(from, startMs), endMs: Math.min(to, endMs) });
    }
    return found;
  }

  #joinAnew(files: readonly TimeRange[]): void {
    this.#spans = [];
    this.#isStale = false;
    for (const file of files) this.appended(file);
  }

  #firstEndingAfter(from: number): number {
    let low = 0;
    let high = this.#spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#spans[middle] as TimeRange).endMs <= from) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
