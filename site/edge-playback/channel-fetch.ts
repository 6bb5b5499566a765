// Fetches of one channel's edge recording: one minute ahead of each reader, one replay per reader, and ranges that gave nothing.
import type { ReplayEnd } from '@vedette/media/source/replay-source.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';
import { clipRanges, subtractRanges } from './time-ranges.ts';

/** A running or finished replay. */
export interface RunningFetch extends TimeRange {
  /** Up to where recordings were stored; null before any. */
  readonly storedMs: number | null;
  run(): Promise<ReplayEnd>;
}

export interface Reader {
  readonly sessionId: string;
  /** When its replay was ended. */
  readonly ended: AbortSignal;
}

export interface ChannelFetchOptions {
  readonly monotonicMs: () => number;
  /** Ranges that were fetched, within a range. */
  readonly there: (startMs: number, endMs: number) => readonly TimeRange[];
  /** Rejects with DeviceFault or RtspError. */
  readonly begin: (range: TimeRange, signal: AbortSignal) => Promise<RunningFetch>;
}

interface Fetch {
  readonly range: TimeRange;
  readonly sessionId: string;
  readonly closing: AbortController;
  running: RunningFetch | null;
  done: Promise<void>;
}

interface Void extends TimeRange {
  readonly untilMs: number;
}

/** Ends by itself when the reader has left. */
const FETCHED_AHEAD_MS = 60_000;
/** A gap ahead of the reader is fetched when it is this near. */
const NEAR_MS = 30_000;
/** How far readers look ahead. */
const BEFORE_MS = 15_000;
/** Parallel readers of one channel at different places. */
const AT_ONCE = 3;
/** How long ranges that the device lists but did not send are not requested again. */
const VOID_KEPT_MS = 60_000;
const FAULT_KEPT_MS = 10_000;
const WORTH_MS = 2500;

export class ChannelFetch {
  readonly #options: ChannelFetchOptions;
  #fetches: Fetch[] = [];
  #voids: Void[] = [];
  /** End of the recordings before a break: retried once from there. */
  #brokenMs: number | null = null;
  #fault: { readonly error: unknown; readonly untilMs: number } | null = null;

  constructor(options: ChannelFetchOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#fetches.length === 0;
  }

  /** `held`: recordings of the device around the reader. Returns those still to come. */
  async want(held: readonly TimeRange[], atMs: number, reader: Reader): Promise<TimeRange[]> {
    const { monotonicMs } = this.#options;
    const awaited = this.#awaited(held);
    const next = awaited.find(({ endMs }) => endMs > atMs);
    if (!next || next.startMs - atMs > NEAR_MS) return awaited;
    if (this.#fault && this.#fault.untilMs > monotonicMs()) throw this.#fault.error;
    // A little before the requested time is also fetched: the reader needs it for decoding.
    const startMs = atMs - next.startMs > BEFORE_MS ? atMs : next.startMs;
    const isComing = this.#fetches.some(({ range }) => range.startMs <= startMs && range.endMs > startMs);
    if (!isComing) this.#begin({ startMs, endMs: Math.min(next.endMs, startMs + FETCHED_AHEAD_MS) }, reader);
    return awaited;
  }

  async close(): Promise<void> {
    const fetches = this.#fetches;
    for (const { closing } of fetches) closing.abort();
    await Promise.all(fetches.map(({ done }) => done));
  }

  /** What a running replay skips does not exist. */
  #awaited(held: readonly TimeRange[]): TimeRange[] {
    const [first, last] = [held[0], held.at(-1)];
    if (!first || !last) return [];
    const now = this.#options.monotonicMs();
    this.#voids = this.#voids.filter(({ untilMs }) => untilMs > now);
    const passed = this.#fetches.flatMap(({ range, running }) => {
      const storedMs = running?.storedMs ?? null;
      return storedMs === null ? [] : [{ startMs: range.startMs, endMs: storedMs }];
    });
    const settled = [...this.#options.there(first.startMs, last.endMs), ...this.#voids, ...passed];
    settled.sort((a, b) => a.startMs - b.startMs);
    return subtractRanges(held, settled, WORTH_MS);
  }

  /** A reader that seeks elsewhere ends its earlier fetch. */
  #begin(range: TimeRange, { sessionId, ended }: Reader): void {
    for (const fetch of this.#fetches) if (fetch.sessionId === sessionId) fetch.closing.abort();
    const running = this.#fetches.filter(({ closing }) => !closing.signal.aborted);
    // Retried soon: by then another fetch has ended.
    if (running.length >= AT_ONCE || ended.aborted) return;
    const fetch: Fetch = { range, sessionId, closing: new AbortController(), running: null, done: Promise.resolve() };
    this.#fetches.push(fetch);
    fetch.done = this.#run(fetch, AbortSignal.any([fetch.closing.signal, ended])).finally(() => {
      this.#fetches = this.#fetches.filter((one) => one !== fetch);
    });
  }

  async #run(fetch: Fetch, signal: AbortSignal): Promise<void> {
    const { begin, monotonicMs } = this.#options;
    try {
      fetch.running = await begin(fetch.range, signal);
      const end = await fetch.running.run();
      if (signal.aborted) return;
      this.#fault = null;
      this.#settle(fetch.range, end === 'broken' ? (fetch.running.storedMs ?? fetch.range.startMs) : null);
    } catch (error) {
      if (signal.aborted) return;
      // After a break nothing more comes from this replay.
      if (this.#brokenMs !== null && this.#brokenMs >= fetch.range.startMs - BEFORE_MS) this.#settle(fetch.range, null);
      else this.#fault = { error, untilMs: monotonicMs() + FAULT_KEPT_MS };
    }
  }

  /** What did not come does not exist, except after a break: that is requested again as long as it brings something. */
  #settle({ startMs, endMs }: TimeRange, brokenMs: number | null): void {
    const { monotonicMs, there } = this.#options;
    const isNew = brokenMs !== null && brokenMs > (this.#brokenMs ?? Number.NEGATIVE_INFINITY) + WORTH_MS;
    this.#brokenMs = isNew ? brokenMs : null;
    const range = { startMs, endMs: isNew ? brokenMs : endMs };
    const untilMs = monotonicMs() + VOID_KEPT_MS;
    const missing = subtractRanges([range], clipRanges(there(startMs, endMs), startMs, endMs), 0);
    for (const one of missing) this.#voids.push({ ...one, untilMs });
  }
}
