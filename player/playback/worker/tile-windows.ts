// Which recording windows a tile requests, and when again: they grow at the live edge, and tickets expire.
import type { SegmentEntry } from '../segments/fragment-index.ts';
import { FragmentTimeline } from '../segments/fragment-timeline.ts';
import type { WindowReply } from './worker-messages.ts';

export interface TileWindowsOptions {
  readonly windowMs: number;
  readonly now: () => number;
  readonly want: (window: number, isStale: boolean, at: number) => void;
  /** When an address answered last, on the scale of `now`; 0: never. */
  readonly answeredAt: (base: string) => number;
}

/** A window that grows is looked at again this often, once the clock is near its end. */
const REFRESH_MS = 1000;
const NEAR_END_MS = 15_000;
/** What is being fetched from the device is asked for again this often. */
const AWAITED_MS = 400;
/** Tickets end after 60 s without use (TICKET_IDLE_MS): a little earlier, another one is asked for. */
const IDLE_MS = 50_000;
/** After a failure. */
const AGAIN_MS = 1500;

interface Asked {
  readonly atMs: number;
  isOpen: boolean;
  isGrowing: boolean;
}

export class TileWindows {
  readonly timeline: FragmentTimeline;
  readonly #options: TileWindowsOptions;
  readonly #asked = new Map<number, Asked>();

  constructor(options: TileWindowsOptions) {
    this.#options = options;
    this.timeline = new FragmentTimeline(options.windowMs);
  }

  /** Sees to it that the window of an instant is there, and is as long as it is by now. */
  need(at: number): void {
    const window = this.timeline.windowOf(at);
    const asked = this.#asked.get(window);
    if (!asked) return this.#ask(window, false, at);
    if (asked.isOpen) return;
    const age = this.#options.now() - asked.atMs;
    if (this.#isIdle(window, asked)) {
      this.timeline.forget(window);
      return this.#ask(window, true, at);
    }
    if (this.timeline.isAwaited(at)) {
      if (age >= AWAITED_MS) this.#ask(window, false, at);
      return;
    }
    const isMissing = !this.timeline.has(window);
    if (isMissing ? age < AGAIN_MS : !asked.isGrowing || age < REFRESH_MS) return;
    if (isMissing || at > this.timeline.endOf(window) - NEAR_END_MS) this.#ask(window, false, at);
  }

  put(window: number, reply: WindowReply): void {
    const asked = this.#asked.get(window);
    if (asked) asked.isOpen = false;
    if (reply.kind === 'failed') return;
    if (asked) asked.isGrowing = reply.isGrowing;
    this.timeline.put(window, reply.segments, reply.awaited);
  }

  /** Recordings of a segment did not come, though its window lists it. */
  renew({ startMs }: SegmentEntry): void {
    const window = this.timeline.windowOf(startMs);
    const asked = this.#asked.get(window);
    if (asked && (asked.isOpen || this.#options.now() - asked.atMs < AGAIN_MS)) return;
    this.#ask(window, true, startMs);
  }

  #isIdle(window: number, { atMs }: Asked): boolean {
    const base = this.timeline.baseOf(window);
    if (base === null) return false;
    const { now, answeredAt } = this.#options;
    return now() - Math.max(atMs, answeredAt(base)) > IDLE_MS;
  }

  /** Tickets and lists of a right that ended are of no use any more. */
  clear(): void {
    this.#asked.clear();
    this.timeline.clear();
  }

  #ask(window: number, isStale: boolean, at: number): void {
    this.#asked.set(window, { atMs: this.#options.now(), isOpen: true, isGrowing: false });
    this.#options.want(window, isStale, at);
  }
}
