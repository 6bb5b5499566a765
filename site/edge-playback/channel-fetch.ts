// Fetches of one channel's edge recording: one minute ahead of each reader, one replay per reader, and ranges that gave nothing.
import type { ReplayEnd } from '@vedette/media/source/replay-source.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';
import { within, without } from './time-ranges.ts';

/** A replay that is under way or was. */
export interface RunningFetch extends TimeRange {
  /** Up to where recordings were stored; null before any. */
  readonly storedMs: number | null;
  run(): Promise<ReplayEnd>;
}

export interface Reader {
  readonly sessionId: string;
  /** Its replay ends then. */
  readonly ended: AbortSignal;
}

export interface ChannelFetchOptions {
  readonly monotonicMs: () => number;
  /** What was fetched, within a stretch. */
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

/** Ends by itself: a reader that left costs the device no more than this. */
const FETCHED_AHEAD_MS = 60_000;
/** The nearest hole after the reader is fetched once it is so near. */
const NEAR_MS = 30_000;
/** As far as readers look ahead. */
const BEFORE_MS = 15_000;
/** Readers of one channel at different places. */
const AT_ONCE = 3;
/** What the device said it holds and did not give is not asked for again so soon. */
const VOID_KEPT_MS = 60_000;
const FAULT_KEPT_MS = 10_000;
const WORTH_MS = 2500;

export class ChannelFetch {
  readonly #options: ChannelFetchOptions;
  #fetches: Fetch[] = [];
  #voids: Void[] = [];
  /** Up to where recordings came before a line broke: there it is tried once more. */
  #brokenMs: number | null = null;
  #fault: { readonly error: unknown; readonly untilMs: number } | null = null;

  constructor(options: ChannelFetchOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#fetches.length === 0;
  }

  /** `held`: what the device has around the reader. Answers what of it is still to come. */
  async want(held: readonly TimeRange[], atMs: number, reader: Reader): Promise<TimeRange[]> {
    const { monotonicMs } = this.#options;
    const awaited = this.#awaited(held);
    const next = awaited.find(({ endMs }) => endMs > atMs);
    if (!next || next.startMs - atMs > NEAR_MS) return awaited;
    if (this.#fault && this.#fault.untilMs > monotonicMs()) throw this.#fault.error;
    // A reader asks for what it needs soon: what lies shortly before that it needs sooner.
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

  /** What is passed over by a replay that goes on is not there. */
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
    return without(held, settled, WORTH_MS);
  }

  /** A reader that went elsewhere gives up where it was. */
  #begin(range: TimeRange, { sessionId, ended }: Reader): void {
    for (const fetch of this.#fetches) if (fetch.sessionId === sessionId) fetch.closing.abort();
    const running = this.#fetches.filter(({ closing }) => !closing.signal.aborted);
    // Asked again in a moment: by then another one is over.
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
      // Nothing more after a break: the device has ended it so.
      if (this.#brokenMs !== null && this.#brokenMs >= fetch.range.startMs - BEFORE_MS) this.#settle(fetch.range, null);
      else this.#fault = { error, untilMs: monotonicMs() + FAULT_KEPT_MS };
    }
  }

  /** What did not come is not there, but for what lies after a break: it is asked for once more, and again for as long as that brings something. */
  #settle({ startMs, endMs }: TimeRange, brokenMs: number | null): void {
    const { monotonicMs, there } = this.#options;
    const isNew = brokenMs !== null && brokenMs > (this.#brokenMs ?? Number.NEGATIVE_INFINITY) + WORTH_MS;
    this.#brokenMs = isNew ? brokenMs : null;
    const range = { startMs, endMs: isNew ? brokenMs : endMs };
    const untilMs = monotonicMs() + VOID_KEPT_MS;
    const missing = without([range], within(there(startMs, endMs), startMs, endMs), 0);
    for (const one of missing) this.#voids.push({ ...one, untilMs });
  }
}
