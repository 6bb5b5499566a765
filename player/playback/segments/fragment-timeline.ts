// Timeline of a channel's recorded fragments: windows of 600 s on a fixed grid, each with its segments, and the gaps between.
import type { AwaitedStretch, SegmentEntry } from './fragment-index.ts';

export type TimelineSlot =
  | { readonly kind: 'segment'; readonly segment: SegmentEntry }
  /** Nothing is recorded in `[from, to)`; null where the end is not known yet. */
  | { readonly kind: 'gap'; readonly from: number | null; readonly to: number | null }
  /** Its window was not asked for, or not answered yet, or holds it among what is awaited. */
  | { readonly kind: 'unknown'; readonly window: number };

/** Holes below this are seams of one recording: clocks of cameras drift, files are changed. */
export const JOIN_GAP_MS = 2000;

export class FragmentTimeline {
  readonly windowMs: number;
  readonly #windows = new Map<number, readonly SegmentEntry[]>();
  readonly #awaited = new Map<number, readonly AwaitedStretch[]>();
  /** Ids of segments that are listed and can't be had. */
  readonly #leftOut = new Set<string>();

  constructor(windowMs: number) {
    this.windowMs = windowMs;
  }

  /** Start of the window that holds an instant. */
  windowOf(at: number): number {
    return Math.floor(at / this.windowMs) * this.windowMs;
  }

  has(window: number): boolean {
    return this.#windows.has(window);
  }

  put(window: number, segments: readonly SegmentEntry[], awaited: readonly AwaitedStretch[] = []): void {
    const has = segments.some(({ id }) => this.#leftOut.has(id));
    this.#windows.set(window, has ? segments.filter(({ id }) => !this.#leftOut.has(id)) : segments);
    this.#awaited.set(window, awaited);
  }

  /** From now on there is a gap where this segment is. */
  leaveOut({ id }: SegmentEntry): void {
    this.#leftOut.add(id);
    for (const [window, segments] of this.#windows) {
      if (segments.some((one) => one.id === id))
        this.#windows.set(
          window,
          segments.filter((one) => one.id !== id),
        );
    }
  }

  /** The recording of an instant are being fetched from the device. */
  isAwaited(at: number): boolean {
    return (this.#awaited.get(this.windowOf(at)) ?? []).some(({ startMs, endMs }) => at >= startMs && at < endMs);
  }

  forget(window: number): void {
    this.#windows.delete(window);
    this.#awaited.delete(window);
  }

  /** Address of a window's segments; null where it holds none. */
  baseOf(window: number): string | null {
    return this.#windows.get(window)?.at(-1)?.base ?? null;
  }

  clear(): void {
    this.#windows.clear();
    this.#awaited.clear();
    this.#leftOut.clear();
  }

  /** End of the last segment that a window holds; its start where it holds none. */
  endOf(window: number): number {
    return this.#windows.get(window)?.at(-1)?.endMs ?? window;
  }

  find(at: number): TimelineSlot {
    const window = this.windowOf(at);
    const segments = this.#windows.get(window);
    if (!segments) return { kind: 'unknown', window };
    const index = lastStartingBy(segments, at);
    const before = segments[index] ?? null;
    const after = segments[index + 1] ?? null;
    if (before && at < before.endMs) return { kind: 'segment', segment: before };
    // A seam shows the last picture before it, one at the very start the first after it.
    if (before && at - before.endMs < JOIN_GAP_MS && (after ? after.startMs - before.endMs < JOIN_GAP_MS : false)) {
      return { kind: 'segment', segment: before };
    }
    if (this.isAwaited(at)) return { kind: 'unknown', window };
    return this.#around(window, before, after, at);
  }

  /** The segment after one, or the gap or the unknown window that follows it. */
  after(segment: SegmentEntry): TimelineSlot {
    const window = this.windowOf(segment.startMs);
    const soon = segment.endMs + JOIN_GAP_MS;
    for (const start of [window, this.windowOf(soon)]) {
      const segments = this.#windows.get(start);
      if (!segments) return { kind: 'unknown', window: start };
      const next = segments.find(({ startMs, id }) => startMs > segment.startMs && id !== segment.id);
      if (!next) continue;
      if (next.startMs - segment.endMs < JOIN_GAP_MS) return { kind: 'segment', segment: next };
      if (this.isAwaited(soon)) return { kind: 'unknown', window: start };
      return { kind: 'gap', from: segment.endMs, to: next.startMs };
    }
    if (this.isAwaited(soon)) return { kind: 'unknown', window: this.windowOf(soon) };
    return { kind: 'gap', from: segment.endMs, to: null };
  }

  before(segment: SegmentEntry): TimelineSlot {
    const window = this.windowOf(segment.startMs);
    const earlier = segment.startMs - JOIN_GAP_MS;
    for (const start of [window, this.windowOf(earlier)]) {
      const segments = this.#windows.get(start);
      if (!segments) return { kind: 'unknown', window: start };
      const next = segments.findLast(({ startMs, id }) => startMs < segment.startMs && id !== segment.id);
      if (!next) continue;
      if (segment.startMs - next.endMs < JOIN_GAP_MS) return { kind: 'segment', segment: next };
      if (this.isAwaited(earlier)) return { kind: 'unknown', window: start };
      return { kind: 'gap', from: next.endMs, to: segment.startMs };
    }
    if (this.isAwaited(earlier)) return { kind: 'unknown', window: this.windowOf(earlier) };
    return { kind: 'gap', from: null, to: segment.startMs };
  }

  /** The newest form of a segment that may have grown since. */
  newest(segment: SegmentEntry): SegmentEntry {
    const segments = this.#windows.get(this.windowOf(segment.startMs));
    return segments?.find(({ id }) => id === segment.id) ?? segment;
  }

  #lastIn(window: number): SegmentEntry | null {
    return this.#windows.get(window)?.at(-1) ?? null;
  }

  /** A gap is searched for its ends in the neighbouring windows that are known. */
  #around(window: number, before: SegmentEntry | null, after: SegmentEntry | null, at: number): TimelineSlot {
    const earlier = before ?? this.#lastIn(window - this.windowMs);
    const later = after ?? this.#windows.get(window + this.windowMs)?.[0] ?? null;
    if (earlier && at < earlier.endMs) return { kind: 'segment', segment: earlier };
    if (earlier && later && later.startMs - earlier.endMs < JOIN_GAP_MS) return { kind: 'segment', segment: earlier };
    return gapBetween(earlier, later);
  }
}

function gapBetween(earlier: SegmentEntry | null, later: SegmentEntry | null): TimelineSlot {
  return { kind: 'gap', from: earlier?.endMs ?? null, to: later?.startMs ?? null };
}

function lastStartingBy(segments: readonly SegmentEntry[], at: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle] as SegmentEntry).startMs <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
