// Smooths timestamps against drift: how far a track's timeline must move to keep to the pace of arrival when the device's RTP clock does not.
import { ROUND_MS } from '@vedette/protocols/rtsp/read-rounds.ts';

/** Pictures come in bunches; the least late one of so long counts. */
const BUCKET_MS = 1000;
/** Less is jitter, the wait for a round where nobody watches, and the ordinary drift of two quartzes. */
const TOLERANCE_MS = ROUND_MS + 50;
const SETTLED_MS = 20;
const CORRECTING_MS = 15_000;
/** The first pictures may come late or in a bunch: the least late one of so long is what the others are held against. */
const CALIBRATION_MS = 3000;
/** Shares of passed media time by which the line may be stretched or pressed; below 1 so that it never stands still. */
const STRETCH = 2;
const PRESS = 0.8;

/**
 * A camera that declares 25 pictures a second and sends 21 with times 1/25 s apart runs its clock a sixth too slow: after
 * an hour ten minutes would be missing from the line.
 */
export class TimestampSmoother {
  #bucketMs = 0;
  #least = Infinity;
  #leastBefore = Infinity;
  #lastMs = 0;
  #isMoving = false;
  /** Lag of the line when it was laid, which only says how late its first picture was; null until it is known. */
  #usualMs: number | null = null;
  #startMs = 0;
  #movedMs = -Infinity;

  /** Whether the device's clock ran at another pace than ours a moment ago. */
  isCorrecting(nowMs: number): boolean {
    return nowMs - this.#movedMs < CORRECTING_MS;
  }

  /** How late the least late pictures are against the line, in milliseconds. */
  get usualMs(): number {
    return this.#usualMs ?? 0;
  }

  /** The line was laid anew and fits. */
  restart(positionMs: number, nowMs: number): void {
    this.#bucketMs = nowMs;
    this.#least = Infinity;
    this.#leastBefore = Infinity;
    this.#lastMs = positionMs;
    this.#isMoving = false;
    this.#usualMs = null;
    this.#startMs = nowMs;
  }

  /** Milliseconds by which to move what comes after a unit that was placed at `positionMs` and arrived at `nowMs` (monotonic). */
  correction(positionMs: number, nowMs: number): number {
    const passed = Math.max(0, positionMs - this.#lastMs);
    this.#lastMs = positionMs;
    if (this.#usualMs === null) {
      this.#least = Math.min(this.#least, nowMs - positionMs);
      if (nowMs - this.#startMs < CALIBRATION_MS) return 0;
      this.#usualMs = this.#least;
      this.#bucketMs = nowMs;
      this.#least = Infinity;
    }
    if (nowMs - this.#bucketMs >= BUCKET_MS) {
      this.#bucketMs = nowMs;
      this.#leastBefore = this.#least;
      this.#least = Infinity;
    }
    this.#least = Math.min(this.#least, nowMs - positionMs);
    if (this.#leastBefore === Infinity) return 0;
    const lag = Math.min(this.#least, this.#leastBefore) - this.#usualMs;
    if (Math.abs(lag) > TOLERANCE_MS) this.#isMoving = true;
    else if (Math.abs(lag) < SETTLED_MS) this.#isMoving = false;
    if (!this.#isMoving) return 0;
    const step = Math.max(-PRESS * passed, Math.min(STRETCH * passed, lag));
    this.#least -= step;
    this.#leastBefore -= step;
    this.#lastMs += step;
    this.#movedMs = nowMs;
    return step;
  }
}
