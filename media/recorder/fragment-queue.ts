// Bounded queue of fragments on their way to the disk: on overflow the oldest whole GOPs are dropped and the gap is marked.
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import type { TimeRange } from '../recordings/gaps/track-notes.ts';
import { type Fragment, fragmentBytes, letGo } from './fragment.ts';

export interface FragmentQueueOptions {
  readonly maxBytes: number;
  /** Dropped frames, and the time missing with them. */
  readonly dropped: (counter: 'picturesDroppedQueueFull' | 'picturesDroppedUntilKey', pictures: number) => void;
  readonly missing: (range: TimeRange) => void;
}

export class FragmentQueue {
  readonly #options: FragmentQueueOptions;
  #waiting: Fragment[] = [];
  /** The first one is being written and cannot be dropped. */
  #isFirstTaken = false;
  #bytes = 0;
  /** Temporarily higher limit for a burst from memory that is held anyway; ends when the queue is empty. */
  #allowance = 0;
  #isDropping = false;
  #isMarked = false;

  constructor(options: FragmentQueueOptions) {
    this.#options = options;
  }

  /** Bytes accepted and not yet synced. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Raises the limit by this many bytes for a burst. */
  expectBurst(bytes: number): void {
    this.#allowance += bytes;
  }

  /** False if it was dropped. */
  add(fragment: Fragment): boolean {
    const bytes = fragmentBytes(fragment);
    const limit = this.#options.maxBytes + this.#allowance;
    if (this.#isDropping) {
      if (!fragment.isKey || this.#bytes > limit / 2) {
        this.#lose('picturesDroppedUntilKey', [fragment]);
        return false;
      }
      this.#isDropping = false;
      this.#isMarked = true;
    }
    while (this.#bytes + bytes > limit) {
      if (this.#dropOldestGroup()) continue;
      this.#lose('picturesDroppedQueueFull', [fragment]);
      this.#isDropping = true;
      return false;
    }
    this.#waiting.push(this.#isMarked ? { ...fragment, isDiscontinuity: true } : fragment);
    this.#isMarked = false;
    this.#bytes += bytes;
    return true;
  }

  /** Next fragment to write; it stays in the queue until `written`. */
  take(): Fragment | undefined {
    this.#isFirstTaken = this.#waiting.length > 0;
    return this.#waiting[0];
  }

  written(fragment: Fragment): void {
    this.#isFirstTaken = false;
    const at = this.#waiting.indexOf(fragment);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** Drops it: no longer wanted. */
  discard(fragment: Fragment): void {
    this.written(fragment);
    this.proven(fragment);
    this.#options.dropped('picturesDroppedUntilKey', fragment.video.samples.length);
  }

  /** The write failed: retried with the next `take`. */
  failed(): void {
    this.#isFirstTaken = false;
  }

  /** Unsynced fragments are written again first. */
  putBack(fragments: readonly Fragment[]): void {
    this.#waiting.unshift(...fragments);
  }

  proven(fragment: Fragment): void {
    letGo(fragment);
    this.#bytes -= fragmentBytes(fragment);
    if (this.#bytes === 0) this.#allowance = 0;
  }

  /** Drops up to the next keyframe; without one, everything queued and what follows. */
  #dropOldestGroup(): boolean {
    const from = this.#isFirstTaken ? 1 : 0;
    if (this.#waiting.length <= from) return false;
    const nextKey = this.#waiting.findIndex((one, at) => at > from && one.isKey);
    const group = this.#waiting.splice(from, (nextKey < 0 ? this.#waiting.length : nextKey) - from);
    for (const one of group) this.#bytes -= fragmentBytes(one);
    this.#lose('picturesDroppedQueueFull', group);
    const next = this.#waiting[from];
    if (next) this.#waiting[from] = { ...next, isDiscontinuity: true };
    else this.#isDropping = true;
    return next !== undefined;
  }

  #lose(counter: Parameters<FragmentQueueOptions['dropped']>[0], fragments: readonly Fragment[]): void {
    for (const fragment of fragments) letGo(fragment);
    const [first] = fragments;
    const last = fragments.at(-1);
    if (!first || !last) return;
    this.#options.dropped(
      counter,
      fragments.reduce((sum, { video }) => sum + video.samples.length, 0),
    );
    const endMs = last.wallMs + (last.durationTicks * 1000) / VIDEO_TIMESCALE;
    this.#options.missing({ startMs: first.wallMs, endMs });
  }
}
