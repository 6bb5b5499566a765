// Turns a track's 32-bit RTP timestamps into a monotonic decode timeline, whatever the device does.

import { TimestampSmoother } from './timestamp-smoother.ts';

export interface TimelineOptions {
  /** RTP ticks per second. */
  readonly clockRate: number;
  /** Ticks per second of the output. */
  readonly outputRate: number;
  /** For live streams: follows arrival where RTP times drift. */
  readonly followsArrival?: boolean;
}

/** Greatest difference between media time and elapsed time before it counts as a jump. */
const JUMP_AHEAD_SECONDS = 10;
const LIVE_JUMP_AHEAD_SECONDS = 2;
const JUMP_BACK_SECONDS = 2;
/** Beside the reordering of B-frames. */
const LIVE_JUMP_BACK_SECONDS = 0.3;
/** A time jump with this much lateness follows a pause. */
const REJOIN_MS = 5000;
/** Backlog after a stall of this process is read within this time; otherwise the device stalled itself. */
const CATCH_UP_MS = 10_000;
/** Caught up: within the jitter of a busy machine. */
const CAUGHT_UP_MS = 300;
const MAX_GUESSED_REORDER = 4;
const GUESSED_FRAME_SECONDS = 1 / 25;

/**
 * RTP has presentation times in decoding order. With a reorder depth of N the decode time is the smallest of the last
 * N + 1 presentation times; an unstated depth is learned from times that go back.
 */
export class TrackTimeline {
  /** Result of the last `next`, in output ticks. */
  dts = 0;
  ctsOffset = 0;
  /** Decode time in milliseconds, for the capture clock. */
  mediaMs = 0;

  readonly #scale: number;
  readonly #outputRate: number;
  readonly #clockRate: number;
  #reorder = 0;
  #reorderIsStated = false;
  #raiseAtKey = false;
  readonly #window: number[] = [];
  /** Frames since the window was cleared. */
  #filled = 0;
  #firstPts = 0;
  #anchored = false;
  #lastTimestamp = 0;
  #extended = 0;
  /** Offset of scaled extended times. */
  #base = 0;
  #lastDts = -1;
  /** Interval of the last two consecutive units. */
  #step: number;
  #lastNowMs = 0;
  #catchesUpUntilMs = -Infinity;
  readonly #pacer: TimestampSmoother | null;

  constructor(options: TimelineOptions) {
    this.#pacer = options.followsArrival === true ? new TimestampSmoother() : null;
    this.#step = Math.round(options.outputRate * GUESSED_FRAME_SECONDS);
    this.#clockRate = options.clockRate;
    this.#outputRate = options.outputRate;
    this.#scale = options.outputRate / options.clockRate;
  }

  /** Null if not stated in the stream. */
  stateReorder(depth: number | null): void {
    this.#reorderIsStated = depth !== null;
    if (depth !== null) this.#reorder = depth;
  }

  /** RTP times restart with the next unit. */
  restart(): void {
    this.#anchored = false;
    this.#window.length = 0;
    this.#filled = 0;
  }

  /** Shifts later times; returned ones stay, so decode times never go back. */
  shiftMs(ms: number): void {
    this.#base += Math.round((ms * this.#outputRate) / 1000);
  }

  /** Output time, in milliseconds, of an RTP time near the last one. */
  msAt(timestamp: number): number {
    const ticks = (this.#extended + ((timestamp - this.#lastTimestamp) | 0)) * this.#scale + this.#base;
    return (ticks * 1000) / this.#outputRate;
  }

  /** Whether RTP times recently followed arrival, so that sender reports can be trusted. */
  keepsPace(nowMs: number): boolean {
    return this.#pacer === null || !this.#pacer.isCorrecting(nowMs);
  }

  /** This process stalled: until it has caught up, arrival times are ignored. */
  stoodStill(nowMs: number): void {
    if (this.#pacer) this.#catchesUpUntilMs = nowMs + CATCH_UP_MS;
  }

  catchesUp(nowMs: number): boolean {
    if (nowMs >= this.#catchesUpUntilMs) return false;
    if (this.#lateMs(nowMs) < CAUGHT_UP_MS) this.#catchesUpUntilMs = -Infinity;
    return nowMs < this.#catchesUpUntilMs;
  }

  /** It did not catch up: the device stalled too. */
  #wasLeftBehind(nowMs: number): boolean {
    if (this.#catchesUpUntilMs === -Infinity || nowMs < this.#catchesUpUntilMs) return false;
    this.#catchesUpUntilMs = -Infinity;
    return this.#lateMs(nowMs) > REJOIN_MS;
  }

  /** Lag behind its usual position. */
  #lateMs(nowMs: number): number {
    return nowMs - (this.#pacer?.usualMs ?? 0) - this.mediaMs;
  }

  get isAnchored(): boolean {
    return this.#anchored;
  }

  /** Whether this RTP time breaks the time line; then call `restart` and `anchor`. `nowMs` is monotonic. */
  jumps(timestamp: number, nowMs: number): boolean {
    if (!this.#anchored) return false;
    if (this.#wasLeftBehind(nowMs)) return true;
    const seconds = ((timestamp - this.#lastTimestamp) | 0) / this.#clockRate;
    // The device may have skipped what was not read.
    const waitedMs = this.catchesUp(nowMs) ? this.#lateMs(nowMs) : nowMs - this.#lastNowMs;
    const passed = Math.max(0, waitedMs) / 1000;
    const ahead = this.#pacer ? LIVE_JUMP_AHEAD_SECONDS : JUMP_AHEAD_SECONDS;
    return seconds > passed + ahead || seconds < -this.#mayGoBackSeconds();
  }

  #mayGoBackSeconds(): number {
    if (!this.#pacer || !this.#reorderIsStated) return JUMP_BACK_SECONDS;
    const reordered = ((this.#reorder + 1) * this.#step) / this.#outputRate;
    return Math.min(JUMP_BACK_SECONDS, LIVE_JUMP_BACK_SECONDS + (this.#reorder > 0 ? reordered : 0));
  }

  /** Maps the RTP time to `atMs` of the output (monotonic, so that a successor continues), or right after the last time. */
  anchor(timestamp: number, atMs: number): void {
    this.#lastTimestamp = timestamp;
    const wanted = Math.round((atMs * this.#outputRate) / 1000);
    const room = this.#reorder * this.#frameTicks() + 1;
    this.#base = Math.max(wanted, this.#lastDts + room) - Math.round(this.#extended * this.#scale);
    this.#anchored = true;
    this.#pacer?.restart(this.msAt(timestamp), atMs);
  }

  /** After a jump: a live frame follows the last at the usual interval, however late; a long pause is kept. */
  rejoin(timestamp: number, nowMs: number): void {
    const next = this.#lastDts + this.#step;
    const lateMs = nowMs - (this.#pacer?.usualMs ?? 0) - (next * 1000) / this.#outputRate;
    if (!this.#pacer || lateMs > REJOIN_MS) {
      this.anchor(timestamp, nowMs);
      return;
    }
    this.#lastTimestamp = timestamp;
    this.#base = next + this.#reorder * this.#frameTicks() - Math.round(this.#extended * this.#scale);
    this.#anchored = true;
  }

  /** Adds the next unit in decoding order; false if it lies in the past and must be dropped (audio only). */
  next(timestamp: number, isKey: boolean, nowMs: number, mayClamp: boolean): boolean {
    this.#extended += (timestamp - this.#lastTimestamp) | 0;
    this.#lastTimestamp = timestamp;
    this.#lastNowMs = nowMs;
    const pts = Math.round(this.#extended * this.#scale) + this.#base;
    if (!mayClamp && pts <= this.#lastDts) return false;
    if (isKey && this.#raiseAtKey) this.#raise();
    const dts = this.#dtsAfterLast(this.#reorder === 0 ? pts : this.#reordered(pts));
    this.#noteStep(dts - this.#lastDts);
    this.#lastDts = dts;
    this.dts = dts;
    this.mediaMs = (dts * 1000) / this.#outputRate;
    if (this.#pacer && !this.catchesUp(nowMs)) this.shiftMs(this.#pacer.correction(this.mediaMs, nowMs));
    this.ctsOffset = this.#ctsOffsetOf(pts - dts);
    return true;
  }

  /** Keeps decode times increasing; if they would not, the reorder depth was too small. */
  #dtsAfterLast(dts: number): number {
    if (dts > this.#lastDts) return dts;
    if (!this.#reorderIsStated && this.#reorder < MAX_GUESSED_REORDER) this.#raiseAtKey = true;
    return this.#lastDts + 1;
  }

  #noteStep(passed: number): void {
    if (this.#lastDts >= 0 && passed > 1 && passed < this.#outputRate) this.#step = passed;
  }

  /** A time that goes back without B-frames is a device error: shown at once. */
  #ctsOffsetOf(ahead: number): number {
    return this.#reorder === 0 && this.#reorderIsStated ? Math.max(0, ahead) : ahead;
  }

  #raise(): void {
    this.#raiseAtKey = false;
    this.#reorder += 1;
    this.#window.length = 0;
    this.#filled = 0;
  }

  #reordered(pts: number): number {
    let at = this.#window.length;
    while (at > 0 && (this.#window[at - 1] as number) > pts) at -= 1;
    this.#window.splice(at, 0, pts);
    if (this.#filled === 0) this.#firstPts = pts;
    this.#filled += 1;
    if (this.#window.length > this.#reorder) return this.#window.shift() as number;
    return this.#firstPts - (this.#reorder - this.#filled + 1) * this.#frameTicks();
  }

  #frameTicks(): number {
    return Math.round(this.#outputRate * GUESSED_FRAME_SECONDS);
  }
}
