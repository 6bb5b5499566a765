// Turns a track's 32-bit RTP timestamps into a monotonic decode timeline, whatever the device does.

import { TimestampSmoother } from './timestamp-smoother.ts';

export interface TimelineOptions {
  /** RTP ticks per second. */
  readonly clockRate: number;
  /** Ticks per second of the output. */
  readonly outputRate: number;
  /** Live pictures: the line keeps to the pace of arrival where the RTP times do not. */
  readonly followsArrival?: boolean;
}

/** How far media time may run ahead of, or back behind, what has passed before it counts as a jump. */
const JUMP_AHEAD_SECONDS = 10;
const LIVE_JUMP_AHEAD_SECONDS = 2;
const JUMP_BACK_SECONDS = 2;
/** Beside what pictures that are shown later than they are decoded go back. */
const LIVE_JUMP_BACK_SECONDS = 0.3;
/** A picture that jumps and comes so late follows a silence. */
const REJOIN_MS = 5000;
/** What this process left waiting is taken in within so long, or its times are those of a device that stood still itself. */
const CATCH_UP_MS = 10_000;
/** Caught up: the jitter of a busy machine. */
const CAUGHT_UP_MS = 300;
const MAX_GUESSED_REORDER = 4;
const GUESSED_FRAME_SECONDS = 1 / 25;

/**
 * RTP carries presentation times in decoding order. With a reorder depth of N the decode time of a picture is the
 * smallest of the last N + 1 presentation times; where the depth is not stated it is learned from times that go back.
 */
export class TrackTimeline {
  /** Results of the last `next`, in output ticks. */
  dts = 0;
  ctsOffset = 0;
  /** The decode time in milliseconds; for the wall clock. */
  mediaMs = 0;

  readonly #scale: number;
  readonly #outputRate: number;
  readonly #clockRate: number;
  #reorder = 0;
  #reorderIsStated = false;
  #raiseAtKey = false;
  readonly #window: number[] = [];
  /** Pictures since the window was emptied. */
  #filled = 0;
  #firstPts = 0;
  #anchored = false;
  #lastTimestamp = 0;
  #extended = 0;
  /** Added to scaled extended times. */
  #base = 0;
  #lastDts = -1;
  /** Between the last two units that followed each other. */
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

  /** Null when the stream does not state it. */
  stateReorder(depth: number | null): void {
    this.#reorderIsStated = depth !== null;
    if (depth !== null) this.#reorder = depth;
  }

  /** The RTP times of the next unit have nothing to do with those before. */
  restart(): void {
    this.#anchored = false;
    this.#window.length = 0;
    this.#filled = 0;
  }

  /** Moves all later times; what was given out stays, so decode times still only go forward. */
  shiftMs(ms: number): void {
    this.#base += Math.round((ms * this.#outputRate) / 1000);
  }

  /** Place on the output line, in milliseconds, of an RTP time near the last one. */
  msAt(timestamp: number): number {
    const ticks = (this.#extended + ((timestamp - this.#lastTimestamp) | 0)) * this.#scale + this.#base;
    return (ticks * 1000) / this.#outputRate;
  }

  /** Whether RTP times have lately passed at the pace of arrival, so that a sender report's can be believed. */
  keepsPace(nowMs: number): boolean {
    return this.#pacer === null || !this.#pacer.isCorrecting(nowMs);
  }

  /** This process stood still: until its line has caught up, the arrival of what waited meanwhile says nothing of when it was taken. */
  stoodStill(nowMs: number): void {
    if (this.#pacer) this.#catchesUpUntilMs = nowMs + CATCH_UP_MS;
  }

  catchesUp(nowMs: number): boolean {
    if (nowMs >= this.#catchesUpUntilMs) return false;
    if (this.#lateMs(nowMs) < CAUGHT_UP_MS) this.#catchesUpUntilMs = -Infinity;
    return nowMs < this.#catchesUpUntilMs;
  }

  /** It did not catch up: the device stood still too. */
  #wasLeftBehind(nowMs: number): boolean {
    if (this.#catchesUpUntilMs === -Infinity || nowMs < this.#catchesUpUntilMs) return false;
    this.#catchesUpUntilMs = -Infinity;
    return this.#lateMs(nowMs) > REJOIN_MS;
  }

  /** How far the line is behind its usual place. */
  #lateMs(nowMs: number): number {
    return nowMs - (this.#pacer?.usualMs ?? 0) - this.mediaMs;
  }

  get isAnchored(): boolean {
    return this.#anchored;
  }

  /** Whether this RTP time breaks the line; then `restart` and `anchor` must follow. `nowMs` is monotonic. */
  jumps(timestamp: number, nowMs: number): boolean {
    if (!this.#anchored) return false;
    if (this.#wasLeftBehind(nowMs)) return true;
    const seconds = ((timestamp - this.#lastTimestamp) | 0) / this.#clockRate;
    // The device may have left out what nobody took.
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

  /** Places the RTP time at `atMs` of the output line (the monotonic clock, so that a successor goes on), or right after what was already given out. */
  anchor(timestamp: number, atMs: number): void {
    this.#lastTimestamp = timestamp;
    const wanted = Math.round((atMs * this.#outputRate) / 1000);
    const room = this.#reorder * this.#frameTicks() + 1;
    this.#base = Math.max(wanted, this.#lastDts + room) - Math.round(this.#extended * this.#scale);
    this.#anchored = true;
    this.#pacer?.restart(this.msAt(timestamp), atMs);
  }

  /** After a jump: a live picture follows the last as that one followed its own, however late it came; a long silence is believed. */
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

  /** Takes the next unit in decoding order; false when it lies before what was given out and must be left out (sound only). */
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

  /** Decode times only go forward; where they would not, more pictures are reordered than was guessed. */
  #dtsAfterLast(dts: number): number {
    if (dts > this.#lastDts) return dts;
    if (!this.#reorderIsStated && this.#reorder < MAX_GUESSED_REORDER) this.#raiseAtKey = true;
    return this.#lastDts + 1;
  }

  #noteStep(passed: number): void {
    if (this.#lastDts >= 0 && passed > 1 && passed < this.#outputRate) this.#step = passed;
  }

  /** A time that went back without B-pictures is the device's mistake: shown at once. */
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
